//! Forgetting a file: out of every table, out of the free pages and the log, and then a search for traces.
//!
//! Deleting alone is not enough: the words index keeps deleted entries until it is merged, and SQLite keeps
//! pages for reuse. So the index is merged, the file is rebuilt, the log is emptied, and what is left is read
//! page by page.

use super::trace::Needles;
use super::{Library, index};
use crate::error::LibraryError;
use nearside_types::Forgotten;
use std::path::Path;

impl Library {
    /// Takes a file, or all below a folder, out of the library for good and proves it. `traces_found` counts
    /// the places where something of it is still there; it must be 0.
    ///
    /// # Errors
    /// `NotIndexed` when nothing of the path is in the library; `Vault` when another process keeps reading.
    pub fn forget(&mut self, path: &Path) -> Result<Forgotten, LibraryError> {
        let files = self.files_below(path)?;
        if files.is_empty() {
            return Err(LibraryError::NotIndexed);
        }
        self.database.checkpoint()?;
        let before = self.disk_bytes();
        let ids: Vec<i64> = files.iter().map(|&(id, _)| id).collect();
        let candidates = Needles::collect(&self.database, &ids)?;
        let transaction = self.database.transaction()?;
        for (id, hash) in &files {
            index::delete_file(&transaction, *id)?;
            let others: i64 = transaction.query_row(
                "SELECT count(*) FROM files WHERE hash = ?1",
                [hash],
                |row| row.get(0),
            )?;
            if others == 0 {
                transaction.execute("DELETE FROM crashes WHERE hash = ?1", [hash])?;
            }
        }
        transaction.commit()?;
        // Merging to one segment drops the entries of deleted passages.
        self.database.execute_batch("INSERT INTO words(words) VALUES ('optimize')")?;
        self.database.execute_batch("VACUUM")?;
        self.database.checkpoint()?;
        let traces_found = candidates.count_traces(&mut self.database)?;
        Ok(Forgotten { bytes_freed: before.saturating_sub(self.disk_bytes()), traces_found })
    }

    /// How many traces of the file are in the database now: the search that [`Library::forget`] ends with.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn traces_of(&mut self, path: &Path) -> Result<u64, LibraryError> {
        let ids: Vec<i64> = self.files_below(path)?.iter().map(|&(id, _)| id).collect();
        Needles::collect(&self.database, &ids)?.count_all(&mut self.database)
    }
}
