//! Products of quantised weights with activations, spread over the threads: the plain one with bias or
//! residual, and the gated one of a SwiGLU feed-forward layer. The arithmetic of a tile is elsewhere.

use crate::activations::{Activations, RmsNorm};
use crate::disjoint::Disjoint;
use crate::math::silu;
use crate::tile::{Operand, ROWS};
use crate::{Compute, Isa, Linear, Matrix, portable};

/// Tokens that one pass over the weights serves: their sums and input codes stay in the first cache.
const TOKENS: usize = 128;
/// Bytes of weights below which a piece of work is not worth another thread.
const GRAIN_BYTES: usize = 16 * 1024;

/// `normalised(x) · weightsᵀ + bias + residual`; `x` is rows of `linear.columns()`, the result rows of
/// `linear.rows()`.
pub(crate) fn linear(
    compute: &Compute,
    x: &[f32],
    norm: Option<&RmsNorm>,
    linear: &Linear,
    residual: Option<&[f32]>,
) -> Vec<f32> {
    let input = Activations::prepare(compute, x, linear.columns, norm, &[linear]);
    let mut out = vec![0.0; input.tokens * linear.rows];
    let places = Disjoint::new(&mut out);
    let groups: usize = linear.parts.iter().map(Matrix::groups).sum();
    compute.pool.run_ranges(groups, grain(linear, groups, input.tokens), |range| {
        for_each_group(&linear.parts, range, |part, group, offset| {
            let count = ROWS.min(part.rows - ROWS * group);
            let column = offset + ROWS * group;
            for_each_sum(compute.isa, part, group, &input, |token, sums| {
                let at = token * linear.rows + column;
                // SAFETY: each group of each part is given out once; groups cover different columns.
                let out = unsafe { places.part(at, count) };
                out.copy_from_slice(&sums[..count]);
                if let Some(bias) = &linear.bias {
                    add(out, &bias[column..column + count]);
                }
                if let Some(residual) = residual {
                    add(out, &residual[at..at + count]);
                }
            });
        });
    });
    out
}

/// `silu(normalised(x) · gateᵀ) * (normalised(x) · upᵀ)` (Shazeer 2020), where `both` is gate and up, of the
/// same size: rows of half of `both.rows()`. Anything but two equal parts gives no rows.
pub(crate) fn gated(
    compute: &Compute,
    x: &[f32],
    norm: Option<&RmsNorm>,
    both: &Linear,
) -> Vec<f32> {
    let [gate, up] = both.parts.as_slice() else { return Vec::new() };
    let input = Activations::prepare(compute, x, gate.columns, norm, &[both]);
    let mut out = vec![0.0; input.tokens * gate.rows];
    let places = Disjoint::new(&mut out);
    let groups = gate.groups();
    compute.pool.run_ranges(groups, grain(both, groups, input.tokens), |range| {
        let mut gates = vec![[0.0_f32; ROWS]; input.tokens];
        for group in range {
            let count = ROWS.min(gate.rows - ROWS * group);
            for_each_sum(compute.isa, gate, group, &input, |token, sums| gates[token] = *sums);
            for_each_sum(compute.isa, up, group, &input, |token, sums| {
                let at = token * gate.rows + ROWS * group;
                // SAFETY: each group is given out once; groups cover different columns.
                let out = unsafe { places.part(at, count) };
                for ((y, gate), up) in out.iter_mut().zip(&gates[token]).zip(sums) {
                    *y = silu(*gate) * up;
                }
            });
        }
    });
    out
}

fn add(out: &mut [f32], other: &[f32]) {
    for (y, x) in out.iter_mut().zip(other) {
        *y += x;
    }
}

/// Groups of rows that make a piece of work worth sharing.
fn grain(linear: &Linear, groups: usize, tokens: usize) -> usize {
    let bytes = (linear.bytes() / groups.max(1)).max(1) * tokens.max(1);
    (GRAIN_BYTES / bytes).max(1)
}

/// Calls `work` with (part, group within it, output column of the part) for a range of all groups.
fn for_each_group<'a>(
    parts: &'a [Matrix],
    range: std::ops::Range<usize>,
    mut work: impl FnMut(&'a Matrix, usize, usize),
) {
    let (mut first, mut offset) = (0, 0);
    for part in parts {
        let end = first + part.groups();
        for group in range.start.max(first)..range.end.min(end) {
            work(part, group - first, offset);
        }
        (first, offset) = (end, offset + part.rows);
    }
}

/// Computes one group of rows for all tokens and hands out the eight sums of each.
fn for_each_sum(
    isa: Isa,
    matrix: &Matrix,
    group: usize,
    input: &Activations,
    mut take: impl FnMut(usize, &[f32; ROWS]),
) {
    let tiles = matrix.group(group);
    let mut from = 0;
    while from < input.tokens {
        let count = TOKENS.min(input.tokens - from);
        if count == 1 {
            let mut sums = [[0.0; ROWS]; 1];
            tile(isa, matrix, tiles, input, from, &mut sums);
            take(from, &sums[0]);
        } else {
            let mut sums = [[0.0; ROWS]; TOKENS];
            tile(isa, matrix, tiles, input, from, &mut sums[..count]);
            for (token, sums) in sums[..count].iter().enumerate() {
                take(from + token, sums);
            }
        }
        from += count;
    }
}

/// One group of rows with the tokens `from ..`, by whichever kernel there is.
fn tile(
    isa: Isa,
    matrix: &Matrix,
    tiles: &[u8],
    input: &Activations,
    from: usize,
    sums: &mut [[f32; ROWS]],
) {
    let layout = matrix.layout;
    let operand = layout.operand_for(isa);
    if operand == Operand::Float {
        let Some(x) = &input.float else { return };
        let x = &x[from * input.columns..];
        if layout.bits() > 0 {
            return portable::exact(layout, tiles, x, input.columns, sums);
        }
        #[cfg(target_arch = "x86_64")]
        if isa.has_avx2() {
            // SAFETY: `Isa` is the proof that the processor has AVX2, FMA and F16C.
            return unsafe { crate::avx2::dense(layout, tiles, x, input.columns, sums) };
        }
        return portable::dense(layout, tiles, x, input.columns, sums);
    }
    // `prepare` made every form that these weights need.
    let Some(x) = input.quantized(operand) else { return };
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        // SAFETY: `Isa` is the proof that the processor has AVX2, FMA and F16C.
        return unsafe { crate::avx2::quantized(layout, tiles, x, from, sums) };
    }
    let _ = isa;
    portable::quantized(layout, tiles, x, from, sums);
}
