//! From a passphrase to a key: Argon2id (RFC 9106), with parameters that travel beside the salt.
//!
//! Parameters that come from a file are held to bounds, so that a changed file can neither weaken the
//! derivation nor make the machine run out of memory.

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::derive::{Key, random};
use crate::{Secret, VaultError};

/// A new passphrase has at least so many characters.
pub const MIN_PASSPHRASE_CHARS: usize = 8;

/// Argon2id's cost and salt, as they stand in `vault.json` and in a backup's head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kdf {
    /// Base64.
    pub(crate) salt: String,
    pub(crate) memory_kib: u32,
    pub(crate) passes: u32,
    pub(crate) lanes: u32,
}

impl Kdf {
    /// A fresh salt and RFC 9106's second recommendation: 64 MiB, three passes, four lanes.
    pub(crate) fn fresh() -> Result<Self, VaultError> {
        Ok(Self {
            salt: STANDARD.encode(random::<16>()?),
            memory_kib: 64 * 1024,
            passes: 3,
            lanes: 4,
        })
    }

    /// The key, or none where a parameter is out of bounds.
    pub(crate) fn derive(&self, passphrase: &Secret<String>) -> Option<Key> {
        let salt = STANDARD.decode(&self.salt).ok()?;
        let bounds = (16..=64).contains(&salt.len())
            && (19 * 1024..=512 * 1024).contains(&self.memory_kib)
            && (1..=16).contains(&self.passes)
            && (1..=16).contains(&self.lanes);
        if !bounds {
            return None;
        }
        let params = Params::new(self.memory_kib, self.passes, self.lanes, Some(32)).ok()?;
        let mut key = [0; 32];
        // Two ways to type one letter are one passphrase (RFC 8265, OpaqueString: NFC).
        let text = Secret::new(passphrase.expose().nfc().collect::<String>());
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(text.expose().as_bytes(), &salt, &mut key)
            .ok()?;
        Some(Secret::new(key))
    }

    /// What the wrapped key is bound to, so that no parameter can be exchanged.
    pub(crate) fn context(&self, purpose: &str) -> Vec<u8> {
        format!("{purpose}\n{}\n{}\n{}\n{}", self.salt, self.memory_kib, self.passes, self.lanes)
            .into_bytes()
    }
}

/// Refuses a new passphrase that is too short.
pub(crate) fn check_new(passphrase: &Secret<String>) -> Result<(), VaultError> {
    if passphrase.expose().chars().count() < MIN_PASSPHRASE_CHARS {
        return Err(VaultError::ShortPassphrase(MIN_PASSPHRASE_CHARS));
    }
    Ok(())
}
