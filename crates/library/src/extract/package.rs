//! An Office Open XML package: a zip of parts and their relationships (ECMA-376 part 2), read within bounds.
//!
//! It writes nothing to disk. Sizes that the zip declares are not believed: every part is inflated through a
//! counter that stops at the budget.

use super::verdict;
use super::xml::{Node, walk};
use crate::kind::Kind;
use crate::limits::Limits;
use nearside_types::{Extracted, Trouble};
use std::collections::HashMap;
use std::io::{Cursor, Read};
use zip::ZipArchive;

pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Lower-case path without a leading slash, to the entry's index.
    names: HashMap<String, usize>,
    left: u64,
    limits: &'a Limits,
    kind: Kind,
}

/// Why a package gave nothing.
#[derive(Debug)]
pub(super) enum PackageError {
    Damaged,
    Encrypted,
    TooLarge(Trouble),
}

impl PackageError {
    pub(super) fn verdict(self, kind: Kind) -> Extracted {
        match self {
            Self::Damaged => verdict::corrupt(kind, Trouble::PartDamaged),
            Self::Encrypted => verdict::encrypted(kind),
            Self::TooLarge(what) => verdict::bomb(kind, what),
        }
    }
}

/// One relationship of a part: the last word of its type, its target as a path in the package, its id.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    pub id: String,
    pub kind: String,
    pub target: String,
}

impl<'a> Package<'a> {
    pub(super) fn open(
        bytes: &'a [u8],
        kind: Kind,
        limits: &'a Limits,
    ) -> Result<Self, PackageError> {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| PackageError::Damaged)?;
        if archive.len() > limits.max_entries {
            return Err(PackageError::TooLarge(Trouble::TooManyParts {
                entries: archive.len() as u64,
                limit: limits.max_entries as u64,
            }));
        }
        let mut names = HashMap::new();
        for index in 0..archive.len() {
            let Ok(entry) = archive.by_index_raw(index) else { continue };
            if entry.encrypted() {
                return Err(PackageError::Encrypted);
            }
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            names.entry(normal(&name)).or_insert(index);
        }
        let left = limits.max_unpacked_bytes;
        Ok(Self { archive, names, left, limits, kind })
    }

    /// The bytes of a part, or none when there is no such part.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>, PackageError> {
        match self.names.get(&normal(name)).copied() {
            Some(index) => self.inflate(index, true).map(Some),
            None => Ok(None),
        }
    }

    /// Inflates every entry through the counter and keeps none, for readers that open the zip themselves.
    pub(super) fn measure(&mut self) -> Result<(), PackageError> {
        for index in 0..self.archive.len() {
            self.inflate(index, false)?;
        }
        self.left = self.limits.max_unpacked_bytes;
        Ok(())
    }

    fn inflate(&mut self, index: usize, keep: bool) -> Result<Vec<u8>, PackageError> {
        let mut entry = self.archive.by_index(index).map_err(|_| PackageError::Damaged)?;
        let packed = entry.compressed_size().max(1);
        let mut bytes = Vec::new();
        let mut buffer = vec![0_u8; 1 << 16];
        let mut unpacked = 0_u64;
        loop {
            let count = entry.read(&mut buffer).map_err(|_| PackageError::Damaged)?;
            if count == 0 {
                return Ok(bytes);
            }
            unpacked += count as u64;
            if count as u64 > self.left {
                let limit_bytes = self.limits.max_unpacked_bytes;
                return Err(PackageError::TooLarge(Trouble::UnpacksTooLarge { limit_bytes }));
            }
            if unpacked > 1 << 20 && unpacked / packed > self.limits.max_ratio {
                let ratio = self.limits.max_ratio;
                return Err(PackageError::TooLarge(Trouble::UnpacksTooMuch { ratio }));
            }
            self.left -= count as u64;
            if keep {
                bytes.extend_from_slice(&buffer[..count]);
            }
        }
    }

    /// The relationships of a part, internal ones only; `""` is the package itself.
    pub(super) fn relations(&mut self, part: &str) -> Result<Vec<Relation>, PackageError> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let path = if folder.is_empty() {
            format!("_rels/{file}.rels")
        } else {
            format!("{folder}/_rels/{file}.rels")
        };
        let Some(bytes) = self.part(&path)? else { return Ok(Vec::new()) };
        let mut relations = Vec::new();
        // A damaged list still gives the relationships before the damage.
        let _ = walk(&bytes, self.limits.max_xml_depth, &mut |node| {
            if let Node::Start("Relationship", attributes) = node
                && attributes.get("TargetMode").is_none_or(|mode| mode != "External")
            {
                let kind = attributes.get("Type").unwrap_or_default();
                relations.push(Relation {
                    id: attributes.get("Id").unwrap_or_default(),
                    kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
                    target: resolve(folder, &attributes.get("Target").unwrap_or_default()),
                });
            }
        });
        Ok(relations)
    }

    /// The main part, by the package's relationship or by its usual name.
    pub(super) fn main_part(&mut self, usual: &str) -> Result<String, PackageError> {
        let relations = self.relations("")?;
        let found = relations.into_iter().find(|relation| relation.kind == "officeDocument");
        Ok(match found {
            Some(relation) if self.names.contains_key(&normal(&relation.target)) => relation.target,
            _ => usual.to_owned(),
        })
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn depth(&self) -> usize {
        self.limits.max_xml_depth
    }
}

fn normal(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_ascii_lowercase()
}

/// A target is relative to its part's folder, or absolute within the package.
fn resolve(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut path: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            step => path.push(step),
        }
    }
    path.join("/")
}
