//! The list of models with their states, and the lookups by which other rooms find a model's file.

use std::fs;
use std::path::{Path, PathBuf};

use nearside_types::{Cancel, Fit, ModelInfo, ModelPurpose, ModelState};

use crate::layout::{bytes_under, is_locked, partial_path, version_dir};
use crate::record::modified_ns;
use crate::{Catalog, CatalogError, Entry, Pointer, Record, sha256_file, sideload};

const SIDELOADED: &str = "sideloaded";
const MIB: u64 = 1 << 20;

/// Every model of the catalog in its order, then the GGUF files that the user put there. Quick: a file
/// is hashed only if its size is right and its time is not the recorded one, and then only once.
/// `memory` is the machine's, in bytes, where known.
#[must_use]
pub fn states(catalog: &Catalog, models_dir: &Path, memory: Option<u64>) -> Vec<ModelInfo> {
    let known =
        catalog.models().iter().map(|entry| entry_state(catalog, entry, models_dir, memory));
    let others = sideload::unknown(catalog, models_dir).into_iter().filter_map(|name| {
        let path = sideload::find(catalog, models_dir, &name)?;
        let size = fs::metadata(&path).ok()?.len();
        Some(ModelInfo {
            title: name.clone(),
            name,
            purpose: ModelPurpose::Chat,
            version: SIDELOADED.to_owned(),
            previous: None,
            size,
            sha256: String::new(),
            licence: String::new(),
            state: ModelState::Installed,
            source: SIDELOADED.to_owned(),
            done: size,
            languages: Vec::new(),
            // Weights, their keys and values and the program, on a machine that also does other things.
            fit: fit_of(memory, size + size / 3 + 1024 * MIB, 2 * size + 2048 * MIB),
            recommended: false,
            path: Some(path.display().to_string()),
        })
    });
    known.chain(others).collect()
}

/// Whether a machine with so much memory (bytes; none where unknown) can run the model.
#[must_use]
pub fn fit(entry: &Entry, memory: Option<u64>) -> Fit {
    fit_of(memory, entry.memory_min_mb * MIB, entry.memory_mb * MIB)
}

fn fit_of(memory: Option<u64>, least: u64, well: u64) -> Fit {
    match memory {
        Some(memory) if memory < least => Fit::TooBig,
        Some(memory) if memory < well => Fit::Tight,
        _ => Fit::Good,
    }
}

fn entry_state(
    catalog: &Catalog,
    entry: &Entry,
    models_dir: &Path,
    memory: Option<u64>,
) -> ModelInfo {
    let main = entry.main_file();
    let fit = fit(entry, memory);
    let mut info = ModelInfo {
        name: entry.name.clone(),
        title: entry.title.clone(),
        purpose: entry.purpose,
        version: entry.version.clone(),
        previous: None,
        size: entry.size(),
        sha256: main.map(|file| file.sha256.clone()).unwrap_or_default(),
        licence: entry.licence.clone(),
        state: ModelState::Available,
        source: entry.sources.first().map(|source| source.label()).unwrap_or_default(),
        done: 0,
        languages: entry.languages.clone(),
        fit,
        recommended: entry.default && fit != Fit::TooBig,
        path: None,
    };
    let busy = is_locked(models_dir, &entry.name);
    if let Some((folder, record, pointer)) = installed(models_dir, &entry.name) {
        info.size = record.size();
        info.done = info.size;
        info.previous = pointer.previous;
        let intact = is_intact(&folder, &record);
        info.state = if intact { ModelState::Installed } else { ModelState::Broken };
        if let Some(file) = record.files.first() {
            info.sha256.clone_from(&file.sha256);
            info.path = intact.then(|| folder.join(&file.name).display().to_string());
        }
        info.version = record.version;
        info.source = record.source;
    } else if let Some(path) = sideload::find(catalog, models_dir, &entry.name) {
        info.size = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        info.done = info.size;
        info.version = SIDELOADED.to_owned();
        info.source = SIDELOADED.to_owned();
        // Its hash was not computed, so none is claimed; `verify` computes it.
        info.sha256 = String::new();
        info.state = ModelState::Installed;
        info.path = Some(path.display().to_string());
    } else {
        info.done = entry
            .downloaded()
            .iter()
            .map(|file| bytes_under(&partial_path(models_dir, entry, &file.name)))
            .sum();
        if busy {
            info.state = ModelState::Downloading;
        } else if info.done > 0 {
            info.state = ModelState::Partial;
        }
    }
    if busy && info.state == ModelState::Broken {
        info.state = ModelState::Downloading;
    }
    info
}

fn installed(models_dir: &Path, name: &str) -> Option<(PathBuf, Record, Pointer)> {
    let pointer = Pointer::read(models_dir, name)?;
    let folder = version_dir(models_dir, name, &pointer.current);
    let record = Record::read(&folder)?;
    Some((folder, record, pointer))
}

/// Whether all files are what the record says. Times that differ (a copied folder) cost one hashing.
fn is_intact(folder: &Path, record: &Record) -> bool {
    let mut seen = record.clone();
    for file in &mut seen.files {
        let path = folder.join(&file.name);
        let Ok(metadata) = fs::metadata(&path) else { return false };
        if file.matches(&metadata) {
            continue;
        }
        let right = metadata.len() == file.size
            && sha256_file(&path, &Cancel::new(), &mut |_| {})
                .is_ok_and(|(sha256, _)| sha256 == file.sha256);
        if !right {
            return false;
        }
        file.modified_ns = modified_ns(&metadata);
    }
    if seen != *record {
        // Only a cache: where the folder cannot be written to, the next list hashes again.
        let _read_only = seen.write(folder);
    }
    true
}

/// The folder of an installed version: where a model of several files (`model.safetensors`,
/// `tokenizer.json`, `config.json`) lies.
///
/// # Errors
/// As [`path_of`].
pub fn folder_of(
    catalog: &Catalog,
    models_dir: &Path,
    name: &str,
) -> Result<PathBuf, CatalogError> {
    let path = path_of(catalog, models_dir, name)?;
    path.parent().map(Path::to_owned).ok_or_else(|| CatalogError::NotInstalled(name.to_owned()))
}

/// The main file of an installed model, or the file that the user put there. Sizes are checked, hashes
/// only by [`states`] and [`crate::verify`].
///
/// # Errors
/// `Unknown` when nothing has that name; `NotInstalled` with the command that fetches it.
pub fn path_of(catalog: &Catalog, models_dir: &Path, name: &str) -> Result<PathBuf, CatalogError> {
    if catalog.find(name).is_some()
        && let Some((folder, record, _)) = installed(models_dir, name)
    {
        let whole = record.files.iter().all(|file| {
            fs::metadata(folder.join(&file.name)).is_ok_and(|found| found.len() == file.size)
        });
        if let (true, Some(main)) = (whole, record.files.first()) {
            return Ok(folder.join(&main.name));
        }
    }
    if let Some(path) = sideload::find(catalog, models_dir, name) {
        return Ok(path);
    }
    catalog.get(name)?;
    Err(CatalogError::NotInstalled(name.to_owned()))
}
