//! The library: indexed files and what a search found in them.

use crate::{FileStatus, UserText, Warning};

wire! {
    pub struct IndexedFile {
        pub path: String,
        pub status: FileStatus,
        pub pages: u32,
        pub chunks: u32,
        pub bytes: u64,
        pub warnings: Vec<Warning>,
    }

    pub struct SearchHit {
        pub file: UserText,
        pub page: u32,
        pub section: Option<UserText>,
        pub text: UserText,
        pub score: f64,
        /// `keyword`, `vector` or `both`.
        pub how: String,
    }

    /// The result of `index forget`.
    #[derive(Copy, Eq)]
    pub struct Forgotten {
        pub bytes_freed: u64,
        /// Places where something of the file was still found afterwards; must be 0.
        pub traces_found: u64,
    }

    /// Progress of an indexing run.
    #[derive(Copy, Eq, Default)]
    pub struct IndexProgress {
        pub done: u32,
        pub total: u32,
        pub failed: u32,
        /// Passages that have got their vector in this run, after all files were read.
        pub vectors_done: u32,
        pub vectors_total: u32,
    }
}
