//! Reading members of a wheel, which is a zip, in bounded memory and to a bounded length. Names in the
//! archive are only compared, never used as paths, so that no member can choose where it is written.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use nearside_types::Cancel;
use zip::ZipArchive;

use crate::CatalogError;

/// A wheel with more members than this is refused before its names are read.
const MAX_MEMBERS: usize = 100_000;
const BLOCK: usize = 1 << 18;

/// Why nothing, or not all, was extracted.
#[derive(Debug, thiserror::Error)]
pub enum WheelError {
    #[error("{0}")]
    Wrong(String),
    #[error("{0}")]
    Write(io::Error),
    #[error("stopped")]
    Cancelled,
}

impl WheelError {
    pub(super) fn in_package(self, package: &str, path: &Path) -> CatalogError {
        match self {
            Self::Wrong(reason) => CatalogError::Package { package: package.to_owned(), reason },
            Self::Write(error) => CatalogError::io("Writing", path, error),
            Self::Cancelled => CatalogError::Cancelled,
        }
    }
}

/// Appends the members whose names match `pattern` to `out`, in natural order of their names (part2
/// before part10), and returns their bytes. `room` is the most that may come: a lying size or a zip bomb
/// ends there. A wheel in which nothing matches gives 0.
///
/// # Errors
/// `Wrong` when it is no readable zip, a checksum fails or `room` is exceeded; `Write` from `out`.
pub fn extract(
    wheel: &Path,
    pattern: &str,
    room: u64,
    out: &mut dyn Write,
    cancel: &Cancel,
) -> Result<u64, WheelError> {
    let file = File::open(wheel).map_err(|error| WheelError::Wrong(error.to_string()))?;
    extract_from(io::BufReader::new(file), pattern, room, out, cancel)
}

/// As [`extract`], from an open wheel.
///
/// # Errors
/// As [`extract`].
pub fn extract_from(
    wheel: impl Read + Seek,
    pattern: &str,
    room: u64,
    out: &mut dyn Write,
    cancel: &Cancel,
) -> Result<u64, WheelError> {
    let wrong = |reason: &dyn std::fmt::Display| WheelError::Wrong(reason.to_string());
    let mut archive = ZipArchive::new(wheel).map_err(|error| wrong(&error))?;
    if archive.len() > MAX_MEMBERS {
        return Err(wrong(&format!("it has {} members", archive.len())));
    }
    let mut names: Vec<String> = archive
        .file_names()
        .filter_map(Result::ok)
        .filter(|name| !name.ends_with('/') && matches(pattern, name))
        .map(|name| name.into_owned())
        .collect();
    names.sort_by_key(|name| natural(name));
    let mut written = 0;
    let mut block = vec![0; BLOCK];
    for name in names {
        let mut member = archive.by_name(&name).map_err(|error| wrong(&error))?;
        loop {
            if cancel.is_cancelled() {
                return Err(WheelError::Cancelled);
            }
            // The checksum of the member is compared at its end, and fails the last read.
            let count = member.read(&mut block).map_err(|error| wrong(&error))?;
            if count == 0 {
                break;
            }
            written += count as u64;
            if written > room {
                return Err(wrong(&format!("{name} is longer than the catalog says")));
            }
            out.write_all(block.get(..count).unwrap_or_default()).map_err(WheelError::Write)?;
        }
    }
    Ok(written)
}

/// Whether `name` fits `pattern`, in which `*` stands for any letters, slashes too.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        // The earliest place leaves the most for the parts that follow.
        let Some(place) = rest.find(part) else { return false };
        rest = rest.get(place + part.len()..).unwrap_or_default();
    }
    true
}

/// Letters and the number after them, in turn, so that letters decide first and numbers as numbers.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts: Vec<(String, u64)> = Vec::new();
    let mut digits = String::new();
    let mut letters = String::new();
    for letter in name.chars().chain(['\0']) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        if !digits.is_empty() {
            let number = digits.parse().unwrap_or(u64::MAX);
            parts.push((std::mem::take(&mut letters), number));
            digits.clear();
        }
        letters.push(letter);
    }
    parts.push((letters, 0));
    parts
}
