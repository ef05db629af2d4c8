//! What can go wrong with a download, each as one sentence that says what to do.

use std::io;
use std::path::Path;

use nearside_types::{Failure, FailureKind};

use super::HubFile;

/// The errors of hub downloads.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    #[error("No hub holds this model: it is fetched from packages.")]
    NoSource,
    #[error("{0} is not the address of a model hub: it begins with https:// and names a host.")]
    Endpoint(String),
    #[error(
        "Local-only mode is on, so {0} was not downloaded: ask for this download yourself to allow it once."
    )]
    LocalOnly(String),
    #[error("The ledger could not note the download, so nothing was fetched: {0}")]
    Ledger(Failure),
    #[error(
        "{host} could not be reached ({reason}); what has arrived is kept, and the next try goes on from there."
    )]
    Unreachable { host: String, reason: String },
    #[error("{host} answered {status} for {file}: check the hub's address in the settings.")]
    Status { host: String, status: u16, file: String },
    #[error("{0} sends the download to an address that is not allowed.")]
    Redirect(String),
    #[error(
        "{host} offers {file} with {found} bytes where the catalog says {expected}; nothing of it was kept."
    )]
    WrongLength { host: String, file: String, expected: u64, found: String },
    #[error(
        "{file} is not the file that the catalog names (its sha256 begins {found}, not {expected}); it has been removed."
    )]
    WrongHash { file: String, expected: String, found: String },
    #[error(
        "The disk became full while downloading {file}; the part that was here has been removed: free some space and try again."
    )]
    DiskFull { file: String },
    #[error("{doing} failed: {source}.")]
    Io { doing: String, source: io::Error },
    #[error("Stopped; what has arrived is kept.")]
    Cancelled,
    #[error("The download broke off: {0}.")]
    Fault(String),
}

impl HubError {
    pub(super) fn io(doing: &str, path: &Path, source: io::Error) -> Self {
        let file = path.file_name().map_or_else(String::new, |name| name.display().to_string());
        if source.kind() == io::ErrorKind::StorageFull {
            Self::DiskFull { file }
        } else {
            Self::Io { doing: format!("{doing} {file}"), source }
        }
    }

    pub(super) fn wrong_hash(file: &HubFile, found: &str) -> Self {
        let begin = |hash: &str| hash.chars().take(12).collect();
        Self::WrongHash {
            file: file.file.clone(),
            expected: begin(&file.sha256),
            found: begin(found),
        }
    }

    /// Whether no other source should be tried after it.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Cancelled | Self::LocalOnly(_) | Self::Ledger(_) | Self::DiskFull { .. }
        )
    }

    /// A stable word for the window's translations.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSource => "hub_no_source",
            Self::Endpoint(_) => "hub_endpoint",
            Self::LocalOnly(_) => "local_only",
            Self::Ledger(_) => "ledger",
            Self::Unreachable { .. } => "hub_unreachable",
            Self::Status { .. } => "hub_status",
            Self::Redirect(_) => "hub_redirect",
            Self::WrongLength { .. } => "model_wrong_size",
            Self::WrongHash { .. } => "model_wrong_hash",
            Self::DiskFull { .. } => "disk_full",
            Self::Io { .. } | Self::Fault(_) => "models_io",
            Self::Cancelled => "cancelled",
        }
    }
}

impl From<HubError> for Failure {
    fn from(error: HubError) -> Self {
        let kind = match &error {
            HubError::Endpoint(_) => FailureKind::Usage,
            HubError::LocalOnly(_) => FailureKind::Refused,
            HubError::Ledger(failure) => failure.kind,
            HubError::Cancelled => FailureKind::Cancelled,
            HubError::DiskFull { .. } | HubError::Io { .. } | HubError::Fault(_) => {
                FailureKind::Internal
            }
            _ => FailureKind::Network,
        };
        Failure::coded(kind, error.code(), error.to_string())
    }
}
