//! A recogniser that sees the same lines in every picture, and counts the pictures.

use nearside_types::{Cancel, Failure, FailureKind, PageImage, RecognizedLine, TextRecognizer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Lines with their confidence, one below the other.
#[derive(Debug, Clone, Default)]
pub struct FakeRecognizer {
    lines: Vec<(String, f32)>,
    seen: Arc<AtomicU32>,
}

impl FakeRecognizer {
    #[must_use]
    pub fn new(lines: &[(&str, f32)]) -> Self {
        let lines = lines.iter().map(|(text, sure)| ((*text).to_owned(), *sure)).collect();
        Self { lines, seen: Arc::default() }
    }

    /// Pictures that this one and its clones were shown.
    #[must_use]
    pub fn seen(&self) -> u32 {
        self.seen.load(Ordering::Relaxed)
    }
}

impl TextRecognizer for FakeRecognizer {
    fn recognize(
        &self,
        image: &PageImage,
        cancel: &Cancel,
    ) -> Result<Vec<RecognizedLine>, Failure> {
        self.seen.fetch_add(1, Ordering::Relaxed);
        if cancel.is_cancelled() {
            return Err(Failure::new(FailureKind::Cancelled, "Stopped."));
        }
        if image.rgb.len() != image.width as usize * image.height as usize * 3 {
            return Err(Failure::usage("This is no picture."));
        }
        let line = |(at, (text, confidence)): (usize, &(String, f32))| RecognizedLine {
            text: text.as_str().into(),
            confidence: *confidence,
            left: 0.0,
            top: at as f32 * 14.0,
            width: 100.0,
            height: 10.0,
        };
        Ok(self.lines.iter().enumerate().map(line).collect())
    }
}
