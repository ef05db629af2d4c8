//! The lock on a data folder: one process holds it. The operating system frees it when the process dies.

use std::fs::{File, TryLockError};
use std::path::Path;

use nearside_types::{Failure, FailureKind};

use crate::error::Error;

/// The folder for what lives as long as a process: the lock, the socket's address and token.
pub(crate) const RUN: &str = "run";

/// Held as long as the value lives.
pub(crate) struct DataLock {
    _file: File,
}

/// The failure's code when another process holds the folder.
pub const HELD: &str = "data_folder_held";

impl DataLock {
    /// # Errors
    /// `Refused` with code `data_folder_held` when another process has it.
    pub(crate) fn take(data_dir: &Path) -> Result<Self, Failure> {
        let folder = data_dir.join(RUN);
        make_private(&folder)?;
        let path = folder.join("lock");
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(Error::io("Opening the data folder"))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Failure::coded(
                FailureKind::Refused,
                HELD,
                "Nearside is running with this data folder and does not answer; close it, or choose \
                 another folder with --data-dir.",
            )),
            Err(TryLockError::Error(error)) => {
                Err(Error::Io { doing: "Locking the data folder", source: error }.into())
            }
        }
    }
}

/// Makes a folder that only its owner can enter.
pub(crate) fn make_private(folder: &Path) -> Result<(), Error> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(Error::io("Making the data folder"))
}
