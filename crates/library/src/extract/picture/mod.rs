//! Text in pictures: image files here, pages of a PDF through [`PictureReader::page`].
//!
//! Pictures are decoded here and recognised by whoever implements `TextRecognizer`; without one a picture says
//! what it needs. Pictures inside Office documents are not read.

mod decode;
mod layout;
mod tiff;

use super::Context;
use super::draft::Draft;
use super::verdict;
use crate::error::LibraryError;
use crate::kind::Kind;
use nearside_types::{
    Cancel, Extracted, Failure, FailureKind, FileStatus, PageImage, TextRecognizer, Trouble,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Below this confidence a line is named as unsure.
const SURE: f32 = 0.85;

/// Loads the recogniser, which takes a moment and much memory.
type Load<'a> = Box<dyn FnOnce() -> Result<Box<dyn TextRecognizer>, Failure> + 'a>;

/// Reads pictures, where there is a model for it, which is loaded when the first picture comes.
pub struct PictureReader<'a> {
    state: State<'a>,
    announce: Box<dyn FnMut() + 'a>,
}

enum State<'a> {
    None,
    Waiting(Load<'a>),
    Ready(Box<dyn TextRecognizer>),
    Failed(String),
}

impl<'a> PictureReader<'a> {
    /// No model: pictures say what they need.
    #[must_use]
    pub fn none() -> Self {
        Self { state: State::None, announce: Box::new(|| {}) }
    }

    /// A model that is loaded by `load` once it is needed.
    #[must_use]
    pub fn lazy(load: impl FnOnce() -> Result<Box<dyn TextRecognizer>, Failure> + 'a) -> Self {
        Self { state: State::Waiting(Box::new(load)), announce: Box::new(|| {}) }
    }

    /// `announce` is called before each picture: it takes seconds, where other pages take milliseconds.
    #[must_use]
    pub fn announcing(self, announce: impl FnMut() + 'a) -> Self {
        Self { announce: Box::new(announce), ..self }
    }

    /// Whether pictures are read at all.
    pub(crate) fn is_some(&self) -> bool {
        !matches!(self.state, State::None)
    }

    /// Reads one picture, which `draw` makes only if there is a model.
    ///
    /// # Errors
    /// `Cancelled` after a cancel.
    pub(crate) fn page(
        &mut self,
        draw: impl FnOnce() -> Option<PageImage>,
        cancel: &Cancel,
    ) -> Result<Recognised, LibraryError> {
        if matches!(self.state, State::None) {
            return Ok(Recognised::NoModel);
        }
        (self.announce)();
        if let State::Waiting(_) = self.state
            && let State::Waiting(load) = std::mem::replace(&mut self.state, State::None)
        {
            self.state = match load() {
                Ok(recognizer) => State::Ready(recognizer),
                Err(failure) => State::Failed(failure.message),
            };
        }
        let recognizer = match &self.state {
            State::Ready(recognizer) => recognizer,
            State::Failed(why) => return Ok(Recognised::ModelFailed(why.clone())),
            _ => return Ok(Recognised::NoModel),
        };
        // Neither decoders nor the model's runtime are ours: a panic costs one page.
        let lines = catch_unwind(AssertUnwindSafe(|| {
            draw().map(|image| recognizer.recognize(&image, cancel))
        }));
        match lines {
            Ok(Some(Ok(lines))) => Ok(Recognised::Text(layout::text(&lines, SURE))),
            Ok(Some(Err(failure))) if failure.kind == FailureKind::Cancelled => {
                Err(LibraryError::Cancelled)
            }
            Ok(Some(Err(failure))) if failure.kind == FailureKind::ModelMissing => {
                Ok(Recognised::ModelFailed(failure.message))
            }
            _ => Ok(Recognised::Failed),
        }
    }
}

/// What came of one picture.
pub(crate) enum Recognised {
    Text(layout::PageText),
    /// There is no model.
    NoModel,
    /// There is one, and it cannot be used: the sentence says why.
    ModelFailed(String),
    /// This picture could not be drawn or read.
    Failed,
}

/// Which pages were read from pictures, and how sure they are.
#[derive(Default)]
pub(crate) struct Notes {
    read: Vec<u32>,
    unsure: Vec<(u32, layout::Unsure)>,
}

/// So many pages are named one by one; the others together.
const NAMED: usize = 20;

impl Notes {
    pub(crate) fn take(&mut self, page: u32, text: &layout::PageText) {
        if !text.text.is_empty() {
            self.read.push(page);
        }
        if text.unsure.lines > 0 {
            self.unsure.push((page, text.unsure));
        }
    }

    /// Says it; none of it makes the file partial.
    pub(crate) fn say(&self, draft: &mut Draft, ranges: fn(&[u32]) -> String) {
        if !self.read.is_empty() {
            draft.warn(Trouble::PagesRecognized { pages: ranges(&self.read) });
        }
        let (named, others) = self.unsure.split_at(self.unsure.len().min(NAMED));
        let each = named.iter().map(std::slice::from_ref);
        for group in each.chain((!others.is_empty()).then_some(others)) {
            let pages: Vec<u32> = group.iter().map(|(page, _)| *page).collect();
            draft.warn(Trouble::PagesUnsure {
                pages: ranges(&pages),
                lines: group.iter().map(|(_, unsure)| unsure.lines).sum(),
                percent: group.iter().map(|(_, unsure)| unsure.percent).min().unwrap_or(0),
            });
        }
    }
}

/// An image file: one page.
pub(super) fn read(
    bytes: &[u8],
    format: &'static str,
    context: &mut Context<'_, '_>,
) -> Result<Extracted, LibraryError> {
    let kind = Kind::Image(format);
    if !decode::is_read(format) {
        return Ok(verdict::unread_picture(kind));
    }
    if !context.pictures.is_some() {
        return Ok(verdict::without_text(kind));
    }
    let mut refused = None;
    let draw = || match decode::decode(bytes, format, context.limits) {
        Ok(image) => Some(image),
        Err(why) => {
            refused = Some(why);
            None
        }
    };
    let outcome = context.pictures.page(draw, context.cancel)?;
    match (outcome, refused) {
        (_, Some(decode::Refusal::TooLarge { pixels, limit })) => {
            Ok(verdict::large_picture(kind, pixels, limit))
        }
        (Recognised::Text(text), _) => {
            let mut draft = Draft::new(kind, context.limits);
            draft.page(None, &text.text);
            let mut notes = Notes::default();
            notes.take(1, &text);
            notes.say(&mut draft, |_| "1".to_owned());
            if format == "tiff" && tiff::has_more_pages(bytes) {
                draft.missing(Trouble::FirstPages { pages: 1 });
            }
            (context.progress)(1, 1);
            Ok(draft.finish())
        }
        (Recognised::NoModel, _) => Ok(verdict::without_text(kind)),
        (Recognised::ModelFailed(why), _) => {
            let mut draft = Draft::new(kind, context.limits);
            draft.warn(Trouble::OcrFailed { why });
            Ok(draft.finish_as(FileStatus::NeedsOcr))
        }
        (Recognised::Failed, _) => Ok(verdict::corrupt(kind, Trouble::PictureDamaged)),
    }
}
