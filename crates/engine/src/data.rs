//! The data folder as a whole: export, restore, move, erase.

use std::path::Path;

use nearside_types::{Failure, FailureKind};
use nearside_vault::{KeySource, Keychain, Secret, erase, restore};

use crate::engine::Engine;
use crate::error::Error;
use crate::lock::{DataLock, RUN};

impl Engine {
    /// Writes everything to one archive under a passphrase.
    ///
    /// # Errors
    /// When the passphrase is too short or the file cannot be written.
    pub fn export_data(&self, archive: &Path, passphrase: String) -> Result<(), Failure> {
        self.vault.backup(archive, &Secret::new(passphrase))?;
        Ok(())
    }
}

/// Puts an archive in the place of a data folder that nobody holds.
///
/// # Errors
/// When another process holds the folder, the passphrase is wrong or the archive is damaged; the folder is
/// then as it was.
pub fn restore_data(
    archive: &Path,
    passphrase: String,
    data_dir: &Path,
    source: KeySource,
) -> Result<(), Failure> {
    // Only asked: the folder is replaced as a whole, and a lock inside would be replaced with it.
    drop(DataLock::take(data_dir)?);
    restore(archive, &Secret::new(passphrase), data_dir, source)?;
    Ok(())
}

/// Erases a data folder that nobody holds: the key first, so that nothing can be read any more.
///
/// # Errors
/// When another process holds it or a file cannot be removed.
pub fn erase_data(data_dir: &Path, keychain: &dyn Keychain) -> Result<(), Failure> {
    if !data_dir.exists() {
        return Ok(());
    }
    drop(DataLock::take(data_dir)?);
    let run = data_dir.join(RUN);
    if run.is_dir() {
        std::fs::remove_dir_all(&run).map_err(Error::io("Erasing the data folder"))?;
    }
    erase(data_dir, keychain, &[Path::new(crate::settings::FILE)])?;
    Ok(())
}

/// Moves a data folder that nobody holds to a place that does not exist or is empty.
///
/// # Errors
/// When the target is in use or the files cannot be copied; the folder then stays where it was.
pub(crate) fn move_data(from: &Path, to: &Path) -> Result<(), Failure> {
    drop(DataLock::take(from)?);
    let taken = std::fs::read_dir(to).is_ok_and(|mut entries| entries.next().is_some());
    if taken || to.starts_with(from) {
        return Err(Failure::coded(
            FailureKind::Usage,
            "folder_not_empty",
            "Choose an empty folder outside the present one.",
        ));
    }
    if to.exists() {
        std::fs::remove_dir(to).map_err(Error::io("Moving the data folder"))?;
    }
    if let Some(parent) = to.parent() {
        std::fs::create_dir_all(parent).map_err(Error::io("Moving the data folder"))?;
    }
    if std::fs::rename(from, to).is_ok() {
        return Ok(());
    }
    // Another disk: the copy is whole before the original goes.
    if let Err(error) = copy_folder(from, to) {
        let _half = std::fs::remove_dir_all(to);
        return Err(Error::Io { doing: "Moving the data folder", source: error }.into());
    }
    std::fs::remove_dir_all(from).map_err(Error::io("Removing the old data folder"))?;
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir(to)?;
    std::fs::set_permissions(to, std::fs::metadata(from)?.permissions())?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else if kind.is_file() {
            std::fs::copy(entry.path(), &target)?;
            // Windows syncs only what may be written.
            std::fs::File::options().write(true).open(&target)?.sync_all()?;
        }
    }
    Ok(())
}
