//! Turning verified files into an installed version, so that at every moment a model is either there
//! whole or not there. It does not download or convert.

use std::fs::{self, File};
use std::path::Path;

use nearside_types::Cancel;

use crate::layout::{model_dir, remove_file, remove_folder, sync_folder, version_dir};
use crate::record::modified_ns;
use crate::{CatalogError, Entry, FileSpec, ModelLock, Pointer, Record, RecordFile, sha256_file};

/// Checks the files of `entry` in the folder `staged`, makes them last, and moves them into place as the
/// current version. The version before is kept for a rollback; older ones are removed. `on_bytes` gets
/// the bytes verified so far of all files. The lock proves that nobody else changes this model.
///
/// # Errors
/// `WrongSize` or `WrongHash` (the wrong file is removed, nothing is installed), or a fault of the disk.
pub fn install(
    entry: &Entry,
    models_dir: &Path,
    staged: &Path,
    source: &str,
    _lock: &ModelLock,
    cancel: &Cancel,
    on_bytes: &mut dyn FnMut(u64),
) -> Result<(), CatalogError> {
    let mut files = Vec::new();
    let mut before = 0;
    for spec in &entry.files {
        let path = staged.join(&spec.name);
        check_file(&path, spec, cancel, &mut |bytes| on_bytes(before + bytes))?;
        before += spec.size;
        let synced = File::options().write(true).open(&path).and_then(|file| {
            file.sync_all()?;
            file.metadata()
        });
        let metadata = synced.map_err(|error| CatalogError::io("Writing", &path, error))?;
        files.push(RecordFile {
            name: spec.name.clone(),
            size: spec.size,
            sha256: spec.sha256.clone(),
            modified_ns: modified_ns(&metadata),
        });
    }
    let record = Record { version: entry.version.clone(), source: source.to_owned(), files };
    record.write(staged)?;
    move_into_place(entry, models_dir, staged)?;
    let old = Pointer::read(models_dir, &entry.name);
    let previous =
        old.and_then(
            |old| {
                if old.current == entry.version { old.previous } else { Some(old.current) }
            },
        );
    let pointer = Pointer { current: entry.version.clone(), previous };
    pointer.write(models_dir, &entry.name)?;
    prune(models_dir, &entry.name, &pointer);
    Ok(())
}

/// Size first, since it costs nothing, then the hash. A wrong file is removed.
pub(crate) fn check_file(
    path: &Path,
    spec: &FileSpec,
    cancel: &Cancel,
    on_bytes: &mut dyn FnMut(u64),
) -> Result<(), CatalogError> {
    let found = fs::metadata(path).map_err(|error| CatalogError::io("Reading", path, error))?.len();
    if found != spec.size {
        remove_file(path)?;
        return Err(CatalogError::WrongSize {
            file: spec.name.clone(),
            expected: spec.size,
            found,
        });
    }
    let (sha256, _) = sha256_file(path, cancel, on_bytes)?;
    if sha256 != spec.sha256 {
        remove_file(path)?;
        let begin = |hash: &str| hash.chars().take(12).collect();
        return Err(CatalogError::WrongHash {
            file: spec.name.clone(),
            expected: begin(&spec.sha256),
            found: begin(&sha256),
        });
    }
    Ok(())
}

fn move_into_place(entry: &Entry, models_dir: &Path, staged: &Path) -> Result<(), CatalogError> {
    let target = version_dir(models_dir, &entry.name, &entry.version);
    let failed = |error| CatalogError::io("Installing", &target, error);
    if target.is_dir() {
        // The same version again, because it was broken: each file is replaced in one step, the record
        // last, so that what the record says is true at every moment.
        let names = entry.files.iter().map(|file| file.name.as_str()).chain(["installed.json"]);
        for name in names {
            fs::rename(staged.join(name), target.join(name)).map_err(failed)?;
        }
        remove_folder(staged)?;
        sync_folder(Some(&target));
    } else {
        sync_folder(Some(staged));
        fs::rename(staged, &target).map_err(failed)?;
    }
    sync_folder(target.parent());
    Ok(())
}

/// Removes versions that neither `current` nor `previous` names. What cannot be removed now (open on
/// Windows) goes with the next install.
fn prune(models_dir: &Path, name: &str, pointer: &Pointer) {
    let Ok(entries) = fs::read_dir(model_dir(models_dir, name)) else { return };
    for folder in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
        let version = folder.file_name().unwrap_or_default().to_string_lossy();
        let kept = version == pointer.current || pointer.previous.as_deref() == Some(&*version);
        if !kept && Record::read(&folder).is_some() {
            let _in_use = remove_folder(&folder);
        }
    }
}
