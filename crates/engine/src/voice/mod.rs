//! Voice: sound files and the microphone to transcripts, by models that are loaded at the first word and let go
//! when nobody has spoken for a while.
//!
//! Nothing that is heard or written down is kept here, and nothing of it leaves.

mod keep_warm;
mod listen;
mod save;
mod wav;

use std::path::{Path, PathBuf};

use nearside_speech::{Recognizer, SoundFile, Source};
use nearside_types::{
    Cancel, Failure, FailureKind, ModelPurpose, ModelState, TranscribeOptions, TranscribeProgress,
    Transcript, VoiceEvent, VoiceSettings,
};

use crate::headless::Headless;
pub(crate) use keep_warm::WarmRecognizer;
pub use listen::Recorded;
pub use save::save_transcript;

/// Decides what is speech.
pub(crate) const VOICE_ACTIVITY: &str = "silero-vad";
/// Writes speech down, where no other model is asked for and this one is installed.
const SPEECH: &str = "whisper-base";

/// A sound, and how it is to be written down.
pub struct Recording<'a> {
    pub sound: Sound<'a>,
    /// A speech model of the catalog; none takes the default, else any that is installed.
    pub model: Option<&'a str>,
    pub options: TranscribeOptions,
}

pub enum Sound<'a> {
    Path(&'a Path),
    /// A sound file in memory.
    Bytes(Vec<u8>),
}

/// How the user of these settings wants speech written down.
#[must_use]
pub fn transcribe_options(voice: &VoiceSettings) -> TranscribeOptions {
    TranscribeOptions {
        language: Some(voice.language.clone()).filter(|language| language != "auto"),
        script: voice.chinese,
        vocabulary: voice.vocabulary.clone(),
        ..TranscribeOptions::default()
    }
}

impl Headless {
    /// Writes a recording down. Another one waits until this is done.
    ///
    /// # Errors
    /// `ModelMissing` with the command that fetches it, `NotFound`, `NothingReadable` for what is no sound,
    /// `Cancelled`.
    pub fn transcribe(
        &self,
        recording: Recording<'_>,
        cancel: &Cancel,
        progress: &mut dyn FnMut(TranscribeProgress),
    ) -> Result<Transcript, Failure> {
        // What is no sound is told before a model is loaded for it.
        let mut sound: Box<dyn Source> = match recording.sound {
            Sound::Path(path) => Box::new(SoundFile::open(path)?),
            Sound::Bytes(bytes) => Box::new(SoundFile::from_bytes(bytes)?),
        };
        let models = self.speech_models(recording.model)?;
        self.recognizer.with(&models, cancel, |recognizer| {
            Ok(recognizer.transcribe(&mut *sound, &recording.options, progress, cancel)?)
        })
    }

    /// Writes a sound file down as the settings say.
    ///
    /// # Errors
    /// As `transcribe`.
    pub fn transcribe_file(
        &self,
        path: &Path,
        cancel: &Cancel,
        tell: &mut dyn FnMut(VoiceEvent),
    ) -> Result<Transcript, Failure> {
        let options = transcribe_options(&self.settings().voice);
        let recording = Recording { sound: Sound::Path(path), model: None, options };
        self.transcribe(recording, cancel, &mut |progress| {
            tell(VoiceEvent::Transcribing { done: progress.done, total: progress.total });
        })
    }

    /// The files of the speech model that `wanted` means and of voice activity.
    pub(crate) fn speech_models(&self, wanted: Option<&str>) -> Result<SpeechModels, Failure> {
        let installed =
            |name: &str| nearside_catalog::path_of(&self.catalog, &self.models_dir, name);
        let speech = match wanted {
            Some(name) => {
                let is_speech = |entry: &nearside_types::ModelInfo| {
                    entry.name == name && entry.purpose == ModelPurpose::Speech
                };
                if !self.models().iter().any(is_speech) {
                    return Err(Failure::usage(
                        "This is no speech model; `nearside models list` shows those with the purpose speech.",
                    ));
                }
                installed(name)?
            }
            None => installed(SPEECH).or_else(|missing| {
                let other = self.models().into_iter().find(|model| {
                    model.purpose == ModelPurpose::Speech && model.state == ModelState::Installed
                });
                other.map_or(Err(missing), |model| installed(&model.name))
            })?,
        };
        Ok(SpeechModels { speech, voice_activity: installed(VOICE_ACTIVITY)? })
    }
}

/// Where the two models lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SpeechModels {
    pub(crate) speech: PathBuf,
    pub(crate) voice_activity: PathBuf,
}

impl SpeechModels {
    pub(crate) fn load(&self) -> Result<Recognizer, Failure> {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let load = std::fs::read_to_string("/proc/loadavg").ok();
        let threads = threads(cores, load.as_deref());
        Ok(Recognizer::load(&self.speech, &self.voice_activity, threads)?)
    }
}

/// whisper.cpp's threads wait for each other by spinning: beside other work that takes the cores, two are several
/// times slower than one. `load` is Linux's `/proc/loadavg`.
fn threads(cores: usize, load: Option<&str>) -> usize {
    let busy = load.and_then(|load| load.split(' ').next()?.parse::<f64>().ok());
    #[expect(clippy::cast_precision_loss, reason = "a count of cores")]
    let all_taken = busy.is_some_and(|busy| busy >= cores as f64 - 0.5);
    if all_taken { 1 } else { cores.min(4) }
}

pub(crate) fn stopped() -> Failure {
    Failure::coded(FailureKind::Cancelled, "cancelled", "Stopped.")
}

#[cfg(test)]
mod tests {
    use super::threads;

    #[test]
    fn a_busy_machine_gets_one_thread() {
        for (cores, load, expected) in [
            (8, Some("0.10 0.2 0.3 1/200 77"), 4),
            (2, Some("0.10 0.2 0.3 1/200 77"), 2),
            (2, Some("1.70 0.2 0.3 1/200 77"), 1),
            (8, Some("12.3 9.0 9.0 9/200 77"), 1),
            (2, None, 2),
            (2, Some("odd"), 2),
        ] {
            assert_eq!(threads(cores, load), expected, "{cores} {load:?}");
        }
    }
}
