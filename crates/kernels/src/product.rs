//! Products of quantised weights with activations, spread over the threads: the plain one with bias or
//! residual, and the gated one of a SwiGLU feed-forward layer. The arithmetic of a tile is elsewhere.

use std::ops::Range;

use crate::activations::{Activations, RmsNorm};
use crate::disjoint::Disjoint;
use crate::math::silu;
use crate::tile::{Operand, ROWS};
use crate::{Compute, Isa, Linear, Matrix, portable};

/// Tokens that one pass over the weights serves: their sums and input codes stay in the first cache.
const TOKENS: usize = 128;
/// Tokens from which the wide kernel of AVX-512 is the faster. With fewer, the time goes into reading weights,
/// and it reads two runs of them in turns.
#[cfg(target_arch = "x86_64")]
const WORTH_WIDE: usize = 4;
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
    let at_once = compute.isa.groups_at_once();
    let pieces = linear.parts.iter().map(|part| part.groups().div_ceil(at_once)).sum();
    compute.pool.run_ranges(pieces, grain(linear, pieces, input.tokens), |range| {
        for_each_piece(&linear.parts, at_once, range, |part, groups, offset| {
            for_each_sum(compute.isa, part, groups, &input, |row, token, sums| {
                let count = sums.len().min(part.rows - row);
                let column = offset + row;
                let at = token * linear.rows + column;
                // SAFETY: each group of each part is given out once; groups cover different columns.
                let out = unsafe { places.part(at, count) };
                copy(out, sums);
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
    let at_once = compute.isa.groups_at_once();
    let pieces = gate.groups().div_ceil(at_once);
    compute.pool.run_ranges(pieces, grain(both, pieces, input.tokens), |range| {
        // `[token][row of the piece]`
        let width = at_once * ROWS;
        let mut gates = vec![0.0; width * input.tokens];
        for_each_piece(std::slice::from_ref(gate), at_once, range, |gate, groups, _| {
            let at = |row: usize, token| token * width + row - ROWS * groups.start;
            for_each_sum(compute.isa, gate, groups.clone(), &input, |row, token, sums| {
                copy(&mut gates[at(row, token)..][..sums.len()], sums);
            });
            for_each_sum(compute.isa, up, groups.clone(), &input, |row, token, sums| {
                let count = sums.len().min(gate.rows - row);
                // SAFETY: each group is given out once; groups cover different columns.
                let out = unsafe { places.part(token * gate.rows + row, count) };
                gate_by(compute.isa, out, &gates[at(row, token)..][..count], sums);
            });
        });
    });
    out
}

/// Fills `out` from the front of `sums`, whole kernels' worth of rows without a call.
#[inline(always)]
fn copy(out: &mut [f32], sums: &[f32]) {
    if let (Ok(out), Some(sums)) = (<&mut [f32; 2 * ROWS]>::try_from(&mut *out), sums.first_chunk())
    {
        *out = *sums;
    } else if let (Ok(out), Some(sums)) =
        (<&mut [f32; ROWS]>::try_from(&mut *out), sums.first_chunk())
    {
        *out = *sums;
    } else {
        out.copy_from_slice(&sums[..out.len()]);
    }
}

/// `silu(gates) * ups`.
#[inline]
fn gate_by(isa: Isa, out: &mut [f32], gates: &[f32], ups: &[f32]) {
    #[inline(always)]
    fn body(out: &mut [f32], gates: &[f32], ups: &[f32]) {
        for ((y, gate), up) in out.iter_mut().zip(gates).zip(ups) {
            *y = silu(*gate) * up;
        }
    }
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        #[target_feature(enable = "avx2")]
        fn wide(out: &mut [f32], gates: &[f32], ups: &[f32]) {
            body(out, gates, ups);
        }
        // SAFETY: `Isa` is the proof that the processor has AVX2.
        return unsafe { wide(out, gates, ups) };
    }
    let _ = isa;
    body(out, gates, ups);
}

fn add(out: &mut [f32], other: &[f32]) {
    for (y, x) in out.iter_mut().zip(other) {
        *y += x;
    }
}

/// Pieces that make work worth sharing.
fn grain(linear: &Linear, pieces: usize, tokens: usize) -> usize {
    let bytes = (linear.bytes() / pieces.max(1)).max(1) * tokens.max(1);
    (GRAIN_BYTES / bytes).max(1)
}

/// Calls `work` with (part, groups within it, output column of the part) for a range of all pieces, each of
/// `at_once` groups of one part, or what is left of it.
fn for_each_piece<'a>(
    parts: &'a [Matrix],
    at_once: usize,
    range: Range<usize>,
    mut work: impl FnMut(&'a Matrix, Range<usize>, usize),
) {
    let (mut first, mut offset) = (0, 0);
    for part in parts {
        let end = first + part.groups().div_ceil(at_once);
        for piece in range.start.max(first)..range.end.min(end) {
            let group = (piece - first) * at_once;
            work(part, group..(group + at_once).min(part.groups()), offset);
        }
        (first, offset) = (end, offset + part.rows);
    }
}

/// Computes one piece for all tokens and hands out (first row within the part, token, sums of the rows from
/// there, of which the last may lie beyond the part).
fn for_each_sum(
    isa: Isa,
    matrix: &Matrix,
    groups: Range<usize>,
    input: &Activations,
    mut take: impl FnMut(usize, usize, &[f32]),
) {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx512()
        && groups.len() == 2
        && input.tokens >= WORTH_WIDE
        && let Some(x) = input.quantized(matrix.layout.operand())
    {
        use crate::avx512::{WIDE, quantized};
        let tiles = [matrix.group(groups.start), matrix.group(groups.start + 1)];
        return in_turns::<WIDE>(
            input.tokens,
            // SAFETY: `Isa` is the proof that the processor has AVX-512 with VNNI.
            |from, sums| unsafe { quantized(matrix.layout, tiles, x, from, sums) },
            |token, sums| take(ROWS * groups.start, token, sums),
        );
    }
    for group in groups {
        let tiles = matrix.group(group);
        in_turns::<ROWS>(
            input.tokens,
            |from, sums| tile(isa, matrix, tiles, input, from, sums),
            |token, sums| take(ROWS * group, token, sums),
        );
    }
}

/// Lets `add` sum up as many tokens as stay in the first cache, and hands out their sums.
fn in_turns<const N: usize>(
    tokens: usize,
    add: impl Fn(usize, &mut [[f32; N]]),
    mut take: impl FnMut(usize, &[f32; N]),
) {
    if tokens == 1 {
        let mut sums = [[0.0; N]; 1];
        add(0, &mut sums);
        return take(0, &sums[0]);
    }
    for from in (0..tokens).step_by(TOKENS) {
        let mut sums = [[0.0; N]; TOKENS];
        let sums = &mut sums[..TOKENS.min(tokens - from)];
        add(from, sums);
        for (token, sums) in sums.iter().enumerate() {
            take(from + token, sums);
        }
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
        use crate::avx2::{AVX_VNNI, AVX512_VNNI, MADDUBS, quantized};
        if isa.has_avx512() {
            // SAFETY: `Isa` is the proof that the processor has AVX2, FMA, F16C and AVX-512 with VL and VNNI.
            return unsafe { quantized::<AVX512_VNNI>(layout, tiles, x, from, sums) };
        }
        if isa.has_avx_vnni() {
            // SAFETY: `Isa` is the proof that the processor has AVX2, FMA, F16C and AVX-VNNI.
            return unsafe { quantized::<AVX_VNNI>(layout, tiles, x, from, sums) };
        }
        // SAFETY: `Isa` is the proof that the processor has AVX2, FMA and F16C.
        return unsafe { quantized::<MADDUBS>(layout, tiles, x, from, sums) };
    }
    let _ = isa;
    portable::quantized(layout, tiles, x, from, sums);
}
