//! From finished downloads to an installed model: verify, convert where needed, install. Hub and
//! packages both end here. What a kill interrupts is taken up again by the next call.

use std::fs;
use std::path::{Path, PathBuf};

use nearside_types::{Cancel, DownloadEvent};

use crate::entry::HubSource;
use crate::install::{check_file, install};
use crate::layout::{model_dir, partial_path, remove_file, remove_folder, staging_dir};
use crate::{CatalogError, Entry, FileSpec, ModelLock, convert};

/// One file that a hub source asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// `owner/repository`.
    pub repository: String,
    pub revision: String,
    /// The path in the repository.
    pub file: String,
    pub size: u64,
    pub sha256: String,
    /// Where it grows; complete here means downloaded.
    pub partial: PathBuf,
}

/// The files that `source` asks for, in order.
#[must_use]
pub fn downloads(entry: &Entry, source: &HubSource, models_dir: &Path) -> Vec<Download> {
    let make = |pick: &crate::Pick| {
        let spec = entry.downloaded().iter().find(|file| file.name == pick.to)?;
        Some(Download {
            repository: source.hub.clone(),
            revision: source.revision.clone(),
            file: pick.from.clone(),
            size: spec.size,
            sha256: spec.sha256.clone(),
            partial: partial_path(models_dir, entry, &spec.name),
        })
    };
    source.files.iter().filter_map(make).collect()
}

/// Verifies the complete partial files of `entry`, converts them where the entry says so, and installs
/// the result. Emits `Verifying` and `Converting`; the caller says `Done`.
///
/// # Errors
/// `WrongSize` and `WrongHash` after removing the wrong file; `Format` when a conversion refuses;
/// `DiskFull` after removing what was half written.
pub fn finish(
    entry: &Entry,
    models_dir: &Path,
    source: &str,
    lock: &ModelLock,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(DownloadEvent),
) -> Result<(), CatalogError> {
    recover(entry, models_dir)?;
    let staging = staging_dir(models_dir, &entry.name);
    fs::create_dir_all(&staging).map_err(|error| CatalogError::io("Making", &staging, error))?;
    let done = stage(entry, models_dir, &staging, cancel, on_event).and_then(|()| {
        on_event(DownloadEvent::Verifying { name: entry.name.clone() });
        install(entry, models_dir, &staging, source, lock, cancel, &mut |_| {})
    });
    if let Err(error) = done {
        if matches!(error, CatalogError::DiskFull { .. }) {
            discard(entry, models_dir)?;
        } else {
            recover(entry, models_dir)?;
        }
        return Err(error);
    }
    discard(entry, models_dir)
}

/// Fills the staging folder with the entry's files.
fn stage(
    entry: &Entry,
    models_dir: &Path,
    staging: &Path,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(DownloadEvent),
) -> Result<(), CatalogError> {
    let Some(conversion) = entry.convert else {
        for file in &entry.files {
            let partial = partial_path(models_dir, entry, &file.name);
            fs::rename(&partial, staging.join(&file.name))
                .map_err(|error| CatalogError::io("Moving", &partial, error))?;
        }
        return Ok(());
    };
    on_event(DownloadEvent::Verifying { name: entry.name.clone() });
    let mut inputs = Vec::new();
    for file in &entry.inputs {
        let path = partial_path(models_dir, entry, &file.name);
        check_file(&path, file, cancel, &mut |_| {})?;
        inputs.push((file.name.clone(), path));
    }
    on_event(DownloadEvent::Converting { name: entry.name.clone() });
    convert::run(conversion, &inputs, &names(&entry.files), staging, cancel)
}

fn names(files: &[FileSpec]) -> Vec<&str> {
    files.iter().map(|file| file.name.as_str()).collect()
}

/// Undoes a staging that did not end: downloaded files go back to being partial ones, the rest goes.
pub(crate) fn recover(entry: &Entry, models_dir: &Path) -> Result<(), CatalogError> {
    let staging = staging_dir(models_dir, &entry.name);
    if entry.convert.is_none() {
        for file in &entry.files {
            let staged = staging.join(&file.name);
            let partial = partial_path(models_dir, entry, &file.name);
            if staged.is_file() && !partial.exists() {
                fs::rename(&staged, &partial)
                    .map_err(|error| CatalogError::io("Moving", &staged, error))?;
            }
        }
    }
    remove_folder(&staging)
}

/// Removes everything of a download that is not an installed version.
pub(crate) fn discard(entry: &Entry, models_dir: &Path) -> Result<(), CatalogError> {
    let Ok(entries) = fs::read_dir(model_dir(models_dir, &entry.name)) else { return Ok(()) };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".partial") || name.ends_with(".partial.json") {
            if path.is_dir() { remove_folder(&path)? } else { remove_file(&path)? }
        }
    }
    Ok(())
}
