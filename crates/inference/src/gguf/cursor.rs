//! `Cursor`: reads little-endian numbers and lengths from bytes that nobody has vouched for. Every read is
//! checked against what is left, and nothing is allocated.

use std::ops::Range;

/// What is wrong with the file, as the middle of a sentence.
pub(super) type Fault = String;

pub(super) struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Moves past `len` bytes and says where they lie. `what` names them in the fault.
    pub(super) fn skip(&mut self, len: usize, what: &str) -> Result<Range<usize>, Fault> {
        if len > self.remaining() {
            return Err(format!(
                "it ends inside {what} ({len} bytes wanted at offset {}, {} left)",
                self.at,
                self.remaining()
            ));
        }
        let range = self.at..self.at + len;
        self.at = range.end;
        Ok(range)
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Fault> {
        let range = self.skip(N, what)?;
        let mut array = [0; N];
        array.copy_from_slice(&self.bytes[range]);
        Ok(array)
    }

    pub(super) fn u32(&mut self, what: &str) -> Result<u32, Fault> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self, what: &str) -> Result<u64, Fault> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// A count of things that take at least `least` bytes each, so that more than the rest of the file
    /// could hold is refused before anything is done for the first of them.
    pub(super) fn count(&mut self, least: usize, what: &str) -> Result<usize, Fault> {
        let count = self.u64(what)?;
        match usize::try_from(count) {
            Ok(fits) if fits <= self.remaining() / least.max(1) => Ok(fits),
            _ => Err(format!("it claims {count} for {what}, more than the file can hold")),
        }
    }

    /// A length and that many bytes.
    pub(super) fn string(&mut self, what: &str) -> Result<Range<usize>, Fault> {
        let len = self.count(1, what)?;
        self.skip(len, what)
    }

    /// A string that is a name: not empty, UTF-8, at most `most` bytes.
    pub(super) fn name(&mut self, most: usize, what: &str) -> Result<&'b str, Fault> {
        let range = self.string(what)?;
        if range.is_empty() || range.len() > most {
            let len = range.len();
            return Err(format!("{what} has {len} bytes, where 1 to {most} are allowed"));
        }
        let bytes: &'b [u8] = self.bytes;
        std::str::from_utf8(&bytes[range]).map_err(|_| format!("{what} is not UTF-8"))
    }
}
