//! The library's schema, step by step. The position is the version: a released step is never edited.

/// For `Vault::database`.
pub const MIGRATIONS: &[&str] = &[
    // 1: files, passages, words, crashes. The words table keeps no text of its own: passages hold it once.
    "CREATE TABLE files (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        hash BLOB NOT NULL,
        bytes INTEGER NOT NULL,
        modified_ms INTEGER NOT NULL,
        status TEXT NOT NULL,
        kind TEXT NOT NULL,
        pages INTEGER NOT NULL,
        warnings TEXT NOT NULL,
        reader INTEGER NOT NULL
     );
     CREATE TABLE chunks (
        id INTEGER PRIMARY KEY,
        file INTEGER NOT NULL REFERENCES files(id) ON DELETE CASCADE,
        page INTEGER NOT NULL,
        section TEXT,
        start INTEGER NOT NULL,
        until INTEGER NOT NULL,
        text TEXT NOT NULL
     );
     CREATE INDEX chunks_by_file ON chunks(file);
     CREATE TABLE crashes (hash BLOB PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
     CREATE VIRTUAL TABLE words USING fts5(
        line, content='', contentless_delete=1, columnsize=1, detail=full,
        tokenize='unicode61 remove_diacritics 0'
     );
     CREATE VIRTUAL TABLE vocabulary USING fts5vocab('words', 'row');",
    // 2: vectors of passages, all of one encoder.
    "CREATE TABLE encoder (name TEXT NOT NULL);
     CREATE TABLE vectors (
        chunk INTEGER PRIMARY KEY,
        script INTEGER NOT NULL,
        scale REAL NOT NULL,
        codes BLOB NOT NULL
     );",
];

/// Raised when the readers or the chunker change so much that unchanged files should be read again.
pub(super) const READER_VERSION: u32 = 2;
