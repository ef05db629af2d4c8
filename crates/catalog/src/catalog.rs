//! The catalog: parsing and checking `models/catalog.toml`, so that no later step has to doubt a name,
//! a hash or a path in it. It reads no folder of models.

use std::collections::HashSet;
use std::path::Path;

use nearside_types::ModelPurpose;
use serde::Deserialize;

use crate::CatalogError;
use crate::entry::{Entry, FileSpec, Source};

const EMBEDDED: &str = include_str!("../../../models/catalog.toml");
/// A catalog is written by hand; anything longer is not one.
const MAX_BYTES: u64 = 4 << 20;

/// Every model that can be listed and fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    models: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: u32,
    #[serde(rename = "model")]
    models: Vec<Entry>,
}

impl Catalog {
    /// The catalog that this build carries.
    ///
    /// # Errors
    /// When it is not valid, which a test rules out.
    pub fn embedded() -> Result<Self, CatalogError> {
        Self::parse(EMBEDDED)
    }

    /// The catalog in `file`, or the embedded one.
    ///
    /// # Errors
    /// When the file cannot be read or is not valid.
    pub fn load(file: Option<&Path>) -> Result<Self, CatalogError> {
        let Some(file) = file else { return Self::embedded() };
        let size = std::fs::metadata(file)
            .map_err(|error| CatalogError::io("Reading the catalog", file, error))?
            .len();
        if size > MAX_BYTES {
            return Err(CatalogError::Catalog(format!("it has {size} bytes")));
        }
        let text = std::fs::read_to_string(file)
            .map_err(|error| CatalogError::io("Reading the catalog", file, error))?;
        Self::parse(&text)
    }

    /// # Errors
    /// With the place and the reason, when `text` is not a valid catalog.
    pub fn parse(text: &str) -> Result<Self, CatalogError> {
        let written: Written = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(0, |span| {
                text.get(..span.start).map_or(0, |before| before.matches('\n').count() + 1)
            });
            CatalogError::Catalog(format!("line {line}: {}", error.message().replace('\n', " ")))
        })?;
        if written.format != 1 {
            return Err(CatalogError::Catalog(format!(
                "its format is {} and this Nearside reads format 1",
                written.format
            )));
        }
        let mut names = HashSet::new();
        for entry in &written.models {
            check_entry(entry)
                .map_err(|reason| CatalogError::Catalog(format!("{}: {reason}", entry.name)))?;
            if !names.insert(entry.name.as_str()) {
                return Err(CatalogError::Catalog(format!("{} is listed twice", entry.name)));
            }
        }
        for entry in &written.models {
            if let Some(missing) =
                entry.draft_for.iter().find(|name| !names.contains(name.as_str()))
            {
                return Err(CatalogError::Catalog(format!(
                    "{} drafts for {missing}, which is not listed",
                    entry.name
                )));
            }
        }
        Ok(Self { models: written.models })
    }

    #[must_use]
    pub fn models(&self) -> &[Entry] {
        &self.models
    }

    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.models.iter().find(|entry| entry.name == name)
    }

    /// # Errors
    /// `Unknown` when no model has that name.
    pub fn get(&self, name: &str) -> Result<&Entry, CatalogError> {
        self.find(name).ok_or_else(|| CatalogError::Unknown(name.to_owned()))
    }

    /// The model to take for a purpose when the user chose none.
    #[must_use]
    pub fn default_for(&self, purpose: ModelPurpose) -> Option<&Entry> {
        self.models.iter().find(|entry| entry.purpose == purpose && entry.default)
    }

    /// A model that can draft for `target`.
    #[must_use]
    pub fn draft_of(&self, target: &str) -> Option<&Entry> {
        self.models.iter().find(|entry| entry.draft_for.iter().any(|name| name == target))
    }
}

fn check_entry(entry: &Entry) -> Result<(), String> {
    if !is_plain_name(&entry.name) || entry.name != entry.name.to_lowercase() {
        return Err("a name is lower-case letters, digits, dots and dashes".to_owned());
    }
    if !is_plain_name(&entry.version) {
        return Err(format!("{:?} cannot be a folder's name", entry.version));
    }
    if entry.version == "current" {
        return Err("no version may be called current".to_owned());
    }
    if entry.memory_min_mb > entry.memory_mb {
        return Err("memory_min_mb is above memory_mb".to_owned());
    }
    if entry.files.is_empty() {
        return Err("it lists no files".to_owned());
    }
    if entry.convert.is_some() == entry.inputs.is_empty() {
        return Err("inputs and convert belong together".to_owned());
    }
    check_files(&entry.files)?;
    check_files(&entry.inputs)?;
    if entry.sources.is_empty() {
        return Err("it has no source".to_owned());
    }
    entry.sources.iter().try_for_each(|source| check_source(entry, source))
}

fn check_files(files: &[FileSpec]) -> Result<(), String> {
    let mut names = HashSet::new();
    for file in files {
        if !is_plain_name(&file.name) || file.name == "installed.json" {
            return Err(format!("{:?} cannot be a file's name", file.name));
        }
        if !names.insert(file.name.to_lowercase()) {
            return Err(format!("{} is listed twice", file.name));
        }
        if file.size == 0 {
            return Err(format!("{} has no size", file.name));
        }
        let hex = |letter: char| letter.is_ascii_digit() || ('a'..='f').contains(&letter);
        if file.sha256.len() != 64 || !file.sha256.chars().all(hex) {
            return Err(format!("the sha256 of {} is not 64 lower-case hex digits", file.name));
        }
    }
    Ok(())
}

fn check_source(entry: &Entry, source: &Source) -> Result<(), String> {
    let label = source.label();
    let mut made = HashSet::new();
    for pick in source.picks() {
        if !entry.downloaded().iter().any(|file| file.name == pick.to) {
            return Err(format!("{label} makes {}, which nothing needs", pick.to));
        }
        if !made.insert(pick.to.as_str()) {
            return Err(format!("{label} makes {} twice", pick.to));
        }
        if pick.from.is_empty() || pick.from.starts_with('/') || pick.from.contains("..") {
            return Err(format!("{label} has an odd path {:?}", pick.from));
        }
    }
    if let Some(missing) = entry.downloaded().iter().find(|file| !made.contains(file.name.as_str()))
    {
        return Err(format!("{label} does not make {}", missing.name));
    }
    match source {
        Source::Hub(hub) => {
            let parts: Vec<&str> = hub.hub.split('/').collect();
            let named = parts.len() == 2 && parts.iter().all(|part| is_plain_name(part));
            let plain = is_plain_name(&hub.revision)
                && hub.files.iter().all(|pick| pick.from.split('/').all(is_plain_name));
            if named && plain { Ok(()) } else { Err(format!("{label} is not owner/repository")) }
        }
        Source::Package(package) => {
            if package.packages.is_empty() {
                return Err("a package source names no package".to_owned());
            }
            // pip reads its arguments: nothing but a plain name and version may reach it.
            for spec in &package.packages {
                let plain = spec
                    .split_once("==")
                    .is_some_and(|(name, version)| is_plain_name(name) && is_plain_name(version));
                if !plain {
                    return Err(format!("{spec:?} is not name==version"));
                }
            }
            match &package.platform {
                Some(platform) if !is_plain_name(platform) => {
                    Err(format!("{platform:?} is not a platform"))
                }
                _ => Ok(()),
            }
        }
    }
}

/// Letters, digits, `.`, `-`, `_`; begins with a letter or digit, and does not end with a dot (Windows
/// drops it). Safe as a folder, as a part of an address and as an argument.
pub(crate) fn is_plain_name(text: &str) -> bool {
    text.len() <= 128
        && text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && !text.ends_with('.')
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter))
}

#[cfg(test)]
#[path = "catalog_tests.rs"]
mod tests;
