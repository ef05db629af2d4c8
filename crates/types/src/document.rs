//! Documents: what a file turned out to be, page by page, and what of it was read.

use crate::{UserText, Warning};

wire! {
    /// The one state in which every file ends.
    #[derive(Copy, Eq, Hash)]
    #[serde(rename_all = "snake_case")]
    pub enum FileStatus {
        Ok,
        /// Some pages could not be read; the warnings say which and why.
        Partial,
        NeedsOcr,
        Encrypted,
        Corrupt,
        Empty,
        Unsupported,
        TooLarge,
    }

    /// A PDF page, a slide, a sheet; elsewhere a section by heading. Numbered from 1.
    pub struct Page {
        pub page: u32,
        /// The heading or sheet name, where there is one.
        pub section: Option<UserText>,
        pub text: UserText,
    }

    /// The result of `extract`.
    pub struct Extracted {
        pub status: FileStatus,
        /// `pdf`, `docx`, `html`, `markdown`, `text` …, by content and not by name.
        pub kind: String,
        /// The text encoding that was decoded, where the file has one.
        pub encoding: Option<String>,
        pub pages: Vec<Page>,
        pub warnings: Vec<Warning>,
    }

    /// What the model really received of the documents.
    #[derive(Copy, Eq, Default)]
    pub struct Coverage {
        pub pages_read: u32,
        pub pages_total: u32,
        pub tokens_read: u64,
    }

    /// One file's outcome in a summary or an answer.
    #[derive(Eq)]
    pub struct FileOutcome {
        pub file: UserText,
        pub status: FileStatus,
        pub pages: u32,
        pub warnings: Vec<Warning>,
    }

    /// A passage of a file that an answer rests on.
    pub struct Citation {
        pub file: UserText,
        pub page: u32,
        pub section: Option<UserText>,
        pub quote: UserText,
    }

    /// A dropped file before anything is asked about it.
    #[derive(Eq)]
    pub struct FileChip {
        pub path: String,
        pub name: UserText,
        pub bytes: u64,
        pub kind: String,
        pub status: FileStatus,
        pub pages: u32,
        /// About how many tokens its text makes.
        pub tokens: u64,
        pub warnings: Vec<Warning>,
    }
}
