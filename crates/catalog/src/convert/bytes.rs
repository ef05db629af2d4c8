//! A reader of little-endian numbers and counted strings that knows how much is left, so that no length
//! in a file can ask for more memory than the file has bytes.

use std::io::{Read, Seek, SeekFrom};

use crate::CatalogError;

/// Reads from the beginning of `inner`, which has `length` bytes.
#[derive(Debug)]
pub struct Bounded<R> {
    inner: R,
    what: &'static str,
    position: u64,
    length: u64,
}

impl<R: Read + Seek> Bounded<R> {
    /// `what` names the file in errors, e.g. "CTranslate2 model".
    pub fn new(inner: R, length: u64, what: &'static str) -> Self {
        Self { inner, what, position: 0, length }
    }

    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    pub(crate) fn wrong(&self, reason: impl Into<String>) -> CatalogError {
        CatalogError::format(self.what, reason)
    }

    fn check(&self, count: u64) -> Result<(), CatalogError> {
        if count > self.length.saturating_sub(self.position) {
            return Err(self.wrong(format!("it ends too early, at byte {}", self.position)));
        }
        Ok(())
    }

    /// # Errors
    /// When fewer bytes are left, or the disk fails.
    pub fn fill(&mut self, out: &mut [u8]) -> Result<(), CatalogError> {
        self.check(out.len() as u64)?;
        self.inner.read_exact(out).map_err(|error| self.wrong(error.to_string()))?;
        self.position += out.len() as u64;
        Ok(())
    }

    /// # Errors
    /// As [`Self::fill`]; the memory is taken only after the check.
    pub fn bytes(&mut self, count: u64) -> Result<Vec<u8>, CatalogError> {
        self.check(count)?;
        let size =
            usize::try_from(count).map_err(|_| self.wrong("it is too big for this machine"))?;
        let mut out = vec![0; size];
        self.fill(&mut out)?;
        Ok(out)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CatalogError> {
        let mut out = [0; N];
        self.fill(&mut out)?;
        Ok(out)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, CatalogError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(crate) fn u16(&mut self) -> Result<u16, CatalogError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, CatalogError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, CatalogError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(crate) fn f32(&mut self) -> Result<f32, CatalogError> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    /// A signed 32-bit number that has to be between 0 and `most`.
    pub(crate) fn count(&mut self, what: &str, most: u32) -> Result<u32, CatalogError> {
        let number = i32::from_le_bytes(self.array()?);
        u32::try_from(number)
            .ok()
            .filter(|number| *number <= most)
            .ok_or_else(|| self.wrong(format!("its {what} is {number}")))
    }

    /// A string counted by 16 bits; zero bytes at its end are dropped.
    pub(crate) fn string(&mut self) -> Result<String, CatalogError> {
        let count = self.u16()?;
        let bytes = self.bytes(u64::from(count))?;
        let text = String::from_utf8(bytes).map_err(|_| self.wrong("a name is not UTF-8"))?;
        Ok(text.trim_end_matches('\0').to_owned())
    }

    /// # Errors
    /// When `count` bytes are not left.
    pub fn skip(&mut self, count: u64) -> Result<(), CatalogError> {
        self.check(count)?;
        self.seek(self.position + count)
    }

    /// # Errors
    /// When `position` is beyond the end.
    pub fn seek(&mut self, position: u64) -> Result<(), CatalogError> {
        if position > self.length {
            return Err(self.wrong("it points beyond its own end"));
        }
        self.inner
            .seek(SeekFrom::Start(position))
            .map_err(|error| self.wrong(error.to_string()))?;
        self.position = position;
        Ok(())
    }
}
