//! Puts files into the library: one transaction a file, so that whatever happens at most one is lost.

use super::migrations::READER_VERSION;
use super::{Library, status_word, walk, words};
use crate::chunking::{Chunk, ChunkOptions, chunk};
use crate::error::LibraryError;
use crate::extract::{Source, extract};
use crate::limits::Limits;
use crate::worker::{Outcome, Program, extract_in_worker};
use nearside_types::{
    Cancel, Extracted, FileOutcome, FileStatus, IndexProgress, Trouble, UserText,
};
use rusqlite::{OptionalExtension, Transaction, params};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// How files are read.
#[derive(Debug, Clone)]
pub enum Reader {
    /// In a process of its own: for all real use.
    Worker(Program),
    /// In this process: for tests, where a crash should be seen.
    InProcess,
}

impl Reader {
    fn reads_pictures(&self) -> bool {
        matches!(self, Self::Worker(program) if program.pictures.is_some())
    }
}

pub struct IndexOptions<'a> {
    pub recursive: bool,
    pub reader: Reader,
    pub limits: Limits,
    pub chunks: ChunkOptions,
    /// Tokens of a text, as the encoder counts them.
    pub count_tokens: &'a dyn Fn(&str) -> usize,
}

/// What an indexing run did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IndexReport {
    /// Files that were read, with their states.
    pub files: Vec<FileOutcome>,
    /// Files that had not changed.
    pub unchanged: u32,
    /// Files taken out because they are gone.
    pub removed: u32,
    /// Folders that could not be opened.
    pub unreadable_folders: u32,
    /// The user stopped it; what was done is kept.
    pub cancelled: bool,
}

/// Crashes of the reader on one content after which it is not tried again.
const QUARANTINE: u32 = 2;

impl Library {
    /// Adds a file or a folder. Unchanged files are skipped by size and time, and by content where the time
    /// alone changed; files that are gone from below the folder are taken out. A cancel keeps what was done.
    ///
    /// # Errors
    /// `NotFound` when there is nothing at the path; `WorkerMissing`; database failures.
    pub fn index_add(
        &mut self,
        path: &Path,
        options: &IndexOptions<'_>,
        cancel: &Cancel,
        progress: &mut dyn FnMut(IndexProgress),
    ) -> Result<IndexReport, LibraryError> {
        let found = walk::list(path, options.recursive, cancel)
            .map_err(|error| LibraryError::from_io(&error))?;
        let mut report =
            IndexReport { unreadable_folders: found.unreadable, ..IndexReport::default() };
        let total = u32::try_from(found.files.len()).unwrap_or(u32::MAX);
        let mut state = IndexProgress { total, ..IndexProgress::default() };
        progress(state);
        for file in &found.files {
            if cancel.is_cancelled() {
                report.cancelled = true;
                return Ok(report);
            }
            match self.index_file(file, options, cancel) {
                Ok(Some(outcome)) => {
                    state.failed += u32::from(outcome.pages == 0);
                    report.files.push(outcome);
                }
                Ok(None) => report.unchanged += 1,
                Err(LibraryError::Cancelled) => {
                    report.cancelled = true;
                    return Ok(report);
                }
                // The file went away or is locked; the others go on.
                Err(
                    error @ (LibraryError::NotFound
                    | LibraryError::Unreadable(_)
                    | LibraryError::NotAFile),
                ) => {
                    state.failed += 1;
                    report.files.push(unreadable(file, &error));
                }
                Err(error) => return Err(error),
            }
            state.done += 1;
            progress(state);
        }
        report.files.extend(found.outside.iter().map(|link| FileOutcome {
            status: FileStatus::Unsupported,
            ..unreadable(link, &LibraryError::LinkOutside)
        }));
        report.removed = self.remove_gone(path, options.recursive)?;
        Ok(report)
    }

    /// Reads one file unless it is unchanged.
    fn index_file(
        &mut self,
        file: &Path,
        options: &IndexOptions<'_>,
        cancel: &Cancel,
    ) -> Result<Option<FileOutcome>, LibraryError> {
        let facts = LibraryError::facts_of(file)?;
        let stored = walk::stored_path(file);
        let bytes = i64::try_from(facts.len()).unwrap_or(i64::MAX);
        let modified = facts.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified =
            modified.map_or(0, |time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
        let known: Option<(i64, i64, Vec<u8>, u32, bool)> = self
            .database
            .query_row(
                "SELECT bytes, modified_ms, hash, reader,
                        warnings LIKE '%\"code\":\"pages_need_ocr\"%' OR warnings LIKE '%\"code\":\"picture\"%'
                 FROM files WHERE path = ?1",
                [&stored],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
            )
            .optional()?;
        // What waited for a model that reads pictures is read again once there is one.
        let reads_pictures = options.reader.reads_pictures();
        let known = known.filter(|known| known.3 == READER_VERSION && !(known.4 && reads_pictures));
        if known.as_ref().is_some_and(|known| known.0 == bytes && known.1 == modified) {
            return Ok(None);
        }
        let hash = hash_of(file, options.limits.max_file_bytes, facts.len(), cancel)?;
        if known.is_some_and(|known| known.0 == bytes && known.2 == hash) {
            self.database.execute(
                "UPDATE files SET modified_ms = ?2 WHERE path = ?1",
                params![stored, modified],
            )?;
            return Ok(None);
        }
        let extracted = self.read_file(file, &hash, options, cancel)?;
        let chunks = chunk(&extracted.pages, options.chunks, options.count_tokens);
        let transaction = self.database.transaction()?;
        let record = Record { path: &stored, hash: &hash, bytes, modified };
        put(&transaction, &record, &extracted, &chunks)?;
        transaction.commit()?;
        Ok(Some(FileOutcome {
            file: UserText::from(stored),
            status: extracted.status,
            pages: u32::try_from(extracted.pages.len()).unwrap_or(u32::MAX),
            warnings: extracted.warnings,
        }))
    }

    fn read_file(
        &mut self,
        file: &Path,
        hash: &[u8],
        options: &IndexOptions<'_>,
        cancel: &Cancel,
    ) -> Result<Extracted, LibraryError> {
        let program = match &options.reader {
            Reader::InProcess => {
                return extract(Source::Path(file), &options.limits, cancel, &mut |_, _| {});
            }
            Reader::Worker(program) => program,
        };
        if self.crashes(hash)? >= QUARANTINE {
            return Ok(quarantined());
        }
        loop {
            let Outcome { extracted, crashed } =
                extract_in_worker(program, file, &options.limits, cancel, &mut |_, _| {})?;
            if !crashed {
                return Ok(extracted);
            }
            self.database.execute(
                "INSERT INTO crashes (hash, count) VALUES (?1, 1)
                 ON CONFLICT (hash) DO UPDATE SET count = count + 1",
                [hash],
            )?;
            if self.crashes(hash)? >= QUARANTINE {
                let mut extracted = extracted;
                extracted.warnings.extend(quarantined().warnings);
                return Ok(extracted);
            }
        }
    }

    /// Takes out files of the path that are no longer there.
    fn remove_gone(&mut self, path: &Path, recursive: bool) -> Result<u32, LibraryError> {
        let folder = walk::stored_path(path);
        let mut gone = Vec::new();
        {
            let below = format!("{}/", folder.trim_end_matches('/'));
            let mut statement = self
                .database
                .prepare("SELECT id, path FROM files WHERE substr(path, 1, length(?1)) = ?1")?;
            let mut rows = statement.query([&below])?;
            while let Some(row) = rows.next()? {
                let file: String = row.get(1)?;
                let direct = !file[below.len().min(file.len())..].contains('/');
                if (recursive || direct) && !Path::new(&file).exists() {
                    gone.push(row.get::<_, i64>(0)?);
                }
            }
        }
        let transaction = self.database.transaction()?;
        for &file in &gone {
            delete_file(&transaction, file)?;
        }
        transaction.commit()?;
        Ok(u32::try_from(gone.len()).unwrap_or(u32::MAX))
    }
}

struct Record<'a> {
    path: &'a str,
    hash: &'a [u8],
    bytes: i64,
    modified: i64,
}

fn put(
    transaction: &Transaction<'_>,
    record: &Record<'_>,
    extracted: &Extracted,
    chunks: &[Chunk],
) -> Result<(), LibraryError> {
    let old: Option<i64> = transaction
        .query_row("SELECT id FROM files WHERE path = ?1", [record.path], |row| row.get(0))
        .optional()?;
    if let Some(old) = old {
        delete_file(transaction, old)?;
    }
    let warnings = serde_json::to_string(&extracted.warnings).unwrap_or_default();
    transaction.execute(
        "INSERT INTO files (path, hash, bytes, modified_ms, status, kind, pages, warnings, reader)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            record.path,
            record.hash,
            record.bytes,
            record.modified,
            status_word(extracted.status),
            extracted.kind,
            number(extracted.pages.len()),
            warnings,
            READER_VERSION
        ],
    )?;
    let file = transaction.last_insert_rowid();
    let mut insert = transaction.prepare_cached(
        "INSERT INTO chunks (file, page, section, start, until, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let mut insert_words =
        transaction.prepare_cached("INSERT INTO words (rowid, line) VALUES (?1, ?2)")?;
    for chunk in chunks {
        let section = chunk.section.as_deref();
        insert.execute(params![
            file,
            chunk.page,
            section,
            number(chunk.start),
            number(chunk.end),
            &*chunk.text
        ])?;
        let id = transaction.last_insert_rowid();
        insert_words.execute(params![id, words::line(&with_heading(section, &chunk.text))])?;
    }
    Ok(())
}

/// The heading counts as part of the passage, once where the passage itself begins with it.
pub(super) fn with_heading(section: Option<&str>, text: &str) -> String {
    match section {
        Some(section) if !text.starts_with(section) => format!("{section}\n{text}"),
        _ => text.to_owned(),
    }
}

/// Takes a file's passages, words and vectors out.
pub(super) fn delete_file(transaction: &Transaction<'_>, file: i64) -> Result<(), LibraryError> {
    transaction.execute(
        "DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE file = ?1)",
        [file],
    )?;
    transaction.execute(
        "DELETE FROM vectors WHERE chunk IN (SELECT id FROM chunks WHERE file = ?1)",
        [file],
    )?;
    transaction.execute("DELETE FROM chunks WHERE file = ?1", [file])?;
    transaction.execute("DELETE FROM files WHERE id = ?1", [file])?;
    Ok(())
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// SHA-256 of the content; a file beyond the limit is known by its size alone, since it is not read.
fn hash_of(file: &Path, max: u64, size: u64, cancel: &Cancel) -> Result<Vec<u8>, LibraryError> {
    let mut hash = Sha256::new();
    if size > max {
        hash.update(size.to_le_bytes());
        return Ok(hash.finalize().to_vec());
    }
    let mut reader = std::fs::File::open(file).map_err(|error| LibraryError::from_io(&error))?;
    let mut buffer = vec![0_u8; 1 << 18];
    loop {
        if cancel.is_cancelled() {
            return Err(LibraryError::Cancelled);
        }
        let count = std::io::Read::read(&mut reader, &mut buffer)
            .map_err(|error| LibraryError::from_io(&error))?;
        if count == 0 {
            return Ok(hash.finalize().to_vec());
        }
        hash.update(&buffer[..count]);
    }
}

fn quarantined() -> Extracted {
    Extracted {
        status: FileStatus::Corrupt,
        kind: "unknown".to_owned(),
        encoding: None,
        pages: Vec::new(),
        warnings: vec![Trouble::Quarantined.into()],
    }
}

fn unreadable(file: &Path, error: &LibraryError) -> FileOutcome {
    FileOutcome {
        file: UserText::from(file.to_string_lossy().into_owned()),
        status: FileStatus::Corrupt,
        pages: 0,
        warnings: vec![error.trouble().into()],
    }
}
