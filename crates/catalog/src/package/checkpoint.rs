//! How far the joining of packages has come: `packages.partial.json` beside the partial files.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fingerprint;
use crate::entry::PackageSource;
use crate::layout::{model_dir, partial_path, remove_file, write_atomically};
use crate::{CatalogError, Entry};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// Of the source and the files that it makes.
    source: String,
    /// Packages whose members are whole in the partial files.
    pub(super) packages: usize,
    /// Bytes of each partial file then, in the order of the entry's downloaded files.
    lengths: Vec<u64>,
}

fn path(models_dir: &Path, entry: &Entry) -> PathBuf {
    model_dir(models_dir, &entry.name).join("packages.partial.json")
}

impl Checkpoint {
    /// Reads the checkpoint and cuts the partial files back to it: what came after may be half a member.
    /// Where it does not fit (another source, a file too short), the download starts over.
    pub(super) fn resume(
        entry: &Entry,
        source: &PackageSource,
        models_dir: &Path,
    ) -> Result<Self, CatalogError> {
        let fingerprint = fingerprint(entry, source);
        let read = fs::read(path(models_dir, entry)).ok();
        let found: Option<Self> = read.and_then(|text| serde_json::from_slice(&text).ok());
        let fits = |checkpoint: &Self| {
            checkpoint.source == fingerprint
                && checkpoint.packages <= source.packages.len()
                && checkpoint.lengths.len() == entry.downloaded().len()
                && entry.downloaded().iter().zip(&checkpoint.lengths).all(|(file, length)| {
                    let path = partial_path(models_dir, entry, &file.name);
                    fs::metadata(path).map_or(0, |metadata| metadata.len()) >= *length
                })
        };
        let checkpoint = found.filter(fits).unwrap_or_else(|| Self {
            source: fingerprint,
            packages: 0,
            lengths: vec![0; entry.downloaded().len()],
        });
        for (file, length) in entry.downloaded().iter().zip(&checkpoint.lengths) {
            let path = partial_path(models_dir, entry, &file.name);
            if *length == 0 {
                remove_file(&path)?;
                // The hub's note about the same file speaks of bytes that are gone.
                remove_file(&path.with_file_name(format!("{}.partial.json", file.name)))?;
                continue;
            }
            File::options()
                .write(true)
                .open(&path)
                .and_then(|file| file.set_len(*length))
                .map_err(|error| CatalogError::io("Cutting", &path, error))?;
        }
        Ok(checkpoint)
    }

    /// One more package is in the partial files, which are already synced.
    pub(super) fn advance(&mut self, entry: &Entry, models_dir: &Path) -> Result<(), CatalogError> {
        self.packages += 1;
        self.lengths = entry
            .downloaded()
            .iter()
            .map(|file| {
                fs::metadata(partial_path(models_dir, entry, &file.name))
                    .map_or(0, |metadata| metadata.len())
            })
            .collect();
        let path = path(models_dir, entry);
        let text = serde_json::to_vec(self)
            .map_err(|error| CatalogError::io("Writing", &path, std::io::Error::other(error)))?;
        write_atomically(&path, &text)
    }
}
