//! What the vault asks of a keychain, and one in memory for tests and for callers that keep nothing.
//!
//! The operating system's own is in `os_keychain`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::Secret;

/// Why a keychain did not do it. The text is the system's and names no secret.
#[derive(Debug, Clone, thiserror::Error)]
pub enum KeychainError {
    /// There is none here, it does not answer in time, or the user did not unlock it.
    #[error("{0}")]
    Unavailable(String),
    /// It is there and refused this entry.
    #[error("{0}")]
    Failed(String),
}

/// Entries of text by account. Implementations answer within a bounded time.
pub trait Keychain: Send + Sync {
    /// The entry, or none where there is no such entry.
    ///
    /// # Errors
    /// When the keychain cannot be asked.
    fn get(&self, account: &str) -> Result<Option<Secret<String>>, KeychainError>;

    /// # Errors
    /// When the keychain cannot be asked or refuses.
    fn set(&self, account: &str, value: &Secret<String>) -> Result<(), KeychainError>;

    /// Removing what is not there is no error.
    ///
    /// # Errors
    /// When the keychain cannot be asked.
    fn remove(&self, account: &str) -> Result<(), KeychainError>;
}

/// A keychain that forgets when it is dropped.
#[derive(Debug, Default)]
pub struct MemoryKeychain {
    // A plain mutex: each call holds it for one map operation.
    entries: Mutex<BTreeMap<String, Secret<String>>>,
}

impl MemoryKeychain {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The accounts that have an entry.
    #[must_use]
    pub fn accounts(&self) -> Vec<String> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }
}

impl Keychain for MemoryKeychain {
    fn get(&self, account: &str) -> Result<Option<Secret<String>>, KeychainError> {
        Ok(self.entries.lock().unwrap_or_else(PoisonError::into_inner).get(account).cloned())
    }

    fn set(&self, account: &str, value: &Secret<String>) -> Result<(), KeychainError> {
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(account.to_owned(), value.clone());
        Ok(())
    }

    fn remove(&self, account: &str) -> Result<(), KeychainError> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).remove(account);
        Ok(())
    }
}
