//! The vault from outside: opening and refusing, databases, backups, and what a crash leaves.
//! Keychains are in memory here, but for `keychain.rs`, which uses the real one where it is installed.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests: a panic is how a test fails"
)]

#[path = "vault/api_keys.rs"]
mod api_keys;
#[path = "vault/backups.rs"]
mod backups;
#[path = "vault/crash.rs"]
mod crash;
#[path = "vault/databases.rs"]
mod databases;
#[path = "vault/keychain.rs"]
mod keychain;
#[path = "vault/opening.rs"]
mod opening;
#[path = "vault/sealing.rs"]
mod sealing;

use std::path::Path;
use std::sync::Arc;

use nearside_vault::{KeySource, Keychain, KeychainError, MemoryKeychain, Secret, Vault};

/// A keychain that is not there.
struct NoKeychain;

impl Keychain for NoKeychain {
    fn get(&self, _: &str) -> Result<Option<Secret<String>>, KeychainError> {
        Err(KeychainError::Unavailable("no keychain is running in this session".to_owned()))
    }
    fn set(&self, _: &str, _: &Secret<String>) -> Result<(), KeychainError> {
        Err(KeychainError::Unavailable("no keychain is running in this session".to_owned()))
    }
    fn remove(&self, _: &str) -> Result<(), KeychainError> {
        Err(KeychainError::Unavailable("no keychain is running in this session".to_owned()))
    }
}

fn secret(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

fn with(keychain: &Arc<MemoryKeychain>) -> KeySource {
    KeySource::Keychain { keychain: keychain.clone(), ask: None }
}

/// A folder for the test, and a vault in it by a keychain in memory.
fn fresh() -> (tempfile::TempDir, Arc<MemoryKeychain>, Vault) {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::new(MemoryKeychain::new());
    let vault = Vault::open(&folder.path().join("data"), with(&keychain)).unwrap();
    (folder, keychain, vault)
}

/// Every file below the folder with its bytes, to prove that nothing changed.
fn photograph(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut seen = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let bytes = std::fs::read(&path).unwrap();
                seen.push((path.strip_prefix(folder).unwrap().display().to_string(), bytes));
            }
        }
    }
    seen.sort();
    seen
}
