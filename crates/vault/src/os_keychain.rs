//! The operating system's keychain: Secret Service on Linux, Keychain Services on macOS, Credential
//! Manager on Windows.
//!
//! It keeps no connection and no state between calls, so a keychain that is started or unlocked later
//! is found at the next try. Each call runs on a thread of its own with a time limit: a session bus that
//! accepts and never answers must not hang the program. A thread that ran out of time is left behind
//! until its bus closes; it holds nothing but its own request.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use keyring_core::{CredentialStore, Entry, Error};
use std::sync::Arc;

use crate::{Keychain, KeychainError, Secret};

const SERVICE: &str = "Nearside";
/// A bus that works answers within milliseconds.
const CONNECT: Duration = Duration::from_secs(5);
/// Someone may have to type a password into the keychain's own window.
const PROMPT: Duration = Duration::from_secs(90);

/// The keychain of whoever is logged in.
#[derive(Debug, Clone)]
pub struct OsKeychain {
    connect: Duration,
    answer: Duration,
}

impl Default for OsKeychain {
    fn default() -> Self {
        Self::new()
    }
}

impl OsKeychain {
    /// With the usual time limits: five seconds to connect, and as long again for the answer, or 90
    /// seconds where there is a display on which the keychain can ask for its password.
    #[must_use]
    pub fn new() -> Self {
        let display = cfg!(any(windows, target_os = "macos"))
            || ["DISPLAY", "WAYLAND_DISPLAY"]
                .iter()
                .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
        Self { connect: CONNECT, answer: if display { PROMPT } else { CONNECT } }
    }

    #[must_use]
    pub fn with_limits(connect: Duration, answer: Duration) -> Self {
        Self { connect, answer }
    }

    fn timed<T: Send + 'static>(
        &self,
        account: &str,
        ask: impl FnOnce(&Entry) -> Result<T, Error> + Send + 'static,
    ) -> Result<Option<T>, KeychainError> {
        let account = account.to_owned();
        let (connected, on_connected) = mpsc::channel::<()>();
        let (answered, on_answer) = mpsc::channel();
        thread::Builder::new()
            .name("keychain".to_owned())
            .spawn(move || {
                let entry = store().and_then(|store| {
                    let _nobody_waits_any_more = connected.send(());
                    Entry::new_in_store(&store, SERVICE, &account)
                });
                let _nobody_waits_any_more = answered.send(entry.and_then(|entry| ask(&entry)));
            })
            .map_err(|error| KeychainError::Unavailable(error.to_string()))?;
        if let Err(RecvTimeoutError::Timeout) = on_connected.recv_timeout(self.connect) {
            return Err(KeychainError::Unavailable(format!(
                "the keychain did not answer within {} seconds",
                self.connect.as_secs_f32()
            )));
        }
        match on_answer.recv_timeout(self.answer) {
            Ok(Ok(value)) => Ok(Some(value)),
            Ok(Err(error)) => explain(error),
            Err(RecvTimeoutError::Timeout) => Err(KeychainError::Unavailable(format!(
                "the keychain was not unlocked within {} seconds",
                self.answer.as_secs_f32()
            ))),
            Err(RecvTimeoutError::Disconnected) => {
                Err(KeychainError::Unavailable("the keychain's library gave up".to_owned()))
            }
        }
    }
}

impl Keychain for OsKeychain {
    fn get(&self, account: &str) -> Result<Option<Secret<String>>, KeychainError> {
        self.timed(account, |entry| entry.get_password().map(Secret::new))
    }

    fn set(&self, account: &str, value: &Secret<String>) -> Result<(), KeychainError> {
        let value = value.clone();
        self.timed(account, move |entry| entry.set_password(value.expose())).map(|_| ())
    }

    fn remove(&self, account: &str) -> Result<(), KeychainError> {
        self.timed(account, |entry| entry.delete_credential()).map(|_| ())
    }
}

fn explain<T>(error: Error) -> Result<Option<T>, KeychainError> {
    match error {
        Error::NoEntry => Ok(None),
        Error::NoStorageAccess(_) => {
            Err(KeychainError::Unavailable("the keychain is locked".to_owned()))
        }
        Error::PlatformFailure(_) | Error::NoDefaultStore | Error::NotSupportedByStore(_) => {
            Err(KeychainError::Unavailable("no keychain is running in this session".to_owned()))
        }
        Error::TooLong(_, limit) => {
            Err(KeychainError::Failed(format!("the keychain takes at most {limit} characters")))
        }
        Error::Ambiguous(_) => {
            Err(KeychainError::Failed("the keychain has two entries of this name".to_owned()))
        }
        // The rest can carry the stored bytes themselves, so their text is not repeated.
        _ => Err(KeychainError::Failed("the keychain's entry cannot be read".to_owned())),
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
fn store() -> Result<Arc<CredentialStore>, Error> {
    zbus_secret_service_keyring_store::Store::new().map(|store| store as Arc<CredentialStore>)
}

#[cfg(target_os = "macos")]
fn store() -> Result<Arc<CredentialStore>, Error> {
    apple_native_keyring_store::keychain::Store::new().map(|store| store as Arc<CredentialStore>)
}

#[cfg(windows)]
fn store() -> Result<Arc<CredentialStore>, Error> {
    windows_native_keyring_store::Store::new().map(|store| store as Arc<CredentialStore>)
}
