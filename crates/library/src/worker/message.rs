//! What caller and worker say to each other, one JSON value a line.

use crate::limits::Limits;
use nearside_types::Extracted;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The one question.
#[derive(Serialize, Deserialize)]
pub(super) struct Request {
    path: PathText,
    pub limits: Limits,
    /// The folder of the model that reads pictures.
    #[serde(default)]
    pictures: Option<PathText>,
}

/// A path as text, or as the system's own units where it is no text.
#[derive(Serialize, Deserialize)]
enum PathText {
    Text(String),
    Raw(Vec<u8>),
}

impl Request {
    pub(super) fn new(path: &Path, limits: &Limits, pictures: Option<&Path>) -> Self {
        let pictures = pictures.map(PathText::new);
        Self { path: PathText::new(path), limits: limits.clone(), pictures }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.path.path()
    }

    pub(super) fn pictures(&self) -> Option<PathBuf> {
        self.pictures.as_ref().map(PathText::path)
    }
}

impl PathText {
    fn new(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Raw(path.as_os_str().as_encoded_bytes().to_vec()),
        }
    }

    fn path(&self) -> PathBuf {
        match self {
            Self::Text(text) => PathBuf::from(text),
            Self::Raw(bytes) => raw_path(bytes),
        }
    }
}

#[cfg(unix)]
fn raw_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn raw_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// Any number of the first two, then one of the others.
#[derive(Serialize, Deserialize)]
pub(super) enum Answer {
    Progress {
        done: u32,
        total: u32,
    },
    /// The next page is read as a picture, which takes longer.
    Picture,
    Done {
        extracted: Extracted,
    },
    Failed {
        missing: bool,
        sentence: String,
    },
}
