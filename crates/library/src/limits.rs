//! The bounds within which a foreign file is read. Numbers only; each reader enforces its own.

use serde::{Deserialize, Serialize};

/// How much of a machine one file may take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of the file itself.
    pub max_file_bytes: u64,
    /// Bytes of text that are kept, all pages together.
    pub max_text_bytes: usize,
    pub max_pages: usize,
    /// Bytes that all entries of a container may unpack to, together.
    pub max_unpacked_bytes: u64,
    /// Entries in a container.
    pub max_entries: usize,
    /// Unpacked bytes per packed byte, looked at from the second mebibyte of an entry on.
    pub max_ratio: u64,
    /// Open elements at one place of an XML part.
    pub max_xml_depth: usize,
    /// Files within files: an attachment of a message that is itself attached, and so on.
    pub max_nesting: u32,
    /// Pixels of a picture.
    pub max_picture_pixels: u64,
    /// Bytes that decoding a picture may take.
    pub max_picture_bytes: u64,
    /// Seconds a worker process may take for the file, apart from pages that are read as pictures.
    pub worker_seconds: u64,
    /// Seconds more for each page that is read as a picture, and for all of them together.
    pub picture_seconds: u64,
    pub pictures_seconds: u64,
    /// Address space of a worker process.
    pub worker_memory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_file_bytes: 256 << 20,
            max_text_bytes: 64 << 20,
            max_pages: 20_000,
            max_unpacked_bytes: 512 << 20,
            max_entries: 20_000,
            max_ratio: 400,
            max_xml_depth: 256,
            max_nesting: 3,
            max_picture_pixels: 100_000_000,
            max_picture_bytes: 512 << 20,
            worker_seconds: 120,
            picture_seconds: 60,
            pictures_seconds: 4 * 3600,
            worker_memory_bytes: 3 << 30,
        }
    }
}
