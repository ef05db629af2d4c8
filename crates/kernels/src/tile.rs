//! The layout of repacked weights: tiles of eight rows, so that one vector register holds the same columns
//! of eight rows and a product needs no sums across lanes. Nothing is decoded to floats: codes and scales
//! keep the bits they have in the file, at the same size.
//!
//! A tile of a block format covers 8 rows × 32 columns (256 for the K formats):
//! - scales first, each as eight values, one a row: `d`, then `m` (`Q4_1`, `Q5_1`) or `dmin` (K formats),
//!   half precision; K formats then have 8-bit scales `[sub-block][row]`, and minima likewise;
//! - then for every 32 columns the codes. Columns are taken in eight groups of four. A *code vector* `g`
//!   has 32 bytes, `row * 4 + column in group`. Low nibbles: byte vector `v` (0 to 3) has code vector `v`
//!   in its low half and `v + 4` in its high half. A fifth bit: one vector before them, bit `g` of a byte
//!   belongs to code vector `g`. Two more bits (`Q6_K`): two vectors before them, for `g` 0 to 3 and 4 to
//!   7, bits `2 (g mod 4)` and up. Eight-bit codes: eight code vectors as they are.
//!
//! Dense formats have no blocks: `[column][row of eight]`.

use crate::dequantize::{
    five, half_at, nibble, packed_scale, q3_k_code, q3_k_scale, q4_k_code, q5_k_code, q6_k_code,
};
use crate::{GgmlType, Isa};

/// Rows of a tile.
pub(crate) const ROWS: usize = 8;
/// Columns that share one scale in most formats, and the step of the kernels.
pub(crate) const STEP: usize = 32;

/// How a matrix is kept after loading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q4K,
    Q5K,
    Q6K,
    F16,
    Bf16,
    F32,
}

/// Which activations a layout multiplies with; the same pairs as in ggml, so that results agree with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    /// 8-bit blocks of 32 with a half-precision scale.
    Q8_0,
    /// The same, and the sum of a block rounded to half precision.
    Q8_1,
    /// 8-bit blocks of 256 with a single-precision scale.
    Q8K,
    /// Not quantised.
    Float,
}

impl Layout {
    /// The layout for a file's type. `Q3_K` fits the fields of `Q6_K` exactly; `Q2_K` has minima for 16
    /// columns, which no tile has, and is kept in half precision.
    pub(crate) fn of(kind: GgmlType) -> Self {
        match kind {
            GgmlType::Q4_0 => Self::Q4_0,
            GgmlType::Q4_1 => Self::Q4_1,
            GgmlType::Q5_0 => Self::Q5_0,
            GgmlType::Q5_1 => Self::Q5_1,
            GgmlType::Q8_0 => Self::Q8_0,
            GgmlType::Q4K => Self::Q4K,
            GgmlType::Q5K => Self::Q5K,
            GgmlType::Q3K | GgmlType::Q6K => Self::Q6K,
            GgmlType::F16 | GgmlType::Q2K => Self::F16,
            GgmlType::Bf16 => Self::Bf16,
            GgmlType::F32 => Self::F32,
        }
    }

    pub(crate) fn operand(self) -> Operand {
        match self {
            Self::Q4_0 | Self::Q5_0 | Self::Q8_0 => Operand::Q8_0,
            Self::Q4_1 | Self::Q5_1 => Operand::Q8_1,
            Self::Q4K | Self::Q5K | Self::Q6K => Operand::Q8K,
            Self::F16 | Self::Bf16 | Self::F32 => Operand::Float,
        }
    }

    /// The same, or floats for the reference kernel.
    pub(crate) fn operand_for(self, isa: Isa) -> Operand {
        if isa.is_reference() { Operand::Float } else { self.operand() }
    }

    /// Columns of a tile.
    pub(crate) fn columns(self) -> usize {
        match self {
            Self::Q4_0 | Self::Q4_1 | Self::Q5_0 | Self::Q5_1 | Self::Q8_0 => STEP,
            Self::Q4K | Self::Q5K | Self::Q6K => 256,
            Self::F16 | Self::Bf16 | Self::F32 => 1,
        }
    }

    /// Bits of a code, 0 for dense layouts.
    pub(crate) fn bits(self) -> usize {
        match self {
            Self::Q4_0 | Self::Q4_1 | Self::Q4K => 4,
            Self::Q5_0 | Self::Q5_1 | Self::Q5K => 5,
            Self::Q6K => 6,
            Self::Q8_0 => 8,
            Self::F16 | Self::Bf16 | Self::F32 => 0,
        }
    }

    /// Bytes of scales before the codes of a tile.
    pub(crate) fn header(self) -> usize {
        match self {
            Self::Q4_0 | Self::Q5_0 | Self::Q8_0 => 16,
            Self::Q4_1 | Self::Q5_1 => 32,
            Self::Q4K | Self::Q5K => 32 + 2 * 64,
            Self::Q6K => 16 + 128,
            Self::F16 | Self::Bf16 | Self::F32 => 0,
        }
    }

    /// Bytes of a tile.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::F16 | Self::Bf16 => 2 * ROWS,
            Self::F32 => 4 * ROWS,
            _ => self.header() + self.columns() / STEP * code_bytes(self.bits()),
        }
    }
}

/// Bytes of the codes of 8 rows × 32 columns.
pub(crate) const fn code_bytes(bits: usize) -> usize {
    STEP * ROWS * bits / 8
}

/// Writes one tile of a block layout from the blocks of its rows; rows beyond the matrix are `None` and
/// stay zero. `tile` comes zeroed.
pub(crate) fn pack(kind: GgmlType, blocks: &[Option<&[u8]>; ROWS], tile: &mut [u8]) {
    let layout = Layout::of(kind);
    let mut codes = [0_u8; 256];
    let codes = &mut codes[..layout.columns()];
    for (row, block) in blocks.iter().enumerate() {
        let Some(block) = block else { continue };
        pack_scales(kind, block, row, tile);
        read_codes(kind, block, codes);
        let steps = tile[layout.header()..].chunks_exact_mut(code_bytes(layout.bits()));
        for (tile, codes) in steps.zip(codes.chunks_exact(STEP)) {
            match layout.bits() {
                4 => put_codes::<4>(tile, row, codes),
                5 => put_codes::<5>(tile, row, codes),
                6 => put_codes::<6>(tile, row, codes),
                _ => put_codes::<8>(tile, row, codes),
            }
        }
    }
}

fn pack_scales(kind: GgmlType, block: &[u8], row: usize, tile: &mut [u8]) {
    let mut pair = |at: usize, from: usize| {
        tile[at + 2 * row..at + 2 * row + 2].copy_from_slice(&block[from..from + 2]);
    };
    match kind {
        GgmlType::Q4_0 | GgmlType::Q5_0 | GgmlType::Q8_0 => pair(0, 0),
        GgmlType::Q4_1 | GgmlType::Q5_1 => {
            pair(0, 0);
            pair(16, 2);
        }
        GgmlType::Q4K | GgmlType::Q5K => {
            pair(0, 0);
            pair(16, 2);
            for j in 0..8 {
                let (scale, minimum) = packed_scale(&block[4..16], j);
                tile[32 + 8 * j + row] = scale;
                tile[96 + 8 * j + row] = minimum;
            }
        }
        GgmlType::Q6K => {
            pair(0, 208);
            for j in 0..16 {
                tile[16 + 8 * j + row] = block[192 + j];
            }
        }
        GgmlType::Q3K => {
            pair(0, 108);
            for j in 0..16 {
                // Six bits, so always within an i8.
                #[expect(clippy::cast_possible_truncation, reason = "between -32 and 31")]
                let scale = q3_k_scale(block, j) as i8;
                tile[16 + 8 * j + row] = scale.cast_unsigned();
            }
        }
        GgmlType::F32 | GgmlType::F16 | GgmlType::Bf16 | GgmlType::Q2K => {}
    }
}

/// The codes of a block as they are stored; `Q3_K` is shifted to the middle of `Q6_K`'s range.
fn read_codes(kind: GgmlType, block: &[u8], codes: &mut [u8]) {
    match kind {
        GgmlType::Q4_0 => fill(codes, |i| nibble(&block[2..18], i)),
        GgmlType::Q4_1 => fill(codes, |i| nibble(&block[4..20], i)),
        GgmlType::Q5_0 => fill(codes, |i| five(&block[2..6], &block[6..22], i)),
        GgmlType::Q5_1 => fill(codes, |i| five(&block[4..8], &block[8..24], i)),
        GgmlType::Q8_0 => codes.copy_from_slice(&block[2..34]),
        GgmlType::Q4K => fill(codes, |i| q4_k_code(block, i)),
        GgmlType::Q5K => fill(codes, |i| q5_k_code(block, i)),
        GgmlType::Q6K => fill(codes, |i| q6_k_code(block, i)),
        GgmlType::Q3K => fill(codes, |i| q3_k_code(block, i) - 4 + 32),
        GgmlType::F32 | GgmlType::F16 | GgmlType::Bf16 | GgmlType::Q2K => {}
    }
}

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "codes have at most eight bits")]
fn fill(codes: &mut [u8], code: impl Fn(usize) -> i32) {
    for (i, place) in codes.iter_mut().enumerate() {
        *place = code(i).cast_unsigned() as u8;
    }
}

/// Puts the 32 codes of one row into a tile's zeroed step.
fn put_codes<const BITS: usize>(tile: &mut [u8], row: usize, codes: &[u8]) {
    let extra = if BITS == 8 { 0 } else { 32 * (BITS - 4) };
    for column in 0..4 {
        let at = row * 4 + column;
        for group in 0..8 {
            let code = codes[4 * group + column];
            match BITS {
                8 => {
                    tile[32 * group + at] = code;
                    continue;
                }
                5 => tile[at] |= (code >> 4) << group,
                6 => tile[32 * (group / 4) + at] |= (code >> 4) << (2 * (group % 4)),
                _ => {}
            }
            tile[extra + 32 * (group % 4) + at] |= (code & 15) << (4 * (group / 4));
        }
    }
}

/// Reads a code back: the portable kernel and `Matrix::row` use it.
pub(crate) fn get_code(bits: usize, codes: &[u8], row: usize, column: usize) -> u8 {
    let (group, at) = (column / 4, row * 4 + column % 4);
    let (extra, high) = match bits {
        8 => return codes[32 * group + at],
        5 => (32, (codes[at] >> group) & 1),
        6 => (64, (codes[32 * (group / 4) + at] >> (2 * (group % 4))) & 3),
        _ => (0, 0),
    };
    ((codes[extra + 32 * (group % 4) + at] >> (4 * (group / 4))) & 15) | (high << 4)
}

/// The half-precision value of `row` in eight of them.
pub(crate) fn half_of(eight: &[u8], row: usize) -> f32 {
    half_at(eight, 2 * row)
}
