//! Which files lie below a path, each once, however links run in circles. It opens no file, and a link that
//! leads out of the folder is not followed: somebody who adds a folder means what lies in it, and what was
//! added with it must go with it.

use nearside_types::Cancel;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Folders that hold no documents of a person.
const SKIPPED: [&str; 8] =
    [".git", ".hg", ".svn", "node_modules", ".cache", "__pycache__", ".Trash", "$RECYCLE.BIN"];
/// Folders within folders; deeper ones are not looked into.
const MAX_DEPTH: usize = 64;

/// Files in the order of their paths, and folders that could not be opened.
#[derive(Default)]
pub(super) struct Walk {
    pub files: Vec<PathBuf>,
    /// Links to somewhere else.
    pub outside: Vec<PathBuf>,
    pub unreadable: u32,
}

/// Lists the file at `path`, or the files of that folder, with all folders below when `recursive`.
pub(super) fn list(path: &Path, recursive: bool, cancel: &Cancel) -> std::io::Result<Walk> {
    let mut walk = Walk::default();
    if !std::fs::metadata(path)?.is_dir() {
        walk.files.push(path.to_owned());
        return Ok(walk);
    }
    let root = path.canonicalize()?;
    // A linked folder is entered once, under whichever name comes first.
    let mut seen = HashSet::new();
    let mut waiting = vec![(path.to_owned(), 0_usize)];
    while let Some((folder, depth)) = waiting.pop() {
        if cancel.is_cancelled() {
            break;
        }
        if !folder.canonicalize().is_ok_and(|real| seen.insert(real)) {
            continue;
        }
        let Ok(entries) = std::fs::read_dir(&folder) else {
            walk.unreadable += 1;
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            // Through links: a link to a document is that document.
            let Ok(found) = std::fs::metadata(&path) else { continue };
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if is_link && !path.canonicalize().is_ok_and(|real| real.starts_with(&root)) {
                walk.outside.push(path);
                continue;
            }
            let name = entry.file_name();
            if found.is_dir() {
                let skipped = SKIPPED.iter().any(|skipped| name == *skipped);
                if recursive && !skipped && depth < MAX_DEPTH {
                    waiting.push((path, depth + 1));
                }
            } else if found.is_file() {
                walk.files.push(path);
            }
        }
    }
    let mut real = HashSet::new();
    walk.files.sort();
    walk.outside.sort();
    walk.files.retain(|file| file.canonicalize().map_or(true, |path| real.insert(path)));
    Ok(walk)
}

/// The path as the database keeps it: absolute, links resolved where the file is there, `/` between names.
#[must_use]
pub(super) fn stored_path(path: &Path) -> String {
    let full = path
        .canonicalize()
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned());
    let text = full.to_string_lossy();
    let text = text.strip_prefix(r"\\?\").unwrap_or(&text);
    if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() }
}
