//! What can go wrong with the vault, each with one sentence that says what to do.
//!
//! No sentence quotes content: SQLite's own messages are dropped, since they can repeat a search text.

use std::io;

use nearside_types::{Failure, FailureKind};

#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// Neither a keychain nor a passphrase: nothing is opened and nothing is created.
    #[error("The vault is locked: {0}.")]
    Locked(String),
    /// The data is there and its key is not. Nothing is created in its place.
    #[error(
        "The key of this data folder is gone from the keychain: restore a backup, bring the keychain entry `{account}` back, or erase the folder to start again."
    )]
    KeyLost { account: String },
    #[error(
        "The file `vault.json` is gone but sealed data is there: restore a backup, bring the file back, or erase the folder to start again."
    )]
    RecordLost,
    #[error("The file `vault.json` cannot be read ({0}): restore it from a backup.")]
    RecordDamaged(&'static str),
    #[error("This passphrase is not the right one; nothing was changed.")]
    WrongPassphrase,
    #[error("This key does not belong to this data folder; nothing was changed.")]
    WrongKey,
    #[error("A passphrase needs at least {0} characters.")]
    ShortPassphrase(usize),
    #[error("This data folder is opened by the keychain: leave the passphrase out.")]
    NotByPassphrase,
    #[error(
        "`{0}` cannot name something in the vault: use a to z, 0 to 9, - and _, 1 to 64 characters."
    )]
    BadName(String),
    #[error(
        "This key cannot be kept: it is empty, longer than 2000 bytes, or has a character that no key has."
    )]
    BadApiKey,
    /// The bytes do not open under this key: damage, or another folder's file.
    #[error(
        "The sealed file `{0}` is damaged or belongs to another data folder; it was left as it is. Restore a backup."
    )]
    Damaged(String),
    #[error(
        "The database `{name}` was written by a newer Nearside (schema {found}, known {known}): update the program."
    )]
    NewerSchema { name: String, found: u32, known: u32 },
    #[error(
        "Step {step} of preparing the database `{name}` failed ({code}); the step before is kept."
    )]
    Migration { name: String, step: u32, code: String },
    #[error("The database is in use by another process; try again when it is done.")]
    Busy,
    #[error("The database reported {0}.")]
    Sql(String),
    #[error("There is no sealed value here, or it was changed since it was sealed.")]
    NotSealed,
    #[error("This is not a backup of Nearside, or it is damaged ({0}); nothing was replaced.")]
    BackupDamaged(&'static str),
    #[error("The keychain answered with an error: {0}.")]
    Keychain(String),
    #[error("The disk is full: free some space and try again; nothing was lost.")]
    DiskFull,
    #[error("{doing} failed: {source}.")]
    Io { doing: String, source: io::Error },
    #[error("The operating system gave no random bytes: {0}.")]
    Random(String),
}

impl VaultError {
    pub(crate) fn io(doing: &str, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::Io { doing: doing.to_owned(), source },
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Locked(_) => "vault_locked",
            Self::KeyLost { .. } | Self::RecordLost => "vault_key_lost",
            Self::WrongPassphrase => "wrong_passphrase",
            Self::WrongKey => "wrong_key",
            Self::ShortPassphrase(_) => "short_passphrase",
            Self::NotByPassphrase => "not_by_passphrase",
            Self::BadApiKey => "bad_api_key",
            Self::RecordDamaged(_) | Self::Damaged(_) | Self::NotSealed => "vault_damaged",
            Self::NewerSchema { .. } => "newer_schema",
            Self::BackupDamaged(_) => "backup_damaged",
            Self::DiskFull => "disk_full",
            Self::Busy => "database_busy",
            Self::Keychain(_) => "keychain_error",
            Self::Migration { .. } | Self::Sql(_) => "database",
            Self::Io { .. } => "disk",
            Self::BadName(_) | Self::Random(_) => "",
        }
    }
}

impl From<rusqlite::Error> for VaultError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                Self::Damaged("database".to_owned())
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(code) => Self::Sql(format!("{code:?}")),
            None => Self::Sql("a value of another shape than expected".to_owned()),
        }
    }
}

impl From<VaultError> for Failure {
    fn from(error: VaultError) -> Self {
        let kind = match error {
            VaultError::Locked(_)
            | VaultError::KeyLost { .. }
            | VaultError::RecordLost
            | VaultError::WrongPassphrase
            | VaultError::WrongKey
            | VaultError::NotByPassphrase => FailureKind::Refused,
            VaultError::ShortPassphrase(_) | VaultError::BadName(_) | VaultError::BadApiKey => {
                FailureKind::Usage
            }
            VaultError::BackupDamaged(_) => FailureKind::NothingReadable,
            VaultError::Io { ref source, .. } if source.kind() == io::ErrorKind::NotFound => {
                FailureKind::NotFound
            }
            _ => FailureKind::Internal,
        };
        Self::coded(kind, error.code(), error.to_string())
    }
}
