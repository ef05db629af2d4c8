//! Text in pictures: what the library hands to whoever can read it, and what comes back. Never on the wire.

use crate::{Cancel, Failure, UserText};

/// A picture in memory, upright or not: rows from the top, pixels from the left, red, green and blue one
/// byte each.
#[derive(Clone, PartialEq, Eq)]
pub struct PageImage {
    pub width: u32,
    pub height: u32,
    /// `width * height * 3` bytes.
    pub rgb: Vec<u8>,
}

/// Tells the size only: the pixels are the user's content.
impl std::fmt::Debug for PageImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PageImage({} x {})", self.width, self.height)
    }
}

/// One run of text on one line. The box is in pixels of the page turned upright, so that a page that was
/// scanned sideways has lines that lie flat.
#[derive(Debug, Clone, PartialEq)]
pub struct RecognizedLine {
    pub text: UserText,
    /// 0 to 1: how sure the model is of the characters, on average.
    pub confidence: f32,
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
}

/// Reads the text in a picture.
pub trait TextRecognizer: Send + Sync {
    /// The lines in reading order; none where there is no text. Pages turned by a quarter, a half or three
    /// quarters are read as well. Work ends within one line, or within one look at the page, of a cancel.
    ///
    /// # Errors
    /// `Cancelled` after a cancel, `Usage` when `rgb` does not have the size it must have, `Internal` when the
    /// model fails.
    fn recognize(&self, image: &PageImage, cancel: &Cancel)
    -> Result<Vec<RecognizedLine>, Failure>;
}
