//! Results without text, each with one sentence that says what the file is and what to do.

use crate::kind::Kind;
use crate::limits::{Limits, size_in_words};
use nearside_types::{Extracted, FileStatus};

fn verdict(status: FileStatus, kind: Kind, sentence: impl Into<String>) -> Extracted {
    Extracted {
        status,
        kind: kind.name().to_owned(),
        encoding: None,
        pages: Vec::new(),
        warnings: vec![sentence.into()],
    }
}

pub(super) fn too_large(bytes: u64, limits: &Limits) -> Extracted {
    let (size, limit) = (size_in_words(bytes), size_in_words(limits.max_file_bytes));
    let sentence = format!("The file has {size}; files of up to {limit} are read. Split it first.");
    verdict(FileStatus::TooLarge, Kind::Unknown, sentence)
}

/// A container that unpacks to more than allowed.
pub(super) fn bomb(kind: Kind, sentence: impl Into<String>) -> Extracted {
    verdict(FileStatus::TooLarge, kind, sentence)
}

pub(super) fn corrupt(kind: Kind, sentence: impl Into<String>) -> Extracted {
    verdict(FileStatus::Corrupt, kind, sentence)
}

pub(super) fn encrypted(kind: Kind) -> Extracted {
    let sentence = "The file is locked with a password. Save a copy without one and add that.";
    verdict(FileStatus::Encrypted, kind, sentence)
}

/// Kinds that hold no text we can read.
pub(super) fn without_text(kind: Kind) -> Extracted {
    let unsupported = |sentence: String| verdict(FileStatus::Unsupported, kind, sentence);
    match kind {
        Kind::Empty => verdict(FileStatus::Empty, kind, "The file has no content at all."),
        Kind::EncryptedOffice => encrypted(kind),
        Kind::Image(_) => {
            verdict(FileStatus::NeedsOcr, kind, "This is a picture; its text needs OCR to be read.")
        }
        Kind::LegacyOffice("msg") => unsupported(
            "This is an Outlook message file. Save it as .eml and add that.".to_owned(),
        ),
        Kind::LegacyOffice(_) => unsupported(
            "This is an Office file from before 2007. Save it as .docx, .xlsx or .pptx and add that."
                .to_owned(),
        ),
        Kind::BrokenContainer(_) => corrupt(
            kind,
            "The file is cut off or damaged: its table of contents cannot be read. Get it again.",
        ),
        Kind::Known("epub" | "opendocument" | "xlsb") => unsupported(format!(
            "Files of kind {} are not read yet. Save it as .docx, .xlsx or .pdf and add that.",
            kind.name()
        )),
        Kind::Known("zip" | "gzip" | "7z" | "rar" | "xz" | "bzip2" | "zstd" | "tar") => unsupported(
            "This is an archive. Unpack it and add the files that matter.".to_owned(),
        ),
        Kind::Known("mp3" | "wav" | "flac" | "ogg" | "mp4" | "avi" | "matroska") => unsupported(
            "This is a recording; it holds sound or pictures and no text.".to_owned(),
        ),
        Kind::Known(name) => unsupported(format!("This is a {name} file; it holds no text to read.")),
        _ => unsupported("This is a binary file of an unknown kind; it holds no text to read.".to_owned()),
    }
}
