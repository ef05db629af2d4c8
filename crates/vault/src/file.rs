//! Files that are whole or absent: written beside their place, synced, renamed.
//!
//! Readers are bounded: a file of ours that grew beyond its limit is damage, not data.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use crate::VaultError;

/// Writes `bytes` to `path` so that a crash leaves the old file or the new one, never a mixture. The
/// file is readable by its owner only.
///
/// # Errors
/// When the folder cannot be written or the disk is full; the old file is then untouched.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), VaultError> {
    place(path, bytes)?
        .persist(path)
        .map_err(|error| VaultError::io("Replacing a file", error.error))?;
    sync_folder(path);
    Ok(())
}

/// Like `write_atomic`, but leaves a file that is already there and answers false.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<bool, VaultError> {
    let written = match place(path, bytes)?.persist_noclobber(path) {
        Ok(_) => true,
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => false,
        Err(error) => return Err(VaultError::io("Writing a file", error.error)),
    };
    sync_folder(path);
    Ok(written)
}

fn place(path: &Path, bytes: &[u8]) -> Result<tempfile::NamedTempFile, VaultError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The same folder, so that the rename stays on one file system; tempfile makes it 0600.
    let mut temporary = tempfile::Builder::new()
        .prefix(".nearside-")
        .suffix(".part")
        .tempfile_in(folder)
        .map_err(|error| VaultError::io("Writing a file", error))?;
    temporary.write_all(bytes).map_err(|error| VaultError::io("Writing a file", error))?;
    temporary.as_file().sync_all().map_err(|error| VaultError::io("Writing a file", error))?;
    Ok(temporary)
}

/// Makes the rename itself durable. Windows has no such call and needs none.
pub(crate) fn sync_folder(path: &Path) {
    #[cfg(unix)]
    if let Some(folder) = path.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _unsynced_is_not_lost = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// The file's bytes, or none where there is no file.
pub(crate) fn read_bounded(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, VaultError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(VaultError::io("Reading a file", error)),
    };
    let mut bytes = Vec::new();
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| VaultError::io("Reading a file", error))?;
    if bytes.len() as u64 > limit {
        return Err(VaultError::Damaged(name_of(path)));
    }
    Ok(Some(bytes))
}

/// The last part of the path, for messages: a folder's name could be private, ours is not.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Makes the folder, for its owner only where the system knows owners.
pub(crate) fn make_private_folder(path: &Path) -> Result<(), VaultError> {
    let existed = path.is_dir();
    fs::create_dir_all(path).map_err(|error| VaultError::io("Making the data folder", error))?;
    #[cfg(unix)]
    if !existed {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))
            .map_err(|error| VaultError::io("Making the data folder private", error))?;
    }
    #[cfg(not(unix))]
    let _ = existed;
    Ok(())
}

/// Removes a file that may be gone already.
pub(crate) fn remove_if_there(path: &Path) -> Result<(), VaultError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(VaultError::io("Removing a file", error))
        }
        _ => Ok(()),
    }
}
