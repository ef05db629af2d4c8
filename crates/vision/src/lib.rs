//! Reads text in pictures on this machine: PP-OCRv6 finds the lines and reads them, in Chinese, English and
//! other languages, on pages that may be turned or a little askew.
//!
//! It opens no picture files and draws no PDF pages (the library does), fetches no model, and does not try to
//! understand a picture that is not text. A line that nobody can read is left out rather than made up.

mod ctc;
mod detector;
mod error;
mod geometry;
mod network;
mod order;
mod raster;
mod reader;
mod recogniser;
mod regions;

pub use error::VisionError;
pub use reader::PpOcr;

use nearside_types::{Failure, TextRecognizer};
use std::path::Path;

/// Loads the recogniser from the folder of an installed `pp-ocr`, in the form in which the library's worker
/// wants it.
///
/// # Errors
/// `ModelMissing` when a file of the folder is missing or damaged.
pub fn load(folder: &Path) -> Result<Box<dyn TextRecognizer>, Failure> {
    Ok(Box::new(PpOcr::load(folder)?))
}
