//! The library's own database: files, passages, and the words and vectors by which they are found.
//!
//! One `Library` owns one connection. It does not know how a file is read (a [`Reader`] does), and it opens
//! no file of its own besides the sealed database.

mod forget;
mod fuse;
mod index;
mod migrations;
mod search;
#[cfg(test)]
mod tests;
mod trace;
mod vectors;
mod walk;
mod words;

pub use index::{IndexOptions, IndexReport, Reader};
pub use migrations::MIGRATIONS;
pub use search::Passage;
pub use vectors::PendingPassage;

use crate::error::LibraryError;
use nearside_types::{FileStatus, IndexedFile};
use nearside_vault::{Database, Vault};
use rusqlite::{OptionalExtension, params};
use std::path::Path;

/// An open library.
pub struct Library {
    database: Database,
    // Read anew when the database has changed since.
    vectors: std::cell::RefCell<Option<vectors::Table>>,
}

/// What the library holds.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexStatus {
    pub items: Vec<IndexedFile>,
    pub chunks: u64,
    /// Bytes of the database on disk, its log included.
    pub disk_bytes: u64,
}

impl Library {
    /// Opens the library of a vault, or makes it.
    ///
    /// # Errors
    /// As [`Vault::database`].
    pub fn open(vault: &Vault) -> Result<Self, LibraryError> {
        let database = vault.database("library", MIGRATIONS)?;
        Ok(Self { database, vectors: std::cell::RefCell::default() })
    }

    /// All files with their states, by path.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn status(&self) -> Result<IndexStatus, LibraryError> {
        let mut statement = self.database.prepare(
            "SELECT f.path, f.status, f.pages, f.bytes, f.warnings,
                    (SELECT count(*) FROM chunks c WHERE c.file = f.id)
             FROM files f ORDER BY f.path",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(IndexedFile {
                path: row.get(0)?,
                status: status_from(&row.get::<_, String>(1)?),
                pages: row.get(2)?,
                bytes: u64::try_from(row.get::<_, i64>(3)?).unwrap_or(0),
                warnings: serde_json::from_str(&row.get::<_, String>(4)?).unwrap_or_default(),
                chunks: row.get(5)?,
            })
        })?;
        let items = rows.collect::<Result<Vec<_>, _>>()?;
        let chunks = items.iter().map(|item| u64::from(item.chunks)).sum();
        Ok(IndexStatus { items, chunks, disk_bytes: self.disk_bytes() })
    }

    /// Takes a file, or all files below a folder, out of the library. The files themselves are not touched.
    /// Returns how many were in it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn remove(&mut self, path: &Path) -> Result<u64, LibraryError> {
        let files = self.files_below(path)?;
        let transaction = self.database.transaction()?;
        for &(file, _) in &files {
            index::delete_file(&transaction, file)?;
        }
        transaction.commit()?;
        Ok(files.len() as u64)
    }

    /// Ids and content hashes of the file at `path`, or of all below it.
    fn files_below(&self, path: &Path) -> Result<Vec<(i64, Vec<u8>)>, LibraryError> {
        let path = walk::stored_path(path);
        let below = format!("{}/", path.trim_end_matches('/'));
        let mut statement = self.database.prepare(
            "SELECT id, hash FROM files WHERE path = ?1 OR substr(path, 1, length(?2)) = ?2",
        )?;
        let rows =
            statement.query_map(params![path, below], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Whether any passage has a vector.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_vectors(&self) -> Result<bool, LibraryError> {
        let found =
            self.database.query_row("SELECT EXISTS (SELECT 1 FROM vectors)", [], |row| row.get(0));
        Ok(found?)
    }

    fn disk_bytes(&self) -> u64 {
        let path = self.database.path();
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let size = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
        size(path) + size(Path::new(&log))
    }

    /// How often the reader died on this content.
    fn crashes(&self, hash: &[u8]) -> Result<u32, LibraryError> {
        let count = self
            .database
            .query_row("SELECT count FROM crashes WHERE hash = ?1", [hash], |row| row.get(0))
            .optional()?;
        Ok(count.unwrap_or(0))
    }
}

fn status_word(status: FileStatus) -> String {
    match serde_json::to_value(status) {
        Ok(serde_json::Value::String(word)) => word,
        _ => "corrupt".to_owned(),
    }
}

fn status_from(word: &str) -> FileStatus {
    serde_json::from_value(serde_json::Value::String(word.to_owned()))
        .unwrap_or(FileStatus::Corrupt)
}
