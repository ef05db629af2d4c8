//! What can go wrong with sound. Each is a sentence that says what to do; none quotes what was said.

use nearside_types::{Failure, FailureKind};

/// Why a recording was not written down.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("the work was stopped")]
    Cancelled,
    #[error("there is no file at this path; check the spelling")]
    NotFound,
    #[error("the file cannot be opened ({0}); check its permissions and try again")]
    NotOpened(String),
    #[error(
        "this is no sound file that can be read; save it as WAV, MP3, M4A, Ogg Vorbis or FLAC and try again"
    )]
    NotSound,
    #[error(
        "the sound in this file is coded as {0}, which is not read; save it as WAV, MP3, M4A, Ogg Vorbis or FLAC and try again"
    )]
    Coding(&'static str),
    #[error("there is no sound in this file; choose another")]
    NoTrack,
    #[error("the file is damaged: none of its sound can be decoded; get it again")]
    Damaged,
    #[error("the sound has {0} samples a second; between 4,000 and 768,000 can be read")]
    Rate(u32),
    #[error("the recording is longer than {0} hours; split it first")]
    TooLong(u32),
    #[error(
        "the model file {0} cannot be loaded; fetch it again with `nearside models fetch whisper-base` and `nearside models fetch silero-vad`"
    )]
    Model(String),
    #[error("`{0}` is not a language of the speech model; use a code such as en or zh, or auto")]
    Language(String),
    #[error("this speech model knows only English; choose another model for `{0}`")]
    EnglishOnly(String),
    #[error(
        "speech recognition needs a processor with AVX2, FMA and F16C, as made since 2013; this one lacks them"
    )]
    Processor,
    #[error("speech recognition failed ({0}); try again, and report this if it stays")]
    Failed(String),
}

pub type Result<T> = std::result::Result<T, Error>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (kind, code) = match &error {
            Error::Cancelled => (FailureKind::Cancelled, ""),
            Error::NotFound => (FailureKind::NotFound, "not_found"),
            Error::NotOpened(_)
            | Error::NotSound
            | Error::Coding(_)
            | Error::NoTrack
            | Error::Damaged
            | Error::Rate(_)
            | Error::TooLong(_) => (FailureKind::NothingReadable, ""),
            Error::Model(_) => (FailureKind::ModelMissing, ""),
            Error::Language(_) | Error::EnglishOnly(_) => (FailureKind::Usage, ""),
            Error::Processor | Error::Failed(_) => (FailureKind::Internal, ""),
        };
        Failure::coded(kind, code, error.to_string())
    }
}
