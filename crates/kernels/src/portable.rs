//! The product of one group of eight rows with some tokens in plain Rust: the meaning that SIMD kernels are
//! tested against, and what runs where there is none.

use half::{bf16, f16};

use crate::activations::Quantized;
use crate::tile::{Layout, ROWS, STEP, code_bytes, get_code, half_of};

/// Adds the products of a group with tokens `from ..` into `sums`, one entry a token.
#[expect(clippy::cast_precision_loss, reason = "integer sums here stay below 2^24")]
pub(crate) fn quantized(
    layout: Layout,
    group: &[u8],
    input: &Quantized,
    from: usize,
    sums: &mut [[f32; ROWS]],
) {
    let (bits, header) = (layout.bits(), layout.header());
    let steps = layout.columns() / STEP;
    for (t, tile) in group.chunks_exact(layout.bytes()).enumerate() {
        let (scales, codes) = tile.split_at(header);
        for (step, codes) in codes.chunks_exact(code_bytes(bits)).enumerate() {
            let block = t * steps + step;
            for row in 0..ROWS {
                let mut weights = [0_i32; STEP];
                for (column, weight) in weights.iter_mut().enumerate() {
                    let code = get_code(bits, codes, row, column);
                    *weight = if bits == 8 { code.cast_signed().into() } else { i32::from(code) };
                }
                let factors = factors(layout, scales, step, row);
                for (token, sums) in sums.iter_mut().enumerate() {
                    let at = block * input.tokens + from + token;
                    let x = &input.codes[at * STEP..(at + 1) * STEP];
                    for (half, (scale, offset)) in factors.into_iter().enumerate() {
                        let dot: i32 =
                            (16 * half..16 * half + 16).map(|i| weights[i] * i32::from(x[i])).sum();
                        sums[row] += dot as f32 * (scale * input.scales[at]);
                        if layout == Layout::Q6K {
                            sums[row] += offset * input.half_sums[2 * at + half];
                        } else if half == 0 {
                            sums[row] += offset * input.sums[at];
                        }
                    }
                }
            }
        }
    }
}

/// The product of block-quantised weights with activations as they are; `x` as in `dense`. The same plain code
/// is compiled for AVX2 as well, so that tests of whole models do not take minutes.
pub(crate) fn exact(
    layout: Layout,
    group: &[u8],
    x: &[f32],
    columns: usize,
    sums: &mut [[f32; ROWS]],
) {
    #[cfg(target_arch = "x86_64")]
    if crate::Isa::avx2().is_some() {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn wide(layout: Layout, group: &[u8], x: &[f32], columns: usize, sums: &mut [[f32; ROWS]]) {
            exact_body(layout, group, x, columns, sums);
        }
        // SAFETY: the line above has asked the processor for AVX2, FMA and F16C.
        return unsafe { wide(layout, group, x, columns, sums) };
    }
    exact_body(layout, group, x, columns, sums);
}

#[inline(always)]
fn exact_body(layout: Layout, group: &[u8], x: &[f32], columns: usize, sums: &mut [[f32; ROWS]]) {
    let (bits, header) = (layout.bits(), layout.header());
    let steps = layout.columns() / STEP;
    for (t, tile) in group.chunks_exact(layout.bytes()).enumerate() {
        let (scales, codes) = tile.split_at(header);
        for (step, codes) in codes.chunks_exact(code_bytes(bits)).enumerate() {
            let first = (t * steps + step) * STEP;
            for row in 0..ROWS {
                let factors = factors(layout, scales, step, row);
                let weights: [f32; STEP] = std::array::from_fn(|column| {
                    let code = get_code(bits, codes, row, column);
                    let (scale, offset) = factors[column / 16];
                    let code =
                        if bits == 8 { f32::from(code.cast_signed()) } else { f32::from(code) };
                    scale * code + offset
                });
                for (token, sums) in sums.iter_mut().enumerate() {
                    let x = &x[token * columns + first..][..STEP];
                    // Eight running sums, which fit one register.
                    let mut lanes = [0.0_f32; 8];
                    for (weights, x) in weights.chunks_exact(8).zip(x.chunks_exact(8)) {
                        for (lane, (w, x)) in lanes.iter_mut().zip(weights.iter().zip(x)) {
                            *lane += w * x;
                        }
                    }
                    sums[row] += lanes.iter().sum::<f32>();
                }
            }
        }
    }
}

/// Scale and offset of the two halves of a block; `weight = scale * code + offset`.
fn factors(layout: Layout, scales: &[u8], step: usize, row: usize) -> [(f32, f32); 2] {
    let d = half_of(scales, row);
    let whole = match layout {
        Layout::Q4_0 => (d, -8.0 * d),
        Layout::Q5_0 => (d, -16.0 * d),
        Layout::Q4_1 | Layout::Q5_1 => (d, half_of(&scales[16..], row)),
        Layout::Q4K | Layout::Q5K => {
            let (scale, minimum) = (scales[32 + 8 * step + row], scales[96 + 8 * step + row]);
            (d * f32::from(scale), -half_of(&scales[16..], row) * f32::from(minimum))
        }
        Layout::Q6K => {
            return std::array::from_fn(|half| {
                let scale = scales[16 + 8 * (2 * step + half) + row].cast_signed();
                let scale = d * f32::from(scale);
                (scale, -32.0 * scale)
            });
        }
        Layout::Q8_0 | Layout::F16 | Layout::Bf16 | Layout::F32 => (d, 0.0),
    };
    [whole, whole]
}

/// The same for dense weights; `x` is `[token][column]`, beginning with the first token wanted.
pub(crate) fn dense(
    layout: Layout,
    group: &[u8],
    x: &[f32],
    columns: usize,
    sums: &mut [[f32; ROWS]],
) {
    for (column, eight) in group.chunks_exact(layout.bytes()).enumerate() {
        let weights: [f32; ROWS] = std::array::from_fn(|row| dense_value(layout, eight, row));
        for (token, sums) in sums.iter_mut().enumerate() {
            let x = x[token * columns + column];
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight * x;
            }
        }
    }
}

fn dense_value(layout: Layout, eight: &[u8], row: usize) -> f32 {
    let two = || [eight[2 * row], eight[2 * row + 1]];
    match layout {
        Layout::F16 => f16::from_le_bytes(two()).to_f32(),
        Layout::Bf16 => bf16::from_le_bytes(two()).to_f32(),
        _ => {
            let at = 4 * row;
            f32::from_le_bytes([eight[at], eight[at + 1], eight[at + 2], eight[at + 3]])
        }
    }
}
