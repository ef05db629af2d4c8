//! Dictation: the microphone to text while somebody speaks. The microphone is open from `Listening` until it is
//! stopped, cancelled or lost, and at no other time; what was heard is in memory and goes with the call.

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::Duration;

use nearside_speech::capture::{self, Block, Capture, CaptureOptions, Microphones};
use nearside_speech::{Live, Recognizer};
use nearside_types::{
    Cancel, Failure, FailureKind, LiveTranscript, Microphone, TranscribeOptions, Transcript,
    VoiceEvent,
};

use super::wav::wav;
use super::{stopped, transcribe_options};
use crate::headless::Headless;

/// Between two looks at the meter and the flags.
const LOOK: Duration = Duration::from_millis(66);

/// Blocks that wait while the models load or a stretch is written: half a minute and more.
const WAITING_BLOCKS: usize = 1024;

impl Headless {
    /// The one connection to the system's sound: the library behind it keeps a thread for each that was ever made.
    fn known_microphones(&self) -> &Microphones {
        self.microphones.get_or_init(Microphones::new)
    }

    /// What can be listened to.
    ///
    /// # Errors
    /// Where the system has no sound service.
    pub fn microphones(&self) -> Result<Vec<Microphone>, Failure> {
        let found = self.known_microphones().list()?;
        let told = |microphone: capture::Microphone| Microphone {
            id: microphone.id,
            name: microphone.name,
            is_default: microphone.default,
            is_monitor: microphone.monitor,
        };
        Ok(found.into_iter().map(told).collect())
    }

    /// Listens until `enough`, and gives what was said. The models load while one speaks.
    ///
    /// # Errors
    /// `ModelMissing` before the microphone is opened; what keeps it from being opened; `Cancelled`. A microphone
    /// that goes away in the middle is no error: it is told, and what was heard is written down.
    pub fn hear(
        &self,
        enough: &Cancel,
        cancel: &Cancel,
        tell: &mut dyn FnMut(VoiceEvent),
    ) -> Result<Transcript, Failure> {
        let models = self.speech_models(None)?;
        let voice = self.settings().voice;
        let options = transcribe_options(&voice);
        let (sink, blocks) = sync_channel(WAITING_BLOCKS);
        let capture = Capture::start(
            self.known_microphones(),
            voice.microphone.as_deref(),
            CaptureOptions { sink: Some(sink), ..CaptureOptions::default() },
        )?;
        tell(VoiceEvent::Listening { device: capture.microphone().name.clone() });
        let (partials, text) = channel();
        std::thread::scope(|scope| {
            let (for_live, models) = (options.clone(), &models);
            let writer = scope.spawn(move || {
                self.recognizer.with(models, cancel, |recognizer| {
                    write_live(recognizer, for_live, &blocks, &partials, cancel)
                })
            });
            let captured = attend(capture, enough, cancel, &text, &|| writer.is_finished(), tell);
            // The sink is closed now, so the writer comes to its end.
            while !writer.is_finished() {
                show(&text, LOOK, tell);
            }
            let written = writer
                .join()
                .unwrap_or_else(|_| Err(Failure::internal("The dictation broke off.")))?;
            if cancel.is_cancelled() {
                return Err(stopped());
            }
            match written {
                Some(transcript) => Ok(transcript),
                // Blocks were passed over, because this machine was too busy: all of it is written anew.
                None => self.recognizer.with(models, cancel, |recognizer| {
                    Ok(recognizer.recognize(&captured, &options, cancel)?)
                }),
            }
        })
    }
}

/// What `record` wrote.
pub struct Recorded {
    pub seconds: f64,
    /// The microphone went away before it was enough.
    pub lost: bool,
}

impl Headless {
    /// Records a microphone to a WAV file (16 kHz, 16 bits, one channel) until `enough`; at most an hour is kept.
    /// The file is plain: the caller asked for it.
    ///
    /// # Errors
    /// What keeps the microphone from being opened, or the file from being written.
    pub fn record(
        &self,
        path: &Path,
        device: Option<&str>,
        enough: &Cancel,
        tell: &mut dyn FnMut(VoiceEvent),
    ) -> Result<Recorded, Failure> {
        let chosen = self.settings().voice.microphone;
        let options = CaptureOptions { keep_seconds: 3600, ..CaptureOptions::default() };
        let device = device.or(chosen.as_deref());
        let capture = Capture::start(self.known_microphones(), device, options)?;
        tell(VoiceEvent::Listening { device: capture.microphone().name.clone() });
        while !enough.is_cancelled() && capture.wait_ended(LOOK).is_none() {
            tell(VoiceEvent::Level { dbfs: capture.level().loudness });
        }
        let captured = capture.stop();
        std::fs::write(path, wav(&captured.samples)).map_err(|error| {
            Failure::new(
                FailureKind::Internal,
                format!("The recording cannot be saved there ({}).", error.kind()),
            )
        })?;
        let lost = captured.ended.error().is_some();
        Ok(Recorded { seconds: captured.seconds(), lost })
    }
}

/// Shows level and text until it is enough, cancelled, lost, or the writer has failed. Gives the samples.
fn attend(
    capture: Capture,
    enough: &Cancel,
    cancel: &Cancel,
    text: &Receiver<LiveTranscript>,
    writer_gone: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(VoiceEvent),
) -> Vec<f32> {
    loop {
        show(text, LOOK, tell);
        tell(VoiceEvent::Level { dbfs: capture.level().loudness });
        if cancel.is_cancelled() || writer_gone() {
            capture.cancel();
            return Vec::new();
        }
        let lost = capture.ended().is_some();
        if lost || enough.is_cancelled() {
            let captured = capture.stop();
            let seconds = captured.seconds();
            if lost {
                tell(VoiceEvent::Lost { kept_seconds: seconds });
            }
            tell(VoiceEvent::Transcribing { done: 0.0, total: Some(seconds) });
            return captured.samples;
        }
    }
}

/// Tells of text that came within `wait`.
fn show(text: &Receiver<LiveTranscript>, wait: Duration, tell: &mut dyn FnMut(VoiceEvent)) {
    match text.recv_timeout(wait) {
        Ok(text) => {
            tell(VoiceEvent::Partial { committed: text.committed, tentative: text.tentative });
        }
        Err(RecvTimeoutError::Timeout) => {}
        Err(RecvTimeoutError::Disconnected) => std::thread::sleep(wait),
    }
}

/// None where blocks are missing.
fn write_live(
    recognizer: &mut Recognizer,
    options: TranscribeOptions,
    blocks: &Receiver<Block>,
    partials: &Sender<LiveTranscript>,
    cancel: &Cancel,
) -> Result<Option<Transcript>, Failure> {
    let mut live = Live::new(options);
    let (mut expected, mut shown) = (0, LiveTranscript::default());
    while let Ok(first) = blocks.recv() {
        if cancel.is_cancelled() {
            return Err(stopped());
        }
        // All that waits goes in at once, so that a slow machine catches up.
        let mut samples = Vec::new();
        for block in std::iter::once(first).chain(blocks.try_iter()) {
            if block.start != expected {
                // Emptied until the end, so that the capture is not told that nobody listens.
                blocks.iter().for_each(drop);
                return Ok(None);
            }
            expected += block.samples.len() as u64;
            samples.extend(block.samples);
        }
        let text = live.push(recognizer, &samples, cancel)?;
        if text != shown {
            shown = text.clone();
            // The window may be gone; the text is kept all the same.
            let _ = partials.send(text);
        }
    }
    Ok(Some(live.finish(recognizer, cancel)?))
}
