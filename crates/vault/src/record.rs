//! `vault.json`: which key opens this data folder. It holds no key that is not wrapped.
//!
//! The folder's identity is a random number in it and not its path, so that a folder can be moved, and
//! two folders never share a keychain entry.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::derive::{Key, expand, random};
use crate::passphrase::Kdf;
use crate::{Secret, VaultError, file, gcm};

pub(crate) const RECORD: &str = "vault.json";
const LIMIT: u64 = 16 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    version: u32,
    /// Sixteen random bytes in hexadecimal.
    pub(crate) id: String,
    pub(crate) key: KeyPlace,
    /// Derived from the master key: tells a wrong key from a damaged file before anything is opened.
    check: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum KeyPlace {
    Keychain,
    Passphrase { kdf: Kdf, wrapped: String },
}

impl Record {
    pub(crate) fn path(data_dir: &Path) -> PathBuf {
        data_dir.join(RECORD)
    }

    pub(crate) fn read(data_dir: &Path) -> Result<Option<Self>, VaultError> {
        let Some(bytes) = file::read_bounded(&Self::path(data_dir), LIMIT)? else {
            return Ok(None);
        };
        let record: Self = serde_json::from_slice(&bytes)
            .map_err(|_| VaultError::RecordDamaged("it is not what Nearside writes"))?;
        if record.version != 1 {
            return Err(VaultError::RecordDamaged("it was written by a newer Nearside"));
        }
        if record.id.len() != 32 || !record.id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(VaultError::RecordDamaged("its identity is not one"));
        }
        Ok(Some(record))
    }

    pub(crate) fn by_keychain(id: String, master: &Key) -> Self {
        let check = check_of(&id, master);
        Self { version: 1, id, key: KeyPlace::Keychain, check }
    }

    pub(crate) fn by_passphrase(
        id: String,
        master: &Key,
        passphrase: &Secret<String>,
    ) -> Result<Self, VaultError> {
        let kdf = Kdf::fresh()?;
        let wrapping = kdf
            .derive(passphrase)
            .ok_or(VaultError::RecordDamaged("the passphrase could not be derived"))?;
        let sealed = gcm::seal(wrapping.expose(), &kdf.context(&purpose(&id)), master.expose())?;
        let check = check_of(&id, master);
        let key = KeyPlace::Passphrase { kdf, wrapped: STANDARD.encode(sealed) };
        Ok(Self { version: 1, id, key, check })
    }

    /// The master key out of its wrapping.
    pub(crate) fn unwrap_key(&self, passphrase: &Secret<String>) -> Result<Key, VaultError> {
        let KeyPlace::Passphrase { kdf, wrapped } = &self.key else {
            return Err(VaultError::NotByPassphrase);
        };
        let wrapping = kdf
            .derive(passphrase)
            .ok_or(VaultError::RecordDamaged("its parameters are out of bounds"))?;
        let sealed = STANDARD
            .decode(wrapped)
            .map_err(|_| VaultError::RecordDamaged("the wrapped key is not base64"))?;
        let mut plain = gcm::open(wrapping.expose(), &kdf.context(&purpose(&self.id)), &sealed)
            .map_err(|_| VaultError::WrongPassphrase)?;
        let key = <[u8; 32]>::try_from(plain.as_slice());
        plain.zeroize();
        key.map(Secret::new).map_err(|_| VaultError::RecordDamaged("the wrapped key is too short"))
    }

    /// Refuses a master key that is not this folder's.
    pub(crate) fn check(&self, master: &Key) -> Result<(), VaultError> {
        let expected = check_of(&self.id, master);
        if bool::from(expected.as_bytes().ct_eq(self.check.as_bytes())) {
            Ok(())
        } else {
            Err(VaultError::WrongKey)
        }
    }

    /// The keychain entry of the master key.
    pub(crate) fn account(&self) -> String {
        format!("{}/master-key", self.id)
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, VaultError> {
        serde_json::to_vec_pretty(self)
            .map_err(|_| VaultError::RecordDamaged("it could not be written"))
    }
}

pub(crate) fn fresh_id() -> Result<String, VaultError> {
    Ok(random::<16>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn purpose(id: &str) -> String {
    format!("nearside master key {id}")
}

fn check_of(id: &str, master: &Key) -> String {
    let full = expand(master.expose(), format!("nearside check {id}").as_bytes());
    STANDARD.encode(&full.expose()[..16])
}

/// The master key as the keychain keeps it: text, since some keychains take nothing else.
pub(crate) fn key_to_text(master: &Key) -> Secret<String> {
    Secret::new(STANDARD.encode(master.expose()))
}

pub(crate) fn key_from_text(text: &Secret<String>) -> Result<Key, VaultError> {
    let mut bytes = STANDARD.decode(text.expose().trim()).map_err(|_| VaultError::WrongKey)?;
    let key = <[u8; 32]>::try_from(bytes.as_slice());
    bytes.zeroize();
    key.map(Secret::new).map_err(|_| VaultError::WrongKey)
}
