//! `Storage`: where the bytes of a model lie, a mapped file or an aligned copy. It looks at none of them.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use crate::{Error, Result};

/// Enough for every vector register, so that a copy is aligned no worse than a mapped page needs to be.
#[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C, align(64))]
pub(crate) struct Line([u8; 64]);

pub(crate) enum Storage {
    Mapped(Mmap),
    Copied { lines: Vec<Line>, len: usize },
}

impl Storage {
    pub(crate) fn map(path: &Path) -> Result<Self> {
        let failed = |source| Error::Open { path: path.display().to_string(), source };
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?;
        if !length.is_file() {
            let source = std::io::Error::other("it is not a file");
            return Err(failed(source));
        }
        if length.len() == 0 {
            return Ok(Self::copy(&[]));
        }
        #[expect(unsafe_code, reason = "mapping is how a model of gigabytes opens in no time")]
        // SAFETY: the map is read-only and private to us. The one thing that could change the bytes under
        // a `&[u8]` is another process writing into this very file; installed models are never written
        // in place (downloads and conversions go to another name and are renamed), and whoever can write
        // to a user's model file can replace it anyway. All bytes are plain `u8`, valid in any state, and
        // every offset taken from them was checked against the length at the time of mapping.
        let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
        Ok(Self::Mapped(map))
    }

    pub(super) fn copy(bytes: &[u8]) -> Self {
        let mut lines = vec![Line([0; 64]); bytes.len().div_ceil(64)];
        bytemuck::cast_slice_mut(&mut lines)[..bytes.len()].copy_from_slice(bytes);
        Self::Copied { lines, len: bytes.len() }
    }

    /// Lets go of the pages behind these bytes, where the system can; they are read anew when next touched.
    pub(super) fn release(&self, range: &std::ops::Range<usize>) {
        #[cfg(unix)]
        if let Self::Mapped(map) = self {
            #[expect(unsafe_code, reason = "a model's pages and its repacked copy do not both fit")]
            // SAFETY: the map is a read-only view of a file that is never written through it, so pages that
            // are dropped come back from the file with the same bytes: no `&[u8]` sees a change.
            // memmap2 checks the range and aligns its start to pages.
            let advised = unsafe {
                map.unchecked_advise_range(
                    memmap2::UncheckedAdvice::DontNeed,
                    range.start,
                    range.len(),
                )
            };
            // Advice that is refused costs memory, not correctness.
            drop(advised);
        }
        #[cfg(not(unix))]
        let _ = range;
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Copied { lines, len } => &bytemuck::cast_slice(lines)[..*len],
        }
    }
}
