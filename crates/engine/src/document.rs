//! A document: one file's pages as they were extracted, under the name that the user knows.

use nearside_types::{Coverage, Extracted, FileOutcome, FileStatus, UserText};

use crate::text::{Passage, passages};

/// An extracted file.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The file's name without its folder.
    pub name: UserText,
    pub extracted: Extracted,
}

impl Document {
    /// Whether any page has text.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        self.extracted.pages.iter().any(|page| !page.text.trim().is_empty())
    }

    /// What became of the file, for answers and summaries.
    #[must_use]
    pub fn outcome(&self) -> FileOutcome {
        // A file that opened without a word in it is empty, whatever its reader thought of it.
        let status = match self.extracted.status {
            FileStatus::Ok | FileStatus::Partial if !self.is_readable() => FileStatus::Empty,
            other => other,
        };
        FileOutcome {
            file: self.name.clone(),
            status,
            pages: u32::try_from(self.extracted.pages.len()).unwrap_or(u32::MAX),
            warnings: self.extracted.warnings.clone(),
        }
    }
}

/// The names, in order.
pub(crate) fn names(documents: &[Document]) -> Vec<UserText> {
    documents.iter().map(|document| document.name.clone()).collect()
}

/// All passages of all documents, of about `target` characters each.
pub(crate) fn all_passages(documents: &[Document], target: usize) -> Vec<Passage> {
    let mut out = Vec::new();
    for (index, document) in documents.iter().enumerate() {
        for page in &document.extracted.pages {
            let section = page.section.as_deref();
            out.extend(passages(index, page.page, section, &page.text, target));
        }
    }
    out
}

/// Coverage when nothing was read yet.
pub(crate) fn coverage(documents: &[Document]) -> Coverage {
    let pages = documents.iter().map(|document| document.extracted.pages.len()).sum::<usize>();
    Coverage { pages_total: u32::try_from(pages).unwrap_or(u32::MAX), ..Coverage::default() }
}
