//! Going back to the version before, and removing a model.

use std::fs;
use std::path::Path;

use crate::layout::{bytes_under, lock, model_dir, remove_file, remove_folder, version_dir};
use crate::{Catalog, CatalogError, Pointer, Record, sideload};

/// Makes the previous version the current one and the other way round, so that a second rollback undoes
/// the first. Returns the version now in use.
///
/// # Errors
/// `NoPrevious` when there is none on disk; `Busy` while the model is being fetched.
pub fn rollback(models_dir: &Path, name: &str) -> Result<String, CatalogError> {
    let none = || CatalogError::NoPrevious(name.to_owned());
    let pointer = Pointer::read(models_dir, name).ok_or_else(none)?;
    let _lock = lock(models_dir, name)?;
    let previous = pointer.previous.ok_or_else(none)?;
    Record::read(&version_dir(models_dir, name, &previous)).ok_or_else(none)?;
    let turned = Pointer { current: previous, previous: Some(pointer.current) };
    turned.write(models_dir, name)?;
    Ok(turned.current)
}

/// Removes a model with its versions and partial downloads, and a file that the user put there. Returns
/// the bytes freed.
///
/// # Errors
/// `NotInstalled` when nothing of it is here, `Unknown` for a name that is no model, `Busy` while it is
/// being fetched, or a fault of the disk.
pub fn remove(catalog: &Catalog, models_dir: &Path, name: &str) -> Result<u64, CatalogError> {
    let entry = catalog.find(name);
    let mut freed = 0;
    let folder = model_dir(models_dir, name);
    if entry.is_some() && folder.is_dir() {
        let held = lock(models_dir, name)?;
        freed += bytes_under(&folder);
        // First the pointer: whatever happens then, no half of a model is called installed.
        remove_file(&folder.join("current"))?;
        let entries =
            fs::read_dir(&folder).map_err(|error| CatalogError::io("Reading", &folder, error))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.file_name() == Some("lock".as_ref()) {
                continue;
            }
            if path.is_dir() { remove_folder(&path)? } else { remove_file(&path)? }
        }
        drop(held);
        remove_folder(&folder)?;
    }
    let sideloaded = sideload::find(catalog, models_dir, name);
    if let Some(path) = &sideloaded {
        freed += bytes_under(path);
        remove_file(path)?;
    }
    match (freed, entry) {
        (0, Some(_)) => Err(CatalogError::NotInstalled(name.to_owned())),
        (0, None) if sideloaded.is_none() => Err(CatalogError::Unknown(name.to_owned())),
        _ => Ok(freed),
    }
}
