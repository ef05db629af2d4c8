//! The content of one record: a second of sound in 16 bits, or the end. Sound is a whole FLAC stream, which any
//! player could play; bare samples where the encoder has nothing to gain or fails.

use std::panic::{AssertUnwindSafe, catch_unwind};

use flacenc::bitsink::ByteSink;
use flacenc::component::BitRepr;
use flacenc::error::Verify;
use flacenc::source::MemSource;
use nearside_types::Cancel;

use crate::decode::{SoundFile, Source};
use crate::{Error, Result, SAMPLE_RATE};

const FLAC: u8 = 1;
const BARE: u8 = 2;
const END: u8 = 3;

/// Shorter ones are not worth a FLAC header.
const SHORTEST: usize = 256;

pub(super) enum Content {
    Sound(Vec<f32>),
    /// Samples in all.
    End(u64),
}

pub(super) fn sound(samples: &[f32]) -> Vec<u8> {
    let samples: Vec<i16> = samples.iter().map(|&sample| sixteen(sample)).collect();
    if samples.len() >= SHORTEST
        && let Some(stream) = catch_unwind(AssertUnwindSafe(|| flac(&samples))).ok().flatten()
        && stream.len() < samples.len() * 2
    {
        let record = [&[FLAC], stream.as_slice()].concat();
        // Encoder and decoder are by different people: what is written is what was seen to come back.
        if let Ok(Content::Sound(back)) = content(&record)
            && back.iter().map(|&sample| sixteen(sample)).eq(samples.iter().copied())
        {
            return record;
        }
    }
    let bytes = samples.iter().flat_map(|sample| sample.to_le_bytes());
    std::iter::once(BARE).chain(bytes).collect()
}

pub(super) fn end(total: u64) -> Vec<u8> {
    [&[END], total.to_le_bytes().as_slice()].concat()
}

/// What a record holds; the bytes were sealed by us, and are still not trusted further than that.
pub(super) fn content(plain: &[u8]) -> Result<Content> {
    match plain.split_first() {
        Some((&FLAC, stream)) => {
            let mut sound = SoundFile::from_bytes(stream.to_vec())?;
            let mut samples = Vec::new();
            while samples.len() <= 2 * super::RECORD && sound.read(&mut samples, &Cancel::new())? {}
            if sound.damaged() || samples.len() > super::RECORD {
                return Err(Error::Damaged);
            }
            Ok(Content::Sound(samples))
        }
        Some((&BARE, bytes)) if bytes.len() <= 2 * super::RECORD && bytes.len() % 2 == 0 => {
            let samples = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
            Ok(Content::Sound(samples.map(|sample| f32::from(sample) / 32_768.0).collect()))
        }
        Some((&END, total)) => {
            let total = total.try_into().map_err(|_| Error::Damaged)?;
            Ok(Content::End(u64::from_le_bytes(total)))
        }
        _ => Err(Error::Damaged),
    }
}

/// The nearest of 16 bits; microphones have no more.
pub(super) fn sixteen(sample: f32) -> i16 {
    // `as` keeps to the range, and makes 0 of what is no number.
    (sample * 32_768.0).round() as i16
}

fn flac(samples: &[i16]) -> Option<Vec<u8>> {
    let mut config = flacenc::config::Encoder::default();
    config.multithread = false;
    let config = config.into_verified().ok()?;
    let samples: Vec<i32> = samples.iter().map(|&sample| i32::from(sample)).collect();
    let source = MemSource::from_samples(&samples, 1, 16, SAMPLE_RATE as usize);
    let mut stream =
        flacenc::encode_with_fixed_block_size(&config, source, config.block_size).ok()?;
    // The last block does not count as the smallest; the encoder counts it, and decoders then look for blocks of
    // any size.
    stream.stream_info_mut().set_block_sizes(config.block_size, config.block_size).ok()?;
    let mut sink = ByteSink::new();
    stream.write(&mut sink).ok()?;
    Some(sink.into_inner())
}
