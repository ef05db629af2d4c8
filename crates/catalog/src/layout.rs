//! Where models lie on disk, and the lock by which two Nearsides do not fetch the same one at once.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{CatalogError, Entry};

/// The folder of models: `NEARSIDE_MODELS_DIR`, else `nearside/models` in the user's cache folder. The
/// environment is a parameter, so that tests need not change their own.
///
/// # Errors
/// `NoFolder` when nothing says where the user's folders are.
pub fn models_dir(environment: &dyn Fn(&str) -> Option<OsString>) -> Result<PathBuf, CatalogError> {
    let folder =
        |name: &str| environment(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(chosen) = folder("NEARSIDE_MODELS_DIR") {
        return Ok(chosen);
    }
    let cache = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Caches"))
    } else {
        folder("XDG_CACHE_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| folder("HOME").map(|home| home.join(".cache")))
    };
    cache.map(|cache| cache.join("nearside").join("models")).ok_or(CatalogError::NoFolder)
}

pub(crate) fn model_dir(models_dir: &Path, name: &str) -> PathBuf {
    models_dir.join(name)
}

pub(crate) fn version_dir(models_dir: &Path, name: &str, version: &str) -> PathBuf {
    models_dir.join(name).join(version)
}

/// Where the download of `file` grows. The hub's client keeps `<this>.json` beside it.
#[must_use]
pub fn partial_path(models_dir: &Path, entry: &Entry, file: &str) -> PathBuf {
    model_dir(models_dir, &entry.name).join(format!("{file}.partial"))
}

/// Files about to become a version; complete, but not yet named.
pub(crate) fn staging_dir(models_dir: &Path, name: &str) -> PathBuf {
    model_dir(models_dir, name).join("staging.partial")
}

/// Held while a model is fetched, installed or removed. The system releases it when the process ends,
/// however it ends.
#[derive(Debug)]
pub struct ModelLock {
    file: File,
}

impl Drop for ModelLock {
    fn drop(&mut self) {
        // Closing would do, were it not for a child process just being started, which has the file open
        // too until it runs its own program.
        let _closing_remains = self.file.unlock();
    }
}

/// A list of models looks at the lock for an instant; so often and so long is that waited for.
const LOOKS: u32 = 20;
const LOOK: Duration = Duration::from_millis(5);

/// Takes the lock of a model.
///
/// # Errors
/// `Busy` when another process or job holds it.
pub fn lock(models_dir: &Path, name: &str) -> Result<ModelLock, CatalogError> {
    let folder = model_dir(models_dir, name);
    fs::create_dir_all(&folder).map_err(|error| CatalogError::io("Making", &folder, error))?;
    let path = folder.join("lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|error| CatalogError::io("Opening", &path, error))?;
    for _ in 0..LOOKS {
        match file.try_lock() {
            Ok(()) => return Ok(ModelLock { file }),
            Err(fs::TryLockError::WouldBlock) => std::thread::sleep(LOOK),
            Err(fs::TryLockError::Error(error)) => {
                return Err(CatalogError::io("Locking", &path, error));
            }
        }
    }
    Err(CatalogError::Busy(name.to_owned()))
}

/// Whether somebody holds the lock now; never waits, makes no file.
pub(crate) fn is_locked(models_dir: &Path, name: &str) -> bool {
    let path = model_dir(models_dir, name).join("lock");
    let Ok(file) = File::options().write(true).open(path) else { return false };
    match file.try_lock_shared() {
        Ok(()) => {
            drop(ModelLock { file });
            false
        }
        Err(fs::TryLockError::WouldBlock) => true,
        Err(fs::TryLockError::Error(_)) => false,
    }
}

/// Writes a small file so that a reader sees the old one or the new one, also after a power cut.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), CatalogError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let fresh = path.with_file_name(name);
    let written = File::create(&fresh)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&fresh, path));
    if let Err(error) = written {
        remove_file(&fresh)?;
        return Err(CatalogError::io("Writing", path, error));
    }
    sync_folder(path.parent());
    Ok(())
}

/// Makes renames in a folder last. Where a system cannot, the rename itself is still atomic.
pub(crate) fn sync_folder(folder: Option<&Path>) {
    if cfg!(unix)
        && let Some(folder) = folder
        && let Ok(folder) = File::open(folder)
    {
        // Some file systems refuse to sync a folder; there is nothing better to do then.
        let _refused = folder.sync_all();
    }
}

/// Removes a file that may not be there.
pub(crate) fn remove_file(path: &Path) -> Result<(), CatalogError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(CatalogError::io("Removing", path, error))
        }
        _ => Ok(()),
    }
}

/// Removes a folder that may not be there.
pub(crate) fn remove_folder(path: &Path) -> Result<(), CatalogError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(CatalogError::io("Removing", path, error))
        }
        _ => Ok(()),
    }
}

/// Bytes of a file, or of all files in a folder; 0 where there is none.
pub(crate) fn bytes_under(path: &Path) -> u64 {
    let Ok(metadata) = fs::symlink_metadata(path) else { return 0 };
    if !metadata.is_dir() {
        return metadata.len();
    }
    let Ok(entries) = fs::read_dir(path) else { return 0 };
    entries.flatten().map(|entry| bytes_under(&entry.path())).sum()
}
