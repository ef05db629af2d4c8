//! `Matrix` and `Linear`: weights that stay block-quantised in memory, repacked once at load. They own
//! their bytes; the file they came from can be forgotten afterwards.

use burn::tensor::Device;
use half::f16;

use crate::disjoint::Disjoint;
use crate::tile::{Layout, ROWS, pack};
use crate::{Compute, GgmlType, KernelError, dequantize};

/// A matrix of `rows` × `columns`; a product takes vectors of `columns` to vectors of `rows`.
pub struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) layout: Layout,
    /// Groups of eight rows; within a group, tiles along the columns.
    pub(crate) tiles: Vec<u8>,
    /// The weights on a GPU, where they are there; then there are no tiles.
    #[cfg(feature = "gpu")]
    pub(crate) device: Option<crate::gpu::DeviceMatrix>,
}

impl std::fmt::Debug for Matrix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Matrix({} × {}, {:?})", self.rows, self.columns, self.layout)
    }
}

impl Matrix {
    /// Repacks a row-major tensor of `kind`, `rows` rows of `columns` elements, for `device`: into a GPU's
    /// memory, or into tiles for the processor that `compute` stands for.
    ///
    /// # Errors
    /// When the bytes are not exactly that many blocks, or the matrix is too large for memory.
    pub fn place(
        compute: &Compute,
        device: &Device,
        kind: GgmlType,
        rows: usize,
        columns: usize,
        bytes: &[u8],
    ) -> Result<Self, KernelError> {
        #[cfg(feature = "gpu")]
        if let Some(device) = crate::gpu::cube_device(device) {
            checked_row_bytes(kind, rows, columns, bytes)?;
            let matrix = crate::gpu::DeviceMatrix::upload(device, kind, rows, columns, bytes)?;
            let (layout, tiles) = (Layout::of(kind), Vec::new());
            return Ok(Self { rows, columns, layout, tiles, device: Some(matrix) });
        }
        let _ = device;
        Self::from_blocks(compute, kind, rows, columns, bytes)
    }

    /// As `place`, for the processor.
    ///
    /// # Errors
    /// As `place`.
    pub fn from_blocks(
        compute: &Compute,
        kind: GgmlType,
        rows: usize,
        columns: usize,
        bytes: &[u8],
    ) -> Result<Self, KernelError> {
        let too_large = || KernelError::TooLarge { rows, columns };
        let row_bytes = checked_row_bytes(kind, rows, columns, bytes)?;
        let layout = Layout::of(kind);
        let group_bytes =
            (columns / layout.columns()).checked_mul(layout.bytes()).ok_or_else(too_large)?;
        let groups = rows.div_ceil(ROWS);
        let total = groups.checked_mul(group_bytes).ok_or_else(too_large)?;
        let mut tiles = vec![0_u8; total];
        let parts = Disjoint::new(&mut tiles);
        compute.pool.run_ranges(groups, 8, |range| {
            for group in range {
                // SAFETY: every group number is given out once, and groups do not overlap.
                let part = unsafe { parts.part(group * group_bytes, group_bytes) };
                let rows_here = std::array::from_fn(|r| {
                    let row = ROWS * group + r;
                    (row < rows).then(|| &bytes[row * row_bytes..(row + 1) * row_bytes])
                });
                pack_group(kind, layout, columns, &rows_here, part);
            }
        });
        Ok(Self {
            rows,
            columns,
            layout,
            tiles,
            #[cfg(feature = "gpu")]
            device: None,
        })
    }

    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Bytes that the weights take in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        #[cfg(feature = "gpu")]
        if let Some(device) = &self.device {
            return device.bytes;
        }
        self.tiles.len()
    }

    /// Whether the weights are in a GPU's memory.
    pub(crate) fn on_gpu(&self) -> bool {
        #[cfg(feature = "gpu")]
        return self.device.is_some();
        #[cfg(not(feature = "gpu"))]
        false
    }

    pub(crate) fn groups(&self) -> usize {
        self.rows.div_ceil(ROWS)
    }

    /// The tiles of one group of eight rows.
    pub(crate) fn group(&self, group: usize) -> &[u8] {
        let bytes = self.columns / self.layout.columns() * self.layout.bytes();
        &self.tiles[group * bytes..(group + 1) * bytes]
    }
}

/// Bytes of a row, once `bytes` is known to be `rows` rows of whole blocks.
fn checked_row_bytes(
    kind: GgmlType,
    rows: usize,
    columns: usize,
    bytes: &[u8],
) -> Result<usize, KernelError> {
    let row_bytes = kind
        .row_bytes(columns)
        .filter(|&bytes| bytes > 0)
        .ok_or(KernelError::Ragged { kind: kind.name(), columns })?;
    let expected = row_bytes.checked_mul(rows).ok_or(KernelError::TooLarge { rows, columns })?;
    if bytes.len() == expected {
        Ok(row_bytes)
    } else {
        Err(KernelError::length(kind, bytes.len(), expected))
    }
}

fn pack_group(
    kind: GgmlType,
    layout: Layout,
    columns: usize,
    rows: &[Option<&[u8]>; ROWS],
    group: &mut [u8],
) {
    if layout.bits() > 0 {
        let block = kind.block_bytes();
        for (b, tile) in group.chunks_exact_mut(layout.bytes()).enumerate() {
            let blocks = rows.map(|row| row.map(|row| &row[b * block..(b + 1) * block]));
            pack(kind, &blocks, tile);
        }
        return;
    }
    for (r, row) in rows.iter().enumerate() {
        let Some(row) = row else { continue };
        let size = layout.bytes() / ROWS;
        if kind == GgmlType::Q2K {
            let mut values = vec![0.0; columns];
            // The row was cut at its exact size, so this cannot fail; were it to, the row would be zero.
            if dequantize(kind, row, &mut values).is_ok() {
                for (value, column) in values.iter().zip(group.chunks_exact_mut(2 * ROWS)) {
                    column[2 * r..2 * r + 2].copy_from_slice(&f16::from_f32(*value).to_le_bytes());
                }
            }
            continue;
        }
        for (value, column) in row.chunks_exact(size).zip(group.chunks_exact_mut(size * ROWS)) {
            column[size * r..size * (r + 1)].copy_from_slice(value);
        }
    }
}

/// One or more matrices over the same input, their outputs one after another, and perhaps a bias: the
/// query, key and value projections of a layer are one `Linear`, so that they cost one pass.
#[derive(Debug)]
pub struct Linear {
    pub(crate) parts: Vec<Matrix>,
    pub(crate) bias: Option<Vec<f32>>,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl Linear {
    /// # Errors
    /// When there is no part, the parts take different inputs, or the bias is not as long as the output.
    pub fn new(parts: Vec<Matrix>, bias: Option<Vec<f32>>) -> Result<Self, KernelError> {
        let columns = parts.first().map_or(0, Matrix::columns);
        let rows = parts.iter().map(Matrix::rows).sum();
        if columns == 0 || parts.iter().any(|part| part.columns != columns) {
            return Err(KernelError::Shape("matrices joined into one take different inputs"));
        }
        if bias.as_ref().is_some_and(|bias| bias.len() != rows) {
            return Err(KernelError::Shape("a bias is not as long as its matrix has rows"));
        }
        if parts.iter().any(|part| part.on_gpu() != parts[0].on_gpu()) {
            return Err(KernelError::Shape("matrices joined into one lie on different devices"));
        }
        Ok(Self { parts, bias, rows, columns })
    }

    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Bytes that the weights take in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(Matrix::bytes).sum()
    }
}
