//! What can stop the library itself. A file that cannot be read is no error: it is a status.

use nearside_types::{Failure, FailureKind, Trouble};

/// Why a call of the library ended early. No variant quotes a path or content.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error("There is no file or folder at this path. Check the spelling.")]
    NotFound,
    #[error("The file could not be opened: {0}. Check its permissions and try again.")]
    Unreadable(std::io::ErrorKind),
    #[error("This is no file: it is a folder, a device or a pipe. Name a file.")]
    NotAFile,
    #[error("This link leads out of the folder; add what it leads to by its own path.")]
    LinkOutside,
    #[error("Stopped.")]
    Cancelled,
    #[error("The reading process could not be started: {0}. Reinstalling Nearside repairs it.")]
    WorkerMissing(std::io::ErrorKind),
    #[error("The library's database failed: {0}.")]
    Database(#[from] rusqlite::Error),
    #[error("The sealed database could not be used: {0}")]
    Vault(#[from] nearside_vault::VaultError),
    #[error("This file is not in the library.")]
    NotIndexed,
}

impl LibraryError {
    /// The same as a warning about one file of many.
    pub(crate) fn trouble(&self) -> Trouble {
        match self {
            Self::NotFound => Trouble::NotFound,
            Self::Unreadable(kind) => Trouble::NotOpened { why: kind.to_string() },
            Self::NotAFile => Trouble::NotAFile,
            Self::LinkOutside => Trouble::LinkOutside,
            other => Trouble::Failed { why: other.to_string() },
        }
    }

    /// What is known of a file before it is opened. Opening a pipe would wait for its writer, and a device has
    /// no end, so neither is opened at all.
    pub(crate) fn facts_of(path: &std::path::Path) -> Result<std::fs::Metadata, Self> {
        let facts = std::fs::metadata(path).map_err(|error| Self::from_io(&error))?;
        if facts.is_file() { Ok(facts) } else { Err(Self::NotAFile) }
    }

    /// Opening or reading failed; a missing file is told apart from an unreadable one.
    #[must_use]
    pub fn from_io(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => Self::NotFound,
            other => Self::Unreadable(other),
        }
    }
}

impl From<LibraryError> for Failure {
    fn from(error: LibraryError) -> Self {
        let kind = match error {
            LibraryError::NotFound | LibraryError::NotIndexed => FailureKind::NotFound,
            LibraryError::Unreadable(_) | LibraryError::NotAFile | LibraryError::LinkOutside => {
                FailureKind::NothingReadable
            }
            LibraryError::Cancelled => FailureKind::Cancelled,
            LibraryError::WorkerMissing(_) | LibraryError::Database(_) | LibraryError::Vault(_) => {
                FailureKind::Internal
            }
        };
        let code = match &error {
            LibraryError::NotFound => "file_gone",
            LibraryError::Unreadable(_) => "file_unreadable",
            LibraryError::NotAFile => "not_a_file",
            LibraryError::LinkOutside => "link_outside",
            LibraryError::Cancelled => "cancelled",
            LibraryError::WorkerMissing(_) => "reader_missing",
            LibraryError::Database(_) | LibraryError::Vault(_) => "database",
            LibraryError::NotIndexed => "not_indexed",
        };
        Failure::coded(kind, code, error.to_string())
    }
}
