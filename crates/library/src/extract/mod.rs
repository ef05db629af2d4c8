//! One file in, one [`Extracted`] out: its kind by content, its pages, and exactly one status.
//!
//! Nothing here starts a process, keeps anything, or looks at the network. A file that cannot be read is an
//! ordinary result with a sentence that says why and what to do; only a missing file and a cancel are errors.

mod docx;
mod draft;
mod drawing;
mod email;
mod html;
mod mime;
mod package;
mod pdf;
mod picture;
mod plain;
mod pptx;
mod rtf;
mod verdict;
mod xlsx;
mod xml;

use crate::error::LibraryError;
use crate::kind::{self, Kind};
use crate::limits::Limits;
use crate::text::decode::decode;
use draft::Draft;
use nearside_types::{Cancel, Extracted};
pub use picture::PictureReader;
use std::io::Read;
use std::path::Path;

/// What to read.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    Path(&'a Path),
    /// A file in memory, with the name it had; only its ending matters, and only for plain text.
    Bytes {
        name: &'a str,
        bytes: &'a [u8],
    },
}

/// What every reader is given besides the bytes.
pub(crate) struct Context<'a, 'p> {
    pub limits: &'a Limits,
    pub cancel: &'a Cancel,
    pub pictures: &'a mut PictureReader<'p>,
    /// Pages done and pages in all.
    pub progress: &'a mut dyn FnMut(u32, u32),
    /// Files around this one: 0 for the file itself, 1 for an attachment.
    pub depth: u32,
}

impl Context<'_, '_> {
    /// # Errors
    /// `Cancelled`, once the user stopped it.
    pub(crate) fn check(&self) -> Result<(), LibraryError> {
        if self.cancel.is_cancelled() { Err(LibraryError::Cancelled) } else { Ok(()) }
    }
}

/// Reads a file; pictures only say what they need. `progress` gets pages done and pages in all; work ends
/// within one page of a cancel.
///
/// ```
/// use nearside_library::{Limits, Source, extract};
/// let source = Source::Bytes { name: "note.md", bytes: b"# Rent\n\n4200 a month\n" };
/// let read = extract(source, &Limits::default(), &Default::default(), &mut |_, _| {})?;
/// assert_eq!(read.kind, "markdown");
/// assert_eq!(read.pages[0].section.as_deref(), Some("Rent"));
/// # Ok::<(), nearside_library::LibraryError>(())
/// ```
///
/// # Errors
/// `NotFound` and `Unreadable` when the path cannot be opened, `Cancelled` after a cancel.
pub fn extract(
    source: Source<'_>,
    limits: &Limits,
    cancel: &Cancel,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Extracted, LibraryError> {
    extract_with_pictures(source, limits, &mut PictureReader::none(), cancel, progress)
}

/// The same, and pictures and scanned pages are read by `pictures`.
///
/// # Errors
/// As [`extract`].
pub fn extract_with_pictures(
    source: Source<'_>,
    limits: &Limits,
    pictures: &mut PictureReader<'_>,
    cancel: &Cancel,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Extracted, LibraryError> {
    let mut context = Context { limits, cancel, pictures, progress, depth: 0 };
    match source {
        Source::Bytes { name, bytes } => read(bytes, name, &mut context),
        Source::Path(path) => {
            let size = LibraryError::facts_of(path)?;
            if size.len() > limits.max_file_bytes {
                return Ok(verdict::too_large(size.len(), limits));
            }
            let bytes = read_file(path, limits)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            read(&bytes, &name, &mut context)
        }
    }
}

/// Reads at most one byte more than allowed, so that a file that grows, or a device, cannot fill memory.
fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>, LibraryError> {
    let file = std::fs::File::open(path).map_err(|error| LibraryError::from_io(&error))?;
    let mut bytes = Vec::new();
    file.take(limits.max_file_bytes.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| LibraryError::from_io(&error))?;
    Ok(bytes)
}

/// Reads a file in memory; attachments come back here, one level deeper.
pub(crate) fn read(
    bytes: &[u8],
    name: &str,
    context: &mut Context<'_, '_>,
) -> Result<Extracted, LibraryError> {
    context.check()?;
    if bytes.len() as u64 > context.limits.max_file_bytes {
        return Ok(verdict::too_large(bytes.len() as u64, context.limits));
    }
    let Some(kind) = kind::by_magic(bytes, context.limits) else {
        return read_text(bytes, name, context);
    };
    match kind {
        Kind::Pdf => pdf::read(bytes, context),
        Kind::Docx => docx::read(bytes, context),
        Kind::Pptx => pptx::read(bytes, context),
        Kind::Xlsx => xlsx::read(bytes, context),
        Kind::Rtf => rtf::read(bytes, context),
        Kind::Image(format) => picture::read(bytes, format, context),
        other => Ok(verdict::without_text(other)),
    }
}

fn read_text(
    bytes: &[u8],
    name: &str,
    context: &mut Context<'_, '_>,
) -> Result<Extracted, LibraryError> {
    let Some(decoded) = decode(bytes, None) else {
        return Ok(verdict::without_text(Kind::Unknown));
    };
    let kind = kind::by_text(&decoded.text, name);
    match kind {
        Kind::Html => Ok(html::read(bytes, context.limits)),
        Kind::Email => email::read(bytes, context),
        _ => {
            let mut draft = Draft::new(kind, context.limits);
            plain::write(&decoded, kind, &mut draft);
            (context.progress)(1, 1);
            Ok(draft.finish())
        }
    }
}
