//! A recording on disk that a crash cannot take: a record for each second, compressed without loss (FLAC),
//! sealed, and on the disk before the next one begins.
//!
//! File: eight bytes `NEARREC1`, then records, each its length (u32, little-endian) and its sealed bytes. What is
//! sealed is one byte of kind and the content; the context it is sealed in has the recording's name and the
//! record's number, so that records can be neither exchanged nor left out unseen. A finished recording ends with
//! a record that says how long it is; without it, or cut anywhere, the file reads up to its last whole record.
//! It holds no name, no date and no text: those belong to whoever keeps the list of recordings.

mod codec;
mod reader;
mod writer;

#[cfg(test)]
mod tests;

pub use reader::Recording;
pub use writer::RecordingWriter;

use crate::SAMPLE_RATE;

const MAGIC: &[u8; 8] = b"NEARREC1";

/// Samples in a record: one second.
const RECORD: usize = SAMPLE_RATE as usize;

/// Longer than any record; a length above it is damage.
const MAX_SEALED: u32 = 256 * 1024;

/// What a record is sealed in.
fn context(name: &str, number: u64) -> String {
    format!("nearside recording {name} {number}")
}
