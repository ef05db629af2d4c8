//! `GgufFile`: a model file, mapped into memory and checked once, from which everything else is built.
//!
//! Reads GGUF versions 2 and 3, little-endian, as specified in ggml's `docs/gguf.md`. The header is walked
//! when the file is opened; tensor bytes are not touched, so opening takes as long for a small model as
//! for a big one. It converts and computes nothing, and repairs nothing: a file that contradicts itself is
//! refused with one sentence.

mod cursor;
mod header;
pub(crate) mod storage;
#[cfg(test)]
mod tests;
mod value;
pub mod write;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use nearside_kernels::GgmlType;

use crate::{Error, Result};
use header::Header;
use storage::Storage;
pub use value::{FromValue, Value};

/// A checked model file. Cloning shares it.
#[derive(Clone)]
pub struct GgufFile {
    inner: Arc<Inner>,
}

struct Inner {
    storage: Storage,
    header: Header,
}

/// A tensor as the file holds it. `dims` are in GGUF order: the first is the length of a row, whose
/// elements lie side by side. There are one to four of them.
#[derive(Debug, Clone, Copy)]
pub struct TensorView<'f> {
    pub name: &'f str,
    pub dims: &'f [usize],
    pub ggml_type: GgmlType,
    /// Exactly the blocks of `dims`, at an address that is a multiple of the file's alignment (8 at least).
    pub bytes: &'f [u8],
}

/// Bytes of the file together with a share of it, for owners that outlive the borrow of a [`GgufFile`].
#[derive(Clone)]
pub struct SharedBytes {
    file: GgufFile,
    range: Range<usize>,
}

impl GgufFile {
    /// Maps the file and checks its header.
    ///
    /// # Errors
    /// [`Error::Open`] when it cannot be opened, [`Error::Gguf`] when it is not a GGUF that can be used.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::from_storage(Storage::map(path.as_ref())?)
    }

    /// The same checks on bytes in memory, which are copied to an aligned place.
    ///
    /// # Errors
    /// [`Error::Gguf`] when they are not a GGUF that can be used.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::from_storage(Storage::copy(bytes))
    }

    fn from_storage(storage: Storage) -> Result<Self> {
        let header = Header::parse(storage.bytes()).map_err(Error::Gguf)?;
        Ok(Self { inner: Arc::new(Inner { storage, header }) })
    }

    /// The GGUF version, 2 or 3.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.inner.header.version
    }

    /// Size of the file in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.inner.storage.bytes().len()
    }

    /// The value of `key`, none where there is no such key. Integers convert between widths as long as
    /// the value fits. Strings and arrays of strings borrow from the file.
    ///
    /// # Errors
    /// [`Error::Metadata`] when the key holds something else.
    pub fn get<'f, T: FromValue<'f>>(&'f self, key: &str) -> Result<Option<T>> {
        let Some(value) = self.inner.header.metadata.get(key) else { return Ok(None) };
        T::from_value(value, self.inner.storage.bytes())
            .map(Some)
            .map_err(|why| Error::Metadata(format!("{key} {why}")))
    }

    /// The value of `key`, which has to be there.
    ///
    /// # Errors
    /// [`Error::Metadata`] when the key is missing or holds something else.
    pub fn need<'f, T: FromValue<'f>>(&'f self, key: &str) -> Result<T> {
        self.get(key)?.ok_or_else(|| Error::Metadata(format!("{key} is missing")))
    }

    /// Whether there is such a key, whatever it holds.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.inner.header.metadata.contains_key(key)
    }

    /// The keys, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.inner.header.metadata.keys().map(|key| &**key)
    }

    /// The tensor of this name.
    #[must_use]
    pub fn tensor(&self, name: &str) -> Option<TensorView<'_>> {
        let at = *self.inner.header.tensor_index.get(name)?;
        Some(self.view(at))
    }

    /// All tensors, in the file's order.
    pub fn tensors(&self) -> impl ExactSizeIterator<Item = TensorView<'_>> {
        (0..self.inner.header.tensors.len()).map(|at| self.view(at))
    }

    /// The bytes of a tensor together with a share of the file.
    #[must_use]
    pub fn shared_bytes(&self, name: &str) -> Option<SharedBytes> {
        let at = *self.inner.header.tensor_index.get(name)?;
        let range = self.inner.header.tensors[at].range.clone();
        Some(SharedBytes { file: self.clone(), range })
    }

    /// Tells the system that the bytes of a tensor are not needed soon, once they were copied elsewhere: their
    /// pages stop counting as this process's memory. They can still be read; that only takes longer.
    pub(crate) fn release(&self, name: &str) {
        if let Some(&at) = self.inner.header.tensor_index.get(name) {
            self.inner.storage.release(&self.inner.header.tensors[at].range);
        }
    }

    fn view(&self, at: usize) -> TensorView<'_> {
        let tensor = &self.inner.header.tensors[at];
        TensorView {
            name: &tensor.name,
            dims: &tensor.dims,
            ggml_type: tensor.ggml_type,
            bytes: &self.inner.storage.bytes()[tensor.range.clone()],
        }
    }
}

impl std::fmt::Debug for GgufFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GgufFile")
            .field("version", &self.version())
            .field("size", &self.size())
            .field("keys", &self.inner.header.metadata.len())
            .field("tensors", &self.inner.header.tensors.len())
            .finish()
    }
}

impl std::ops::Deref for SharedBytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.file.inner.storage.bytes()[self.range.clone()]
    }
}

impl std::fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SharedBytes({} bytes)", self.range.len())
    }
}
