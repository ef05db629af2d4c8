//! The pages as they grow: numbered, tidied, bounded, and at last given their status.

use crate::kind::Kind;
use crate::limits::Limits;
use crate::text::decode::Decoded;
use crate::text::tidy::{one_line, tidy};
use nearside_types::{Extracted, FileStatus, Page, Trouble, UserText, Warning};

pub(super) struct Draft {
    kind: Kind,
    encoding: Option<String>,
    pages: Vec<Page>,
    warnings: Vec<Warning>,
    bytes: usize,
    max_bytes: usize,
    max_pages: usize,
    full: bool,
    /// Something that belongs to the file was not read.
    incomplete: bool,
}

impl Draft {
    pub(super) fn new(kind: Kind, limits: &Limits) -> Self {
        Self {
            kind,
            encoding: None,
            pages: Vec::new(),
            warnings: Vec::new(),
            bytes: 0,
            max_bytes: limits.max_text_bytes,
            max_pages: limits.max_pages,
            full: false,
            incomplete: false,
        }
    }

    /// Adds the next page or section. Empty pages count too: page numbers must stay true.
    pub(super) fn page(&mut self, section: Option<&str>, text: &str) {
        if self.full {
            return;
        }
        if self.pages.len() >= self.max_pages {
            self.cut(Trouble::FirstPages { pages: self.max_pages as u64 });
            return;
        }
        let mut text = tidy(text);
        let room = self.max_bytes.saturating_sub(self.bytes);
        let over = text.len() > room;
        if over {
            let end = (0..=room).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            text.truncate(end);
        }
        self.bytes += text.len();
        let section = section.map(one_line).filter(|title| !title.is_empty());
        self.pages.push(Page {
            page: u32::try_from(self.pages.len() + 1).unwrap_or(u32::MAX),
            section: section.map(UserText::from),
            text: UserText::from(text),
        });
        if over {
            self.cut(Trouble::FirstText { bytes: self.max_bytes as u64 });
        }
    }

    /// Nothing more fits; readers may stop early.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    pub(super) fn page_count(&self) -> usize {
        self.pages.len()
    }

    fn cut(&mut self, what: Trouble) {
        self.full = true;
        self.missing(what);
    }

    pub(super) fn warn(&mut self, what: Trouble) {
        let warning = Warning::from(what);
        if self.warnings.len() < 100 && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// A warning that makes the file `partial`.
    pub(super) fn missing(&mut self, what: Trouble) {
        self.incomplete = true;
        self.warn(what);
    }

    /// Reports the encoding, and how many places it could not explain.
    pub(super) fn decoded(&mut self, decoded: &Decoded) {
        self.encoding = Some(decoded.encoding.clone());
        if decoded.broken > 0 {
            self.missing(Trouble::InvalidPlaces {
                places: decoded.broken as u64,
                encoding: decoded.encoding.clone(),
            });
        }
    }

    /// Takes the pages of a file within this one, under its name.
    pub(super) fn absorb(&mut self, name: &str, inner: Extracted) {
        for page in &inner.pages {
            let section = match page.section.as_deref() {
                Some(section) => format!("{name}: {section}"),
                None => name.to_owned(),
            };
            self.page(Some(&section), &page.text);
        }
        if !matches!(inner.status, FileStatus::Ok | FileStatus::Empty) {
            self.incomplete = true;
        }
        for warning in inner.warnings {
            self.warn(Trouble::Attachment {
                name: one_line(name).into(),
                inner: Box::new(warning),
            });
        }
    }

    /// Ok, partial, or empty when no page holds a word.
    pub(super) fn finish(self) -> Extracted {
        let blank = self.pages.iter().all(|page| page.text.trim().is_empty());
        let status = match (blank, self.incomplete) {
            (true, false) => FileStatus::Empty,
            (true, true) => FileStatus::Corrupt,
            (false, true) => FileStatus::Partial,
            (false, false) => FileStatus::Ok,
        };
        self.finish_as(status)
    }

    pub(super) fn finish_as(mut self, status: FileStatus) -> Extracted {
        if status == FileStatus::Empty {
            self.warn(Trouble::NoText);
        }
        Extracted {
            status,
            kind: self.kind.name().to_owned(),
            encoding: self.encoding,
            pages: self.pages,
            warnings: self.warnings,
        }
    }
}
