//! Reading an installed model through and comparing every byte with what it should be.

use std::path::Path;

use nearside_types::Cancel;

use crate::layout::version_dir;
use crate::record::modified_ns;
use crate::{Catalog, CatalogError, Pointer, Record, sha256_file, sideload};

/// What `verify` found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub version: String,
    /// Of the main file, as it is on disk now.
    pub sha256: String,
    pub bytes: u64,
    /// None when every file is right; else one sentence. A file that the user put there under a name
    /// that the catalog does not know cannot be wrong.
    pub problem: Option<String>,
}

/// Hashes every file of the current version (or of the user's own file). `on_bytes` gets bytes done and
/// in all.
///
/// # Errors
/// `Unknown`, `NotInstalled`, `Cancelled`, or a fault of the disk. A wrong file is not an error: it is
/// the verdict, and [`crate::states`] then says `broken`.
pub fn verify(
    catalog: &Catalog,
    models_dir: &Path,
    name: &str,
    cancel: &Cancel,
    on_bytes: &mut dyn FnMut(u64, u64),
) -> Result<Verdict, CatalogError> {
    if let Some(pointer) = Pointer::read(models_dir, name) {
        let folder = version_dir(models_dir, name, &pointer.current);
        if let Some(record) = Record::read(&folder) {
            return verify_record(&folder, record, cancel, on_bytes);
        }
    }
    let Some(path) = sideload::find(catalog, models_dir, name) else {
        catalog.get(name)?;
        return Err(CatalogError::NotInstalled(name.to_owned()));
    };
    let total =
        std::fs::metadata(&path).map_err(|error| CatalogError::io("Reading", &path, error))?.len();
    let (sha256, bytes) = sha256_file(&path, cancel, &mut |done| on_bytes(done, total))?;
    let differs = catalog
        .find(name)
        .and_then(|entry| entry.main_file())
        .is_some_and(|file| file.sha256 != sha256);
    let problem = differs.then(|| {
        format!("The file you put there for {name} is not the one that the catalog names.")
    });
    Ok(Verdict { version: "sideloaded".to_owned(), sha256, bytes, problem })
}

fn verify_record(
    folder: &Path,
    mut record: Record,
    cancel: &Cancel,
    on_bytes: &mut dyn FnMut(u64, u64),
) -> Result<Verdict, CatalogError> {
    let total = record.size();
    let mut before = 0;
    let mut main = String::new();
    let mut problem = None;
    for file in &mut record.files {
        let path = folder.join(&file.name);
        if !path.is_file() {
            problem.get_or_insert_with(|| format!("{} is missing.", file.name));
            continue;
        }
        let (sha256, bytes) =
            sha256_file(&path, cancel, &mut |done| on_bytes(before + done, total))?;
        before += file.size;
        let right = sha256 == file.sha256 && bytes == file.size;
        // A wrong file gets a time that no file has, so that a quick list looks at it again.
        file.modified_ns = match std::fs::metadata(&path) {
            Ok(metadata) if right => modified_ns(&metadata),
            _ => 0,
        };
        if !right {
            problem.get_or_insert_with(|| {
                format!("{} was changed since it was installed: fetch it again.", file.name)
            });
        }
        if main.is_empty() {
            main = sha256;
        }
    }
    // Only a cache: where the folder cannot be written to, the next list hashes again.
    let _read_only = record.write(folder);
    Ok(Verdict { version: record.version, sha256: main, bytes: total, problem })
}
