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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: ErrorKind, opening: &str, running: Option<Trouble>) {
        let error = cpal::Error::with_message(kind, "E42");
        let said = on_opening(&error).to_string();
        assert!(said.starts_with(opening), "{kind:?}: {said}");
        assert_eq!(while_running(&error), running, "{kind:?}");
    }

    #[test]
    fn each_trouble_has_its_sentence() {
        let failed = || Some(Trouble::Failed("E42".to_owned()));
        check(ErrorKind::DeviceBusy, "another program is using", Some(Trouble::Lost));
        check(ErrorKind::DeviceNotAvailable, "no microphone was found", Some(Trouble::Lost));
        check(ErrorKind::PermissionDenied, "this program may not use", Some(Trouble::Denied));
        check(ErrorKind::HostUnavailable, "the system's sound service", Some(Trouble::Lost));
        check(
            ErrorKind::StreamInvalidated,
            "the microphone does not work (E42)",
            Some(Trouble::Lost),
        );
        check(ErrorKind::BackendError, "the microphone does not work (E42)", Some(Trouble::Lost));
        check(ErrorKind::UnsupportedConfig, "the microphone does not work (E42)", failed());
        check(ErrorKind::Other, "the microphone does not work (E42)", failed());
        for passing in [ErrorKind::Xrun, ErrorKind::DeviceChanged, ErrorKind::RealtimeDenied] {
            check(passing, "the microphone does not work (E42)", None);
        }
    }
}
