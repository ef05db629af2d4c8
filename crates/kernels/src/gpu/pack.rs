//! Block formats as the GPU wants them: every code of a row one after another in words of 32 bits, and for
//! each group of 16 or 32 columns a scale and an offset, so that one kernel serves every format:
//! `weight = scale · code + offset`. Exact up to the rounding of that one expression; it uploads nothing.

use half::{bf16, f16};

use crate::GgmlType;
use crate::dequantize::{
    five, half_at, nibble, packed_scale, q3_k_code, q3_k_scale, q4_k_code, q5_k_code, q6_k_code,
};

/// How a matrix is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Packing {
    /// Bits of a code: 4, 8, or 32 for a plain `f32`.
    pub(crate) bits: usize,
    /// Columns that share a scale and an offset; 0 for plain numbers.
    pub(crate) group: usize,
}

impl Packing {
    pub(crate) fn of(kind: GgmlType) -> Self {
        let (bits, group) = match kind {
            GgmlType::F32 | GgmlType::F16 | GgmlType::Bf16 => (32, 0),
            GgmlType::Q4_0 | GgmlType::Q4_1 | GgmlType::Q4K => (4, 32),
            GgmlType::Q5_0 | GgmlType::Q5_1 | GgmlType::Q8_0 | GgmlType::Q5K => (8, 32),
            GgmlType::Q2K | GgmlType::Q3K => (4, 16),
            GgmlType::Q6K => (8, 16),
        };
        Self { bits, group }
    }

    pub(crate) fn words(self, columns: usize) -> usize {
        columns * self.bits / 32
    }

    /// Scales and offsets of a row, two numbers a group.
    pub(crate) fn scales(self, columns: usize) -> usize {
        columns.checked_div(self.group).map_or(0, |groups| 2 * groups)
    }
}

/// Appends one row of whole blocks to `words` and `scales`.
pub(crate) fn pack_row(kind: GgmlType, row: &[u8], words: &mut Vec<u32>, scales: &mut Vec<f32>) {
    let packing = Packing::of(kind);
    let mut codes = Vec::with_capacity(kind.block_len());
    for block in row.chunks_exact(kind.block_bytes()) {
        if packing.group == 0 {
            words.push(plain(kind, block).to_bits());
            continue;
        }
        codes.clear();
        codes.extend((0..kind.block_len()).map(|i| code(kind, block, i)));
        let per_word = 32 / packing.bits;
        words.extend(codes.chunks_exact(per_word).map(|codes| {
            let shifted = codes.iter().enumerate().map(|(i, code)| code << (i * packing.bits));
            shifted.fold(0, |word, code| word | code)
        }));
        for group in 0..kind.block_len() / packing.group {
            let (scale, offset) = scale(kind, block, group);
            scales.extend([scale, offset]);
        }
    }
}

fn plain(kind: GgmlType, element: &[u8]) -> f32 {
    match (kind, element) {
        (GgmlType::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
        (GgmlType::Bf16, &[a, b]) => bf16::from_le_bytes([a, b]).to_f32(),
        (_, &[a, b]) => f16::from_le_bytes([a, b]).to_f32(),
        _ => 0.0,
    }
}

/// Code `i` of a block, not negative.
fn code(kind: GgmlType, b: &[u8], i: usize) -> u32 {
    let code = match kind {
        GgmlType::Q4_0 => nibble(&b[2..18], i),
        GgmlType::Q4_1 => nibble(&b[4..20], i),
        GgmlType::Q5_0 => five(&b[2..6], &b[6..22], i),
        GgmlType::Q5_1 => five(&b[4..8], &b[8..24], i),
        GgmlType::Q8_0 => i32::from(b[2 + i].cast_signed()) + 128,
        GgmlType::Q2K => {
            let (half, within) = (i / 128, i % 128);
            i32::from((b[16 + 32 * half + within % 32] >> (2 * (within / 32))) & 3)
        }
        GgmlType::Q3K => q3_k_code(b, i),
        GgmlType::Q4K => q4_k_code(b, i),
        GgmlType::Q5K => q5_k_code(b, i),
        GgmlType::Q6K => q6_k_code(b, i),
        GgmlType::F32 | GgmlType::F16 | GgmlType::Bf16 => 0,
    };
    code.cast_unsigned()
}

/// Scale and offset of group `j` of a block.
#[expect(clippy::cast_precision_loss, reason = "scales have at most six bits")]
fn scale(kind: GgmlType, b: &[u8], j: usize) -> (f32, f32) {
    let below = |d: f32, by: f32| (d, -by * d);
    match kind {
        GgmlType::Q4_0 => below(half_at(b, 0), 8.0),
        GgmlType::Q5_0 => below(half_at(b, 0), 16.0),
        GgmlType::Q8_0 => below(half_at(b, 0), 128.0),
        GgmlType::Q4_1 | GgmlType::Q5_1 => (half_at(b, 0), half_at(b, 2)),
        GgmlType::Q4K | GgmlType::Q5K => {
            let (s, m) = packed_scale(&b[4..16], j);
            (half_at(b, 0) * f32::from(s), -(half_at(b, 2) * f32::from(m)))
        }
        GgmlType::Q2K => {
            let (s, m) = (b[j] & 15, b[j] >> 4);
            (half_at(b, 80) * f32::from(s), -(half_at(b, 82) * f32::from(m)))
        }
        GgmlType::Q3K => below(half_at(b, 108) * q3_k_scale(b, j) as f32, 4.0),
        GgmlType::Q6K => below(half_at(b, 208) * f32::from(b[192 + j].cast_signed()), 32.0),
        GgmlType::F32 | GgmlType::F16 | GgmlType::Bf16 => (1.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dequantize;

    /// Every format unpacks to what the reference decodes, but for one rounding.
    #[test]
    fn packed_rows_hold_the_weights_that_the_reference_decodes() {
        for kind in GgmlType::ALL {
            let columns = 512;
            let mut state = 12345_u32;
            let row: Vec<u8> = (0..kind.row_bytes(columns).unwrap())
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    // Small exponents wherever a half may lie, so that no scale is infinite.
                    (state >> 24) as u8 & 0x3b
                })
                .collect();
            let mut expected = vec![0.0; columns];
            dequantize(kind, &row, &mut expected).unwrap();
            let (mut words, mut scales) = (Vec::new(), Vec::new());
            pack_row(kind, &row, &mut words, &mut scales);
            let packing = Packing::of(kind);
            assert_eq!(words.len(), packing.words(columns), "{kind:?}");
            assert_eq!(scales.len(), packing.scales(columns), "{kind:?}");
            for (column, expected) in expected.iter().enumerate() {
                let per_word = 32 / packing.bits;
                let word = words[column / per_word];
                let found = if packing.bits == 32 {
                    f32::from_bits(word)
                } else {
                    let code = (word >> (column % per_word * packing.bits))
                        & ((1_u32 << packing.bits) - 1);
                    let at = 2 * (column / packing.group);
                    scales[at] * code as f32 + scales[at + 1]
                };
                let tolerance =
                    1e-5 * expected.abs().max(128.0 * scales.first().map_or(0.0, |s| s.abs()));
                assert!(
                    (found - expected).abs() <= tolerance,
                    "{kind:?} {column}: {found} {expected}"
                );
            }
        }
    }
}
