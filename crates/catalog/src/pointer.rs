//! Which version of a model is in use and which one was before: the file `<name>/current`, written in
//! one piece, so that a crash leaves the old or the new answer.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::CatalogError;
use crate::catalog::is_plain_name;
use crate::layout::{model_dir, write_atomically};

/// The versions that are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pointer {
    pub current: String,
    #[serde(default)]
    pub previous: Option<String>,
}

fn path(models_dir: &Path, name: &str) -> PathBuf {
    model_dir(models_dir, name).join("current")
}

impl Pointer {
    /// Absent, unreadable or odd: none. The folders of versions are then found by the next install.
    #[must_use]
    pub fn read(models_dir: &Path, name: &str) -> Option<Self> {
        let path = path(models_dir, name);
        let small = std::fs::metadata(&path).is_ok_and(|metadata| metadata.len() < 4096);
        let text = small.then(|| std::fs::read(&path).ok()).flatten()?;
        let pointer: Self = serde_json::from_slice(&text).ok()?;
        let plain = is_plain_name(&pointer.current)
            && pointer.previous.as_deref().is_none_or(is_plain_name);
        plain.then_some(pointer)
    }

    pub(crate) fn write(&self, models_dir: &Path, name: &str) -> Result<(), CatalogError> {
        let path = path(models_dir, name);
        let text = serde_json::to_vec(self)
            .map_err(|error| CatalogError::io("Writing", &path, std::io::Error::other(error)))?;
        write_atomically(&path, &text)
    }
}
