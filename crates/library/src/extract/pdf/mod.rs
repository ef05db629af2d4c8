//! PDF (ISO 32000) pages, one by one: by their text layer, or else as pictures.
//!
//! pdf_oxide reads the file. It is not ours, so a panic in it costs one page. A page that shows pictures and
//! no text, or whose characters are mostly nonsense, is drawn and read as a picture; without a model for that it
//! is named and gives no text, since wrong text is worse than none. Invisible text, form values and notes are text.

mod columns;
mod fonts;
mod quality;
mod render;

use super::Context;
use super::draft::Draft;
use super::picture::{Notes, Recognised};
use super::verdict;
use crate::error::LibraryError;
use crate::kind::Kind;
use crate::text::tidy::fold_presentation_forms;
use nearside_types::{Extracted, FileStatus, Trouble};
use pdf_oxide::PdfDocument;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What came of one page.
enum Read {
    Text {
        text: String,
        damaged_font: bool,
        some_garbage: bool,
    },
    /// Pictures, or shapes, or characters that mean nothing.
    NeedsOcr,
    Failed,
}

pub(super) fn read(bytes: &[u8], context: &mut Context<'_, '_>) -> Result<Extracted, LibraryError> {
    let opened = catch_unwind(AssertUnwindSafe(|| PdfDocument::from_bytes(bytes.to_vec())));
    let document = match opened {
        Ok(Ok(document)) => document,
        Ok(Err(pdf_oxide::Error::EncryptedPdf)) => {
            return Ok(verdict::encrypted(Kind::Pdf));
        }
        _ => return Ok(verdict::corrupt(Kind::Pdf, Trouble::PagesDamaged)),
    };
    if document.is_encrypted() && !opens_without_password(&document) {
        return Ok(verdict::encrypted(Kind::Pdf));
    }
    let count = catch_unwind(AssertUnwindSafe(|| document.page_count()));
    let Ok(Ok(count @ 1..)) = count else {
        return Ok(verdict::corrupt(Kind::Pdf, Trouble::NoPages));
    };
    let mut draft = Draft::new(Kind::Pdf, context.limits);
    let mut pages = Outcomes::default();
    let mut renderer = render::Renderer::new(bytes);
    let total = u32::try_from(count).unwrap_or(u32::MAX);
    for index in 0..count {
        context.check()?;
        if draft.is_full() {
            break;
        }
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let read = catch_unwind(AssertUnwindSafe(|| read_page(&document, index)));
        match read.unwrap_or(Read::Failed) {
            Read::Text { text, damaged_font, some_garbage } => {
                if damaged_font {
                    pages.fonts.push(number);
                }
                if some_garbage {
                    pages.garbage.push(number);
                }
                draft.page(None, &text);
            }
            Read::NeedsOcr => {
                let draw = || renderer.draw(index);
                let text = match context.pictures.page(draw, context.cancel)? {
                    Recognised::Text(text) => {
                        pages.pictures.take(number, &text);
                        text.text
                    }
                    Recognised::NoModel => {
                        pages.ocr.push(number);
                        String::new()
                    }
                    Recognised::ModelFailed(why) => {
                        pages.ocr_failed = pages.ocr_failed.take().or(Some(why));
                        pages.ocr.push(number);
                        String::new()
                    }
                    Recognised::Failed => {
                        pages.failed.push(number);
                        String::new()
                    }
                };
                draft.page(None, &text);
            }
            Read::Failed => {
                pages.failed.push(number);
                draft.page(None, "");
            }
        }
        (context.progress)(number, total);
    }
    Ok(pages.finish(draft, total))
}

fn opens_without_password(document: &PdfDocument) -> bool {
    let opened = catch_unwind(AssertUnwindSafe(|| document.authenticate(b"")));
    matches!(opened, Ok(Ok(true)))
}

fn read_page(document: &PdfDocument, index: usize) -> Read {
    let Ok(text) = document.extract_text(index) else { return Read::Failed };
    let text = columns::in_order(document, index, &text).unwrap_or(text);
    let text = fold_presentation_forms(&text);
    match quality::of(&text) {
        quality::Quality::Blank if fonts::shows_something(document, index) => Read::NeedsOcr,
        quality::Quality::Garbage => Read::NeedsOcr,
        quality => Read::Text {
            text,
            damaged_font: fonts::has_unread_encoding(document, index),
            some_garbage: quality == quality::Quality::Mixed,
        },
    }
}

/// Pages by what was wrong with them.
#[derive(Default)]
struct Outcomes {
    pictures: Notes,
    ocr: Vec<u32>,
    /// Why the model could not be used.
    ocr_failed: Option<String>,
    failed: Vec<u32>,
    fonts: Vec<u32>,
    garbage: Vec<u32>,
}

impl Outcomes {
    fn finish(self, mut draft: Draft, total: u32) -> Extracted {
        let lost = u32::try_from(self.ocr.len() + self.failed.len()).unwrap_or(u32::MAX);
        self.pictures.say(&mut draft, ranges);
        if let Some(why) = self.ocr_failed {
            draft.missing(Trouble::OcrFailed { why });
        }
        let mut say = |numbers: &[u32], what: fn(String) -> Trouble| {
            if !numbers.is_empty() {
                draft.missing(what(ranges(numbers)));
            }
        };
        say(&self.ocr, |pages| Trouble::PagesNeedOcr { pages });
        say(&self.failed, |pages| Trouble::PagesNotRead { pages });
        say(&self.fonts, |pages| Trouble::PagesFont { pages });
        say(&self.garbage, |pages| Trouble::PagesGarbled { pages });
        if lost < total {
            return draft.finish();
        }
        draft.finish_as(if self.ocr.is_empty() {
            FileStatus::Corrupt
        } else {
            FileStatus::NeedsOcr
        })
    }
}

/// `1-3, 7` or `4`.
fn ranges(pages: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &page in pages {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == page => *end = page,
            _ => ranges.push((page, page)),
        }
    }
    let ranges: Vec<String> = ranges
        .iter()
        .map(
            |&(start, end)| if start == end { start.to_string() } else { format!("{start}-{end}") },
        )
        .collect();
    ranges.join(", ")
}
