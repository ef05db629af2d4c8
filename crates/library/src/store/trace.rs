//! Looks for traces of forgotten files in the decrypted pages of the database, free ones included, and in the
//! vocabulary of the words index, whose compressed pages hide words from a plain search.

use super::words;
use crate::error::LibraryError;
use aho_corasick::{AhoCorasick, MatchKind};
use rusqlite::{Connection, MAIN_DB, params};
use std::collections::BTreeSet;

/// What a trace of the files would be.
pub(super) struct Needles {
    /// Paths, hashes, and stretches of text and of vectors, as bytes.
    pieces: BTreeSet<Vec<u8>>,
    words: BTreeSet<String>,
}

/// Bytes of a stretch of text: long enough not to be there by chance, short enough to survive on one page.
const STRETCH: usize = 24;
/// One stretch in so many bytes of text.
const STRIDE: usize = 97;
/// Kept in all, so that the search stays quick.
const MAX_PIECES: usize = 4096;

impl Needles {
    /// Collected while the files are still there.
    pub(super) fn collect(connection: &Connection, files: &[i64]) -> Result<Self, LibraryError> {
        let mut needles = Self { pieces: BTreeSet::new(), words: BTreeSet::new() };
        for &file in files {
            let (path, hash): (String, Vec<u8>) = connection.query_row(
                "SELECT path, hash FROM files WHERE id = ?1",
                [file],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            needles.pieces.insert(path.into_bytes());
            needles.pieces.insert(hash);
            let mut statement =
                connection.prepare_cached("SELECT text FROM chunks WHERE file = ?1")?;
            let mut rows = statement.query([file])?;
            while let Some(row) = rows.next()? {
                let text: String = row.get(0)?;
                needles.words.extend(words::line(&text).split(' ').map(str::to_owned));
                if needles.pieces.len() < MAX_PIECES {
                    needles.pieces.extend(stretches(&text));
                }
            }
            let mut vectors = connection.prepare_cached(
                "SELECT codes FROM vectors WHERE chunk IN (SELECT id FROM chunks WHERE file = ?1)",
            )?;
            let mut rows = vectors.query([file])?;
            while let Some(row) = rows.next()? {
                let codes: Vec<u8> = row.get(0)?;
                if needles.pieces.len() < MAX_PIECES {
                    needles.pieces.extend(codes.get(..STRETCH).map(<[u8]>::to_vec));
                }
            }
        }
        Ok(needles)
    }

    /// Traces after forgetting. What another file says too is no trace of this one.
    pub(super) fn count_traces(mut self, connection: &mut Connection) -> Result<u64, LibraryError> {
        let mut shared: BTreeSet<Vec<u8>> = BTreeSet::new();
        {
            let finder = self.finder();
            let mut statement =
                connection.prepare("SELECT text FROM chunks UNION ALL SELECT path FROM files")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let text: String = row.get(0)?;
                shared.extend(self.found_in(&finder, text.as_bytes()));
                for word in words::line(&text).split(' ') {
                    self.words.remove(word);
                }
            }
            let mut statement =
                connection.prepare("SELECT section FROM chunks WHERE section IS NOT NULL")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                for word in words::line(&row.get::<_, String>(0)?).split(' ') {
                    self.words.remove(word);
                }
            }
            let mut vectors = connection.prepare("SELECT codes FROM vectors")?;
            let mut rows = vectors.query([])?;
            while let Some(row) = rows.next()? {
                let codes: Vec<u8> = row.get(0)?;
                shared.extend(self.found_in(&finder, &codes));
            }
            let mut hashes = connection.prepare("SELECT hash FROM files")?;
            let mut rows = hashes.query([])?;
            while let Some(row) = rows.next()? {
                shared.insert(row.get(0)?);
            }
        }
        self.pieces.retain(|piece| !shared.contains(piece));
        self.count_all(connection)
    }

    /// All occurrences, whoever they belong to.
    pub(super) fn count_all(&self, connection: &mut Connection) -> Result<u64, LibraryError> {
        let found = {
            // The copy is in memory only, decrypted page by page, free pages with it.
            let pages = connection.serialize(MAIN_DB)?;
            self.found_in(&self.finder(), &pages).len()
        };
        let mut statement = connection
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM vocabulary WHERE term = ?1)")?;
        let mut words = 0_u64;
        for word in self.words.iter().filter(|word| !word.is_empty()) {
            words += u64::from(statement.query_row(params![word], |row| row.get::<_, bool>(0))?);
        }
        Ok(found as u64 + words)
    }

    /// All pieces at once. There are few enough that building it cannot fail; without it nothing is found,
    /// so a failure must not pass for a clean result.
    fn finder(&self) -> Option<AhoCorasick> {
        AhoCorasick::builder().match_kind(MatchKind::Standard).build(&self.pieces).ok()
    }

    fn found_in(&self, finder: &Option<AhoCorasick>, bytes: &[u8]) -> BTreeSet<Vec<u8>> {
        let Some(finder) = finder else { return self.pieces.clone() };
        let pieces: Vec<&Vec<u8>> = self.pieces.iter().collect();
        let places: BTreeSet<usize> =
            finder.find_overlapping_iter(bytes).map(|found| found.pattern().as_usize()).collect();
        places.into_iter().filter_map(|at| pieces.get(at).map(|piece| (*piece).clone())).collect()
    }
}

fn stretches(text: &str) -> Vec<Vec<u8>> {
    let bytes = text.as_bytes();
    if bytes.len() <= STRETCH {
        return if bytes.len() >= 8 { vec![bytes.to_vec()] } else { Vec::new() };
    }
    (0..=bytes.len() - STRETCH).step_by(STRIDE).map(|at| bytes[at..at + STRETCH].to_vec()).collect()
}
