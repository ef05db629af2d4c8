//! `KvLayer`: keys and values of one layer, in half precision, in the order that attention reads them. It
//! knows no tokens; which of its positions are still valid is the session's business.

use half::f16;

/// Positions of one block of keys: two registers of eight.
pub(crate) const BLOCK: usize = 16;

/// Keys and values of one layer, appended position by position.
///
/// Blocks of 16 positions; within one, for each key-value head, keys `[dimension][position]` and values
/// `[position][dimension]`, so that both sums of attention run along registers.
pub struct KvLayer {
    pub(crate) heads: usize,
    pub(crate) head_size: usize,
    len: usize,
    pub(crate) keys: Vec<f16>,
    pub(crate) values: Vec<f16>,
    /// Where a GPU computes, its buffers instead.
    #[cfg(feature = "gpu")]
    pub(crate) device: Option<crate::gpu::DeviceKv>,
}

impl std::fmt::Debug for KvLayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KvLayer({} positions of {} × {})", self.len, self.heads, self.head_size)
    }
}

impl KvLayer {
    #[must_use]
    pub fn new(heads: usize, head_size: usize) -> Self {
        Self {
            heads,
            head_size,
            len: 0,
            keys: Vec::new(),
            values: Vec::new(),
            #[cfg(feature = "gpu")]
            device: None,
        }
    }

    /// Positions held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets positions from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let here = 2 * (self.keys.capacity() + self.values.capacity());
        #[cfg(feature = "gpu")]
        let here = here
            + self
                .device
                .as_ref()
                .map_or(0, |device| 8 * device.capacity * self.heads * self.head_size);
        here
    }

    /// Notes positions that a device has appended to its own buffers.
    #[cfg(feature = "gpu")]
    pub(crate) fn advance(&mut self, positions: usize) {
        self.len += positions;
    }

    /// Elements of one block of one head.
    pub(crate) fn block_size(&self) -> usize {
        BLOCK * self.head_size
    }

    /// Appends one position: all heads' keys and values, `[head][dimension]`.
    pub(crate) fn push(&mut self, key: &[f32], value: &[f32]) {
        let (block, within) = (self.len / BLOCK, self.len % BLOCK);
        let size = self.block_size();
        let needed = (block + 1) * self.heads * size;
        if self.keys.len() < needed {
            // Grown by some hundred positions at a time; zeroed, since attention multiplies whole blocks.
            let grown = needed.next_multiple_of(16 * self.heads * size);
            self.keys.reserve_exact(grown - self.keys.len());
            self.values.reserve_exact(grown - self.values.len());
            self.keys.resize(grown, f16::ZERO);
            self.values.resize(grown, f16::ZERO);
        }
        let heads = key.chunks_exact(self.head_size).zip(value.chunks_exact(self.head_size));
        for (head, (key, value)) in heads.enumerate() {
            let at = (block * self.heads + head) * size;
            for (slot, &x) in self.keys[at + within..at + size].iter_mut().step_by(BLOCK).zip(key) {
                *slot = f16::from_f32(x);
            }
            let at = at + within * self.head_size;
            for (slot, &x) in self.values[at..at + self.head_size].iter_mut().zip(value) {
                *slot = f16::from_f32(x);
            }
        }
        self.len += 1;
    }
}
