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
        "this is no sound file that can be read, or a part of it is missing; save it as WAV, MP3, M4A, Ogg Vorbis or FLAC and try again"
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
    #[error(
        "no microphone was found; connect one, or choose one in the system's sound settings, and try again"
    )]
    NoMicrophone,
    #[error("another program is using the microphone; close it there and try again")]
    MicrophoneBusy,
    #[error(
        "this program may not use the microphone; allow it in the system's privacy settings and try again"
    )]
    MicrophoneDenied,
    #[error(
        "the microphone was disconnected; what was heard until then is kept, and recording works again once one is connected"
    )]
    MicrophoneLost,
    #[error(
        "the microphone stopped sending sound; what was heard until then is kept, check its connection and try again"
    )]
    MicrophoneSilent,
    #[error("the microphone does not work ({0}); choose another, or connect it anew")]
    Microphone(String),
    #[error("the system's sound service does not answer; start it again or restart the computer")]
    NoSoundSystem,
    #[error("the recording cannot be written ({0}); free some space or choose another folder")]
    RecordingNotWritten(String),
    #[error("this is no recording, or its beginning is damaged; choose another")]
    NotRecording,
    #[error("the recording does not open with this key; it belongs to another data folder")]
    RecordingSealed,
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
            Error::NoMicrophone => (FailureKind::NotFound, "no_microphone"),
            Error::MicrophoneBusy => (FailureKind::Refused, "microphone_busy"),
            Error::MicrophoneDenied => (FailureKind::Refused, "microphone_denied"),
            Error::MicrophoneLost => (FailureKind::Internal, "microphone_lost"),
            Error::MicrophoneSilent => (FailureKind::Internal, "microphone_silent"),
            Error::Microphone(_) => (FailureKind::Internal, "microphone_failed"),
            Error::NoSoundSystem => (FailureKind::Internal, "no_sound_system"),
            Error::RecordingNotWritten(_) => (FailureKind::Internal, "recording_not_written"),
            Error::NotRecording => (FailureKind::NothingReadable, "not_a_recording"),
            Error::RecordingSealed => (FailureKind::Refused, "recording_sealed"),
        };
        Failure::coded(kind, code, error.to_string())
    }
}
