//! Sound files as a stream of samples at 16 kHz, one channel: WAV, AIFF, CAF, MP3, AAC and ALAC in MP4, Vorbis,
//! FLAC, Matroska.
//!
//! It holds a packet at a time, however long the file is, and a file can neither panic nor stop it: what the
//! decoder panics ends the sound there. It does not read Opus or pictures.

use std::fs::File;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use nearside_types::Cancel;
use symphonia::core::codecs::audio::{AudioDecoder, AudioDecoderOptions, well_known};
use symphonia::core::errors::Error as Fault;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::{MediaSource, MediaSourceStream};
use symphonia::core::meta::MetadataOptions;

use crate::resample::Resampler;
use crate::{Error, Result, SAMPLE_RATE};

/// More than a day's meeting; a file that decodes to more is a trap or should be split.
pub const MAX_HOURS: u32 = 24;

/// Packets in a row that give no sound before the rest is given up.
const MAX_IDLE_PACKETS: u32 = 2_000;

/// Where samples come from, in order.
pub trait Source {
    /// Appends the next block, at most some seconds; false when there is no more.
    ///
    /// # Errors
    /// What keeps the sound from being read, or that it was stopped.
    fn read(&mut self, into: &mut Vec<f32>, cancel: &Cancel) -> Result<bool>;

    /// How long it is in all, where that is known.
    fn seconds(&self) -> Option<f64>;

    /// A part could not be decoded and is missing.
    fn damaged(&self) -> bool {
        false
    }
}

/// Samples that are in memory already.
pub struct Samples<'a>(&'a [f32], f64);

impl<'a> Samples<'a> {
    #[must_use]
    pub fn new(samples: &'a [f32]) -> Self {
        Self(samples, samples.len() as f64 / f64::from(SAMPLE_RATE))
    }
}

impl Source for Samples<'_> {
    fn read(&mut self, into: &mut Vec<f32>, _: &Cancel) -> Result<bool> {
        let (block, rest) = self.0.split_at(self.0.len().min(10 * SAMPLE_RATE as usize));
        into.extend_from_slice(block);
        self.0 = rest;
        Ok(!block.is_empty())
    }

    fn seconds(&self) -> Option<f64> {
        Some(self.1)
    }
}

/// An opened sound file.
pub struct SoundFile {
    format: Box<dyn FormatReader>,
    decoder: Box<dyn AudioDecoder>,
    track: u32,
    resampler: Option<Resampler>,
    interleaved: Vec<f32>,
    mono: Vec<f32>,
    seconds: Option<f64>,
    given: u64,
    idle: u32,
    damaged: bool,
    ended: bool,
}

impl SoundFile {
    /// Opens a file; what it is, its content says and not its name.
    ///
    /// # Errors
    /// A sentence on what is wrong with it.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::NotFound,
            _ => Error::NotOpened(error.to_string()),
        })?;
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(Error::NotSound);
        }
        Self::from_source(Box::new(file))
    }

    /// The same for bytes in memory.
    ///
    /// # Errors
    /// A sentence on what is wrong with them.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::from_source(Box::new(Cursor::new(bytes)))
    }

    fn from_source(source: Box<dyn MediaSource>) -> Result<Self> {
        catch_unwind(AssertUnwindSafe(|| Self::probe(source))).unwrap_or(Err(Error::Damaged))
    }

    fn probe(source: Box<dyn MediaSource>) -> Result<Self> {
        let stream = MediaSourceStream::new(source, Default::default());
        let format = symphonia::default::get_probe()
            .probe(&Hint::new(), stream, FormatOptions::default(), MetadataOptions::default())
            .map_err(|fault| match fault {
                Fault::IoError(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                    Error::NotOpened(error.to_string())
                }
                _ => Error::NotSound,
            })?;
        let track = format.default_track(TrackType::Audio).ok_or(Error::NoTrack)?;
        let parameters =
            track.codec_params.as_ref().and_then(|codec| codec.audio()).ok_or(Error::NoTrack)?;
        if parameters.codec == well_known::CODEC_ID_OPUS {
            return Err(Error::Coding("Opus"));
        }
        let decoder = symphonia::default::get_codecs()
            .make_audio_decoder(parameters, &AudioDecoderOptions::default())
            .map_err(|fault| match fault {
                Fault::Unsupported(_) => Error::Coding("something rare"),
                _ => Error::Damaged,
            })?;
        let seconds = track
            .num_frames
            .zip(parameters.sample_rate)
            .filter(|(_, rate)| *rate > 0)
            .map(|(frames, rate)| frames as f64 / f64::from(rate));
        if seconds.is_some_and(|seconds| seconds > f64::from(MAX_HOURS) * 3600.0) {
            return Err(Error::TooLong(MAX_HOURS));
        }
        Ok(Self {
            track: track.id,
            format,
            decoder,
            resampler: None,
            interleaved: Vec::new(),
            mono: Vec::new(),
            seconds,
            given: 0,
            idle: 0,
            damaged: false,
            ended: false,
        })
    }

    /// One packet; false at the end of the sound.
    fn packet(&mut self, into: &mut Vec<f32>) -> Result<bool> {
        let packet = match self.format.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => return Ok(false),
            Err(Fault::ResetRequired) => return Ok(false),
            Err(Fault::IoError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                return Ok(false);
            }
            Err(_) => {
                self.damaged = true;
                return Ok(false);
            }
        };
        self.idle += 1;
        if packet.track_id != self.track {
            return Ok(true);
        }
        let sound = match self.decoder.decode(&packet) {
            Ok(sound) => sound,
            Err(Fault::DecodeError(_) | Fault::IoError(_)) => {
                self.damaged = true;
                return Ok(true);
            }
            Err(_) => {
                self.damaged = true;
                return Ok(false);
            }
        };
        let (rate, channels) = (sound.spec().rate(), sound.num_planes());
        if sound.is_empty() || channels == 0 {
            return Ok(true);
        }
        self.idle = 0;
        sound.copy_to_vec_interleaved(&mut self.interleaved);
        let share = 1.0 / channels as f32;
        self.mono.clear();
        self.mono.extend(self.interleaved.chunks_exact(channels).map(|frame| {
            let sum: f32 = frame.iter().sum();
            // A float file may hold anything.
            if sum.is_finite() { (sum * share).clamp(-1.0, 1.0) } else { 0.0 }
        }));
        if self.resampler.as_ref().is_none_or(|resampler| resampler.rate() != rate) {
            if let Some(mut before) = self.resampler.take() {
                before.finish(into)?;
            }
            self.resampler = Some(Resampler::new(rate)?);
        }
        match &mut self.resampler {
            Some(resampler) => resampler.push(&self.mono, into)?,
            None => return Ok(false),
        }
        Ok(true)
    }
}

impl Source for SoundFile {
    fn read(&mut self, into: &mut Vec<f32>, cancel: &Cancel) -> Result<bool> {
        let before = into.len();
        while !self.ended && into.len() - before < 5 * SAMPLE_RATE as usize {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let more = catch_unwind(AssertUnwindSafe(|| self.packet(into)));
            match more {
                Ok(Ok(true)) if self.idle < MAX_IDLE_PACKETS => {}
                Ok(Ok(more)) => {
                    self.damaged |= more;
                    self.ended = true;
                }
                Ok(Err(error)) => return Err(error),
                Err(_) => {
                    self.damaged = true;
                    self.ended = true;
                }
            }
            if self.ended
                && let Some(mut resampler) = self.resampler.take()
            {
                resampler.finish(into)?;
            }
        }
        let new = into.len() - before;
        self.given += new as u64;
        if self.given > u64::from(MAX_HOURS) * 3600 * u64::from(SAMPLE_RATE) {
            return Err(Error::TooLong(MAX_HOURS));
        }
        if self.ended && self.given == 0 && self.damaged {
            return Err(Error::Damaged);
        }
        Ok(new > 0)
    }

    fn seconds(&self) -> Option<f64> {
        self.seconds
    }

    fn damaged(&self) -> bool {
        self.damaged
    }
}
