//! The sound library's errors as ours: one when a microphone is opened, another while it runs.

use cpal::ErrorKind;

use super::queue::Trouble;
use crate::Error;

/// Why it did not open.
pub(super) fn on_opening(error: &cpal::Error) -> Error {
    match error.kind() {
        ErrorKind::DeviceBusy => Error::MicrophoneBusy,
        ErrorKind::DeviceNotAvailable => Error::NoMicrophone,
        ErrorKind::PermissionDenied => Error::MicrophoneDenied,
        ErrorKind::HostUnavailable => Error::NoSoundSystem,
        _ => Error::Microphone(error.to_string()),
    }
}

/// Why it cannot go on, if so.
pub(super) fn while_running(error: &cpal::Error) -> Option<Trouble> {
    match error.kind() {
        // An overrun goes by; the route may change under a stream that goes on; the priority is a wish.
        ErrorKind::Xrun | ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied => None,
        ErrorKind::DeviceNotAvailable
        | ErrorKind::HostUnavailable
        | ErrorKind::StreamInvalidated
        | ErrorKind::BackendError
        | ErrorKind::DeviceBusy => Some(Trouble::Lost),
        ErrorKind::PermissionDenied => Some(Trouble::Denied),
        _ => Some(Trouble::Failed(error.to_string())),
    }
}
