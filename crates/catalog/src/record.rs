//! `installed.json`: what an installed version is, and when its files were last seen to be right, so that
//! a list of models need not hash gigabytes.

use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::CatalogError;
use crate::catalog::is_plain_name;
use crate::layout::write_atomically;

const NAME: &str = "installed.json";
const MAX_BYTES: u64 = 1 << 20;

/// A file of an installed version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordFile {
    pub name: String,
    pub size: u64,
    pub sha256: String,
    /// Nanoseconds since 1970 when the hash was last computed and right.
    pub modified_ns: u64,
}

/// An installed version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub version: String,
    /// Where it came from, as a person reads it.
    pub source: String,
    pub files: Vec<RecordFile>,
}

impl Record {
    /// Absent or not readable: none.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        let path = folder.join(NAME);
        let small = std::fs::metadata(&path).is_ok_and(|metadata| metadata.len() < MAX_BYTES);
        let text = small.then(|| std::fs::read(&path).ok()).flatten()?;
        let record: Self = serde_json::from_slice(&text).ok()?;
        let plain = record.files.iter().all(|file| is_plain_name(&file.name));
        (plain && !record.files.is_empty()).then_some(record)
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), CatalogError> {
        let path = folder.join(NAME);
        let text = serde_json::to_vec_pretty(self)
            .map_err(|error| CatalogError::io("Writing", &path, std::io::Error::other(error)))?;
        write_atomically(&path, &text)
    }

    #[must_use]
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }
}

impl RecordFile {
    /// Whether the file on disk still looks as it did when its hash was right.
    pub(crate) fn matches(&self, metadata: &Metadata) -> bool {
        metadata.len() == self.size && modified_ns(metadata) == self.modified_ns
    }
}

pub(crate) fn modified_ns(metadata: &Metadata) -> u64 {
    metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .and_then(|since| u64::try_from(since.as_nanos()).ok())
        .unwrap_or(0)
}
