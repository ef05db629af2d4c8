//! What can go wrong in the engine itself. Failures of the rooms pass through as they are.

use nearside_types::{Failure, FailureKind};

/// An engine error; it becomes a `Failure` at the edge.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Room(#[from] Failure),
    #[error(
        "The conversations could not be read or written ({0}); check that the disk is not full."
    )]
    Database(#[from] rusqlite::Error),
    #[error("A stored value could not be read ({0}); export your data and restore it.")]
    Stored(#[from] serde_json::Error),
    #[error("{doing} failed: {source}.")]
    Io { doing: &'static str, source: std::io::Error },
    #[error("There is no {what} with this id; list them to see what there is.")]
    Missing { what: &'static str },
}

impl Error {
    pub(crate) fn io(doing: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { doing, source }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Room(failure) => failure,
            Error::Missing { .. } => Self::coded(FailureKind::NotFound, "gone", error.to_string()),
            Error::Database(_) => Self::coded(FailureKind::Internal, "database", error.to_string()),
            Error::Stored(_) => {
                Self::coded(FailureKind::Internal, "stored_value", error.to_string())
            }
            Error::Io { .. } => Self::coded(FailureKind::Internal, "disk", error.to_string()),
        }
    }
}
