//! Files that the user put into the folder of models: `<name>.gguf` of any name, and `<name>.bin` for a
//! speech model of the catalog. They are trusted as the user's own; nothing here reads them.

use std::path::{Path, PathBuf};

use crate::{Catalog, Kind};

/// The user's file for a model, if there is one.
pub(crate) fn find(catalog: &Catalog, models_dir: &Path, name: &str) -> Option<PathBuf> {
    // A name is one part of a path, or it is no name.
    if name.is_empty() || name.contains(['/', '\\', ':']) || name.starts_with('.') {
        return None;
    }
    let extension = match catalog.find(name) {
        Some(entry) if entry.files.len() > 1 => return None,
        Some(entry) => entry.kind.extension(),
        None => Kind::Gguf.extension(),
    };
    let path = models_dir.join(format!("{name}.{extension}"));
    path.is_file().then_some(path)
}

/// Names of GGUF files that the catalog does not know, sorted.
pub(crate) fn unknown(catalog: &Catalog, models_dir: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(models_dir) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "gguf"))
        .filter(|path| path.is_file())
        .filter_map(|path| path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned))
        .filter(|name| !name.starts_with('.') && catalog.find(name).is_none())
        .collect();
    names.sort();
    names
}
