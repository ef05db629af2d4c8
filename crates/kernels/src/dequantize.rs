//! Block formats to `f32`, bit for bit as ggml's reference does it: same order of operations, no fused
//! multiply. It is the ground truth of the tests and serves embedding look-ups; products use `Matrix`.

use half::{bf16, f16};

use crate::{GgmlType, KernelError};

/// A half-precision number from two little-endian bytes.
pub(crate) fn half_at(block: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([block[at], block[at + 1]]).to_f32()
}

/// Decodes whole blocks of `kind` into `out`.
///
/// # Errors
/// When `out` is not whole blocks, or `bytes` is not exactly their size.
pub fn dequantize(kind: GgmlType, bytes: &[u8], out: &mut [f32]) -> Result<(), KernelError> {
    let expected = kind
        .row_bytes(out.len())
        .ok_or(KernelError::Ragged { kind: kind.name(), columns: out.len() })?;
    if bytes.len() != expected {
        return Err(KernelError::length(kind, bytes.len(), expected));
    }
    let decode: fn(&[u8], &mut [f32]) = match kind {
        GgmlType::F32 => |b, y| y[0] = f32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        GgmlType::F16 => |b, y| y[0] = half_at(b, 0),
        GgmlType::Bf16 => |b, y| y[0] = bf16::from_le_bytes([b[0], b[1]]).to_f32(),
        GgmlType::Q4_0 => |b, y| scaled(y, half_at(b, 0), |i| nibble(&b[2..18], i) - 8),
        GgmlType::Q4_1 => |b, y| affine(y, half_at(b, 0), half_at(b, 2), |i| nibble(&b[4..20], i)),
        GgmlType::Q5_0 => |b, y| scaled(y, half_at(b, 0), |i| five(&b[2..6], &b[6..22], i) - 16),
        GgmlType::Q5_1 => |b, y| {
            affine(y, half_at(b, 0), half_at(b, 2), |i| five(&b[4..8], &b[8..24], i));
        },
        GgmlType::Q8_0 => |b, y| scaled(y, half_at(b, 0), |i| i32::from(b[2 + i].cast_signed())),
        GgmlType::Q2K => q2_k,
        GgmlType::Q3K => q3_k,
        GgmlType::Q4K => |b, y| with_minima(b, y, |i| q4_k_code(b, i)),
        GgmlType::Q5K => |b, y| with_minima(b, y, |i| q5_k_code(b, i)),
        GgmlType::Q6K => q6_k,
    };
    let blocks = bytes.chunks_exact(kind.block_bytes()).zip(out.chunks_exact_mut(kind.block_len()));
    for (block, values) in blocks {
        decode(block, values);
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "codes have at most eight bits")]
fn scaled(out: &mut [f32], scale: f32, code: impl Fn(usize) -> i32) {
    for (i, y) in out.iter_mut().enumerate() {
        *y = scale * code(i) as f32;
    }
}

#[expect(clippy::cast_precision_loss, reason = "codes have at most eight bits")]
fn affine(out: &mut [f32], scale: f32, offset: f32, code: impl Fn(usize) -> i32) {
    for (i, y) in out.iter_mut().enumerate() {
        *y = scale * code(i) as f32 + offset;
    }
}

/// Code `i` of 32 in 16 bytes: low nibbles first, then high ones.
pub(crate) fn nibble(codes: &[u8], i: usize) -> i32 {
    i32::from((codes[i % 16] >> (4 * (i / 16))) & 15)
}

/// Code `i` of 32 with its fifth bit in `high`, a little-endian `u32`.
pub(crate) fn five(high: &[u8], codes: &[u8], i: usize) -> i32 {
    nibble(codes, i) | (i32::from((high[i / 8] >> (i % 8)) & 1) << 4)
}

/// Scale and minimum of sub-block `j` in the 12 packed bytes of `Q4_K` and `Q5_K`, six bits each.
pub(crate) fn packed_scale(packed: &[u8], j: usize) -> (u8, u8) {
    if j < 4 {
        (packed[j] & 63, packed[j + 4] & 63)
    } else {
        (
            (packed[j + 4] & 15) | ((packed[j - 4] >> 6) << 4),
            (packed[j + 4] >> 4) | ((packed[j] >> 6) << 4),
        )
    }
}

pub(crate) fn q4_k_code(block: &[u8], i: usize) -> i32 {
    let (pair, within) = (i / 64, i % 64);
    i32::from((block[16 + 32 * pair + within % 32] >> (4 * (within / 32))) & 15)
}

pub(crate) fn q5_k_code(block: &[u8], i: usize) -> i32 {
    let (pair, within) = (i / 64, i % 64);
    let low = (block[48 + 32 * pair + within % 32] >> (4 * (within / 32))) & 15;
    let high = (block[16 + i % 32] >> (i / 32)) & 1;
    i32::from(low | (high << 4))
}

/// The unsigned code, 0 to 63; the value subtracts 32.
pub(crate) fn q6_k_code(block: &[u8], i: usize) -> i32 {
    let (half, within) = (i / 128, i % 128);
    let low = (block[64 * half + within % 64] >> (4 * (within / 64))) & 15;
    let high = (block[128 + 32 * half + within % 32] >> (2 * (within / 32))) & 3;
    i32::from(low | (high << 4))
}

/// The unsigned code of `Q3_K`, 0 to 7; the value subtracts 4.
pub(crate) fn q3_k_code(block: &[u8], i: usize) -> i32 {
    let (half, within) = (i / 128, i % 128);
    let low = (block[32 + 32 * half + within % 32] >> (2 * (within / 32))) & 3;
    let high = (block[i % 32] >> (i / 32)) & 1;
    i32::from(low | (high << 2))
}

/// The signed scale of 16 elements of `Q3_K`.
pub(crate) fn q3_k_scale(block: &[u8], j: usize) -> i32 {
    let packed = &block[96..108];
    let low = (packed[j % 8] >> (4 * (j / 8))) & 15;
    let high = (packed[8 + j % 4] >> (2 * (j / 4))) & 3;
    i32::from(low | (high << 4)) - 32
}

#[expect(clippy::cast_precision_loss, reason = "codes have at most six bits")]
fn with_minima(block: &[u8], out: &mut [f32], code: impl Fn(usize) -> i32) {
    let (scale, minimum) = (half_at(block, 0), half_at(block, 2));
    for (j, values) in out.chunks_exact_mut(32).enumerate() {
        let (s, m) = packed_scale(&block[4..16], j);
        let (d, below) = (scale * f32::from(s), minimum * f32::from(m));
        for (i, y) in values.iter_mut().enumerate() {
            *y = d * code(32 * j + i) as f32 - below;
        }
    }
}

fn q2_k(block: &[u8], out: &mut [f32]) {
    let (scale, minimum) = (half_at(block, 80), half_at(block, 82));
    for (j, values) in out.chunks_exact_mut(16).enumerate() {
        let d = scale * f32::from(block[j] & 15);
        let below = minimum * f32::from(block[j] >> 4);
        for (l, y) in values.iter_mut().enumerate() {
            let i = 16 * j + l;
            let (half, within) = (i / 128, i % 128);
            let code = (block[16 + 32 * half + within % 32] >> (2 * (within / 32))) & 3;
            *y = d * f32::from(code) - below;
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "codes and scales have at most six bits")]
fn q3_k(block: &[u8], out: &mut [f32]) {
    let scale = half_at(block, 108);
    for (j, values) in out.chunks_exact_mut(16).enumerate() {
        let d = scale * q3_k_scale(block, j) as f32;
        for (l, y) in values.iter_mut().enumerate() {
            *y = d * (q3_k_code(block, 16 * j + l) - 4) as f32;
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "codes have at most six bits")]
fn q6_k(block: &[u8], out: &mut [f32]) {
    let scale = half_at(block, 208);
    for (j, values) in out.chunks_exact_mut(16).enumerate() {
        let d = scale * f32::from(block[192 + j].cast_signed());
        for (l, y) in values.iter_mut().enumerate() {
            *y = d * (q6_k_code(block, 16 * j + l) - 32) as f32;
        }
    }
}
