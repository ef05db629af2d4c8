//! The vault: one master key per data folder, and what is sealed under it: databases, small blobs,
//! provider keys, backups.
//!
//! The master key lies in the OS keychain, or wrapped by a passphrase in `vault.json`. Everything else
//! is derived from it, so a new owner of data needs no new key. The vault knows no schema: each owner
//! brings its own migrations. It never falls back to an unsealed file, never asks anybody anything by
//! itself (the caller gives a passphrase or a way to ask for one), and opens no connection.

mod api_key;
mod backup;
mod database;
mod derive;
mod error;
mod file;
mod gcm;
mod keychain;
mod os_keychain;
mod passphrase;
mod record;
mod secret;
mod stream;
mod vault;

pub use backup::{BackupReport, restore};
pub use database::{Database, Health};
pub use derive::MacKey;
pub use error::VaultError;
pub use file::write_atomic;
pub use keychain::{Keychain, KeychainError, MemoryKeychain};
pub use os_keychain::OsKeychain;
pub use passphrase::MIN_PASSPHRASE_CHARS;
/// The same build of SQLite for every owner of a database.
pub use rusqlite;
pub use secret::Secret;
pub use vault::{AskPassphrase, KeySource, PassphrasePurpose, Vault, erase, is_set_up};
