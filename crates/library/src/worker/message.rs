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
}

/// A path as text, or as the system's own units where it is no text.
#[derive(Serialize, Deserialize)]
enum PathText {
    Text(String),
    Raw(Vec<u8>),
}

impl Request {
    pub(super) fn new(path: &Path, limits: &Limits) -> Self {
        let path = match path.to_str() {
            Some(text) => PathText::Text(text.to_owned()),
            None => PathText::Raw(path.as_os_str().as_encoded_bytes().to_vec()),
        };
        Self { path, limits: limits.clone() }
    }

    pub(super) fn path(&self) -> PathBuf {
        match &self.path {
            PathText::Text(text) => PathBuf::from(text),
            PathText::Raw(bytes) => raw_path(bytes),
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

/// Any number of progress lines, then one of the others.
#[derive(Serialize, Deserialize)]
pub(super) enum Answer {
    Progress { done: u32, total: u32 },
    Done { extracted: Extracted },
    Failed { missing: bool, sentence: String },
}
