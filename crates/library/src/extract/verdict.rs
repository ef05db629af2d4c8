//! Results without text, each with one sentence that says what the file is and what to do.

use crate::kind::Kind;
use crate::limits::Limits;
use nearside_types::{Extracted, FileStatus, Trouble};

fn verdict(status: FileStatus, kind: Kind, what: Trouble) -> Extracted {
    Extracted {
        status,
        kind: kind.name().to_owned(),
        encoding: None,
        pages: Vec::new(),
        warnings: vec![what.into()],
    }
}

pub(super) fn too_large(bytes: u64, limits: &Limits) -> Extracted {
    let what = Trouble::FileTooLarge { bytes, limit_bytes: limits.max_file_bytes };
    verdict(FileStatus::TooLarge, Kind::Unknown, what)
}

/// A container that unpacks to more than allowed.
pub(super) fn bomb(kind: Kind, what: Trouble) -> Extracted {
    verdict(FileStatus::TooLarge, kind, what)
}

pub(super) fn corrupt(kind: Kind, what: Trouble) -> Extracted {
    verdict(FileStatus::Corrupt, kind, what)
}

pub(super) fn encrypted(kind: Kind) -> Extracted {
    verdict(FileStatus::Encrypted, kind, Trouble::Locked)
}

/// A picture in a format that nothing here decodes.
pub(super) fn unread_picture(kind: Kind) -> Extracted {
    let what = Trouble::PictureKindNotRead { kind: kind.name().to_owned() };
    verdict(FileStatus::Unsupported, kind, what)
}

pub(super) fn large_picture(kind: Kind, pixels: u64, limit: u64) -> Extracted {
    let (megapixels, limit) = (pixels.div_ceil(1_000_000), limit / 1_000_000);
    verdict(FileStatus::TooLarge, kind, Trouble::PictureTooLarge { megapixels, limit })
}

/// Kinds that hold no text we can read.
pub(super) fn without_text(kind: Kind) -> Extracted {
    let unsupported = |what| verdict(FileStatus::Unsupported, kind, what);
    match kind {
        Kind::Empty => verdict(FileStatus::Empty, kind, Trouble::NoContent),
        Kind::EncryptedOffice => encrypted(kind),
        Kind::Image(_) => verdict(FileStatus::NeedsOcr, kind, Trouble::Picture),
        Kind::LegacyOffice("msg") => unsupported(Trouble::OutlookMessage),
        Kind::LegacyOffice(_) => unsupported(Trouble::OldOffice),
        Kind::BrokenContainer(_) => corrupt(kind, Trouble::ContentsDamaged),
        Kind::Known("epub" | "opendocument" | "xlsb") => {
            unsupported(Trouble::KindNotRead { kind: kind.name().to_owned() })
        }
        Kind::Known("zip" | "gzip" | "7z" | "rar" | "xz" | "bzip2" | "zstd" | "tar") => {
            unsupported(Trouble::Archive)
        }
        Kind::Known("mp3" | "wav" | "flac" | "ogg" | "mp4" | "avi" | "matroska") => {
            unsupported(Trouble::Recording)
        }
        Kind::Known(name) => unsupported(Trouble::KindWithoutText { kind: name.to_owned() }),
        _ => unsupported(Trouble::UnknownBinary),
    }
}
