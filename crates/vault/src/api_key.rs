//! Provider keys: in the keychain where the master key is, else sealed in a file. Never in settings.
//!
//! The sealed file `api-keys` lists the names in both cases, since no keychain can be listed portably;
//! it holds the values only where there is no keychain.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use zeroize::Zeroize;

use crate::record::{Record, key_from_text};
use crate::vault::check_name;
use crate::{Keychain, Secret, Vault, VaultError};

const FILE: &str = "api-keys";
const LONGEST: usize = 2000;

/// Name to value; no value where the keychain has it.
type Listed = BTreeMap<String, Option<String>>;

impl Vault {
    /// Keeps a provider's key under `name`.
    ///
    /// # Errors
    /// `BadApiKey` when it cannot be a key; `Keychain` when the keychain refuses it.
    pub fn set_api_key(&self, name: &str, key: &Secret<String>) -> Result<(), VaultError> {
        check_name(name)?;
        let text = key.expose();
        // It becomes a header's value: visible ASCII only, so that nothing can be smuggled in.
        if text.is_empty() || text.len() > LONGEST || !text.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(VaultError::BadApiKey);
        }
        let mut listed = self.listed()?;
        let value = match &self.keychain {
            Some(keychain) => {
                keychain.set(&account(&self.record, name), key).map_err(refused)?;
                None
            }
            None => Some(text.clone()),
        };
        listed.insert(name.to_owned(), value);
        self.write_listed(listed)
    }

    /// The key under `name`, or none.
    ///
    /// # Errors
    /// When the keychain cannot be asked.
    pub fn api_key(&self, name: &str) -> Result<Option<Secret<String>>, VaultError> {
        check_name(name)?;
        match &self.keychain {
            Some(keychain) => keychain.get(&account(&self.record, name)).map_err(refused),
            None => Ok(self.listed()?.remove(name).flatten().map(Secret::new)),
        }
    }

    /// # Errors
    /// As `api_key`.
    pub fn has_api_key(&self, name: &str) -> Result<bool, VaultError> {
        Ok(self.api_key(name)?.is_some())
    }

    /// Forgets the key under `name`; one that is not there is no error.
    ///
    /// # Errors
    /// When the keychain cannot be asked.
    pub fn clear_api_key(&self, name: &str) -> Result<(), VaultError> {
        check_name(name)?;
        if let Some(keychain) = &self.keychain {
            keychain.remove(&account(&self.record, name)).map_err(refused)?;
        }
        let mut listed = self.listed()?;
        listed.remove(name);
        self.write_listed(listed)
    }

    fn listed(&self) -> Result<Listed, VaultError> {
        let Some(mut plain) = self.read_sealed(FILE)? else {
            return Ok(Listed::new());
        };
        let listed = serde_json::from_slice(&plain);
        plain.zeroize();
        listed.map_err(|_| VaultError::Damaged(format!("{FILE}.sealed")))
    }

    fn write_listed(&self, mut listed: Listed) -> Result<(), VaultError> {
        let written = match serde_json::to_vec(&listed) {
            Ok(mut plain) => {
                let written = self.write_sealed(FILE, &plain);
                plain.zeroize();
                written
            }
            Err(_) => Err(VaultError::NotSealed),
        };
        for value in listed.values_mut().flatten() {
            value.zeroize();
        }
        written
    }
}

fn account(record: &Record, name: &str) -> String {
    format!("{}/api-key/{name}", record.id)
}

fn refused(error: crate::KeychainError) -> VaultError {
    VaultError::Keychain(error.to_string())
}

/// The keychain entries of this folder's provider keys, as far as its list can be opened.
pub(crate) fn accounts(data_dir: &Path, record: &Record, keychain: &dyn Keychain) -> Vec<String> {
    let Ok(Some(text)) = keychain.get(&record.account()) else {
        return Vec::new();
    };
    let Ok(master) = key_from_text(&text) else {
        return Vec::new();
    };
    let keychain: Option<Arc<dyn Keychain>> = None;
    let vault = Vault { folder: data_dir.to_owned(), record: record.clone(), master, keychain };
    let listed = vault.listed().unwrap_or_default();
    listed.keys().map(|name| account(record, name)).collect()
}
