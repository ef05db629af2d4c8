//! Attention within each of several sequences that lie one after another in one tensor, without masks and
//! without padding: what an encoder needs. It keeps no cache; decoders have `attention`.

use crate::disjoint::Disjoint;
use crate::math::exp;
use crate::{Compute, Isa};

/// Query rows that share what is read.
pub(crate) const ROWS: usize = 4;
/// Columns of a tile: two registers of eight.
pub(crate) const COLUMNS: usize = 16;

/// `fused` is rows of query, key and value, each `heads * head_size` wide; `lengths` add up to the rows. The
/// result has rows of `heads * head_size`. `head_size` is a multiple of `COLUMNS`.
pub(crate) fn attend(
    compute: &Compute,
    fused: &[f32],
    heads: usize,
    head_size: usize,
    lengths: &[usize],
) -> Vec<f32> {
    let width = heads * head_size;
    let mut out = vec![0.0; fused.len() / 3];
    let places = Disjoint::new(&mut out);
    let mut starts = Vec::with_capacity(lengths.len());
    let mut start = 0;
    for length in lengths {
        starts.push(start);
        start += length;
    }
    // A head of a short sequence is a few microseconds of work.
    let longest = lengths.iter().copied().max().unwrap_or(1).max(1);
    let grain = (16 * 1024 / (longest * longest)).max(1);
    compute.pool.run_ranges(lengths.len() * heads, grain, |range| {
        let mut room = Room::default();
        for piece in range {
            let (sequence, head) = (piece / heads, piece % heads);
            let (start, length) = (starts[sequence], lengths[sequence]);
            room.load(fused, start, length, width, head * head_size, head_size);
            for first in (0..length).step_by(ROWS) {
                room.mix(compute.isa, first, length, head_size);
                for row in first..length.min(first + ROWS) {
                    let at = (start + row) * width + head * head_size;
                    // SAFETY: each head of each row is in one piece, and each piece is given out once.
                    unsafe { places.part(at, head_size) }
                        .copy_from_slice(&room.mixed[(row - first) * head_size..][..head_size]);
                }
            }
        }
    });
    out
}

/// One head of one sequence, laid out for the tiles.
#[derive(Default)]
struct Room {
    /// `[row][head_size]`, whole groups of `ROWS`, already scaled.
    queries: Vec<f32>,
    /// `[head_size][padded length]`.
    keys: Vec<f32>,
    /// `[padded length][head_size]`.
    values: Vec<f32>,
    /// `ROWS` rows of the padded length.
    scores: Vec<f32>,
    /// `ROWS` rows of `head_size`.
    mixed: Vec<f32>,
}

impl Room {
    #[expect(clippy::cast_precision_loss, reason = "a head has some dozens of elements")]
    fn load(
        &mut self,
        fused: &[f32],
        start: usize,
        length: usize,
        width: usize,
        offset: usize,
        head_size: usize,
    ) {
        let padded = length.next_multiple_of(COLUMNS);
        let scale = 1.0 / (head_size as f32).sqrt();
        self.queries.clear();
        self.queries.resize(length.next_multiple_of(ROWS) * head_size, 0.0);
        self.keys.clear();
        self.keys.resize(padded * head_size, 0.0);
        self.values.clear();
        self.values.resize(padded * head_size, 0.0);
        self.scores.resize(ROWS * padded, 0.0);
        self.mixed.resize(ROWS * head_size, 0.0);
        for row in 0..length {
            let at = (start + row) * 3 * width + offset;
            let query = &mut self.queries[row * head_size..][..head_size];
            for (place, x) in query.iter_mut().zip(&fused[at..at + head_size]) {
                *place = x * scale;
            }
            for (d, x) in fused[at + width..at + width + head_size].iter().enumerate() {
                self.keys[d * padded + row] = *x;
            }
            self.values[row * head_size..][..head_size]
                .copy_from_slice(&fused[at + 2 * width..at + 2 * width + head_size]);
        }
    }

    /// Fills `mixed` for the query rows `first ..`.
    fn mix(&mut self, isa: Isa, first: usize, length: usize, head_size: usize) {
        let padded = length.next_multiple_of(COLUMNS);
        let queries = &self.queries[first * head_size..][..ROWS * head_size];
        let scores = &mut self.scores[..ROWS * padded];
        product(isa, queries, &self.keys, head_size, padded, scores);
        for row in scores.chunks_exact_mut(padded) {
            softmax(isa, row, length);
        }
        product(isa, scores, &self.values, padded, head_size, &mut self.mixed);
    }
}

/// `out[ROWS][columns] = a[ROWS][inner] · b[inner][columns]`.
fn product(isa: Isa, a: &[f32], b: &[f32], inner: usize, columns: usize, out: &mut [f32]) {
    for column in (0..columns).step_by(COLUMNS) {
        #[cfg(target_arch = "x86_64")]
        if isa.has_avx2() {
            // SAFETY: `Isa` is the proof that the processor has AVX2, FMA and F16C.
            unsafe { crate::packed_attention_avx2::tile(a, b, inner, columns, column, out) };
            continue;
        }
        let _ = isa;
        for (row, a) in a.chunks_exact(inner).enumerate() {
            let out = &mut out[row * columns + column..][..COLUMNS];
            out.fill(0.0);
            for (x, b) in a.iter().zip(b.chunks_exact(columns)) {
                for (out, b) in out.iter_mut().zip(&b[column..column + COLUMNS]) {
                    *out += x * b;
                }
            }
        }
    }
}

fn softmax(isa: Isa, row: &mut [f32], length: usize) {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn wide(row: &mut [f32], length: usize) {
            softmax_body(row, length);
        }
        // SAFETY: `Isa` is the proof that the processor has AVX2, FMA and F16C.
        return unsafe { wide(row, length) };
    }
    let _ = isa;
    softmax_body(row, length);
}

/// Weights that add up to 1 over the first `length`, 0 beyond. A row is whole eights.
#[inline(always)]
fn softmax_body(row: &mut [f32], length: usize) {
    row[length..].fill(f32::NEG_INFINITY);
    let mut lanes = [f32::NEG_INFINITY; 8];
    for eight in row.chunks_exact(8) {
        for (lane, &x) in lanes.iter_mut().zip(eight) {
            *lane = if x > *lane { x } else { *lane };
        }
    }
    let largest = lanes.into_iter().fold(f32::NEG_INFINITY, f32::max);
    let mut sums = [0.0_f32; 8];
    for eight in row.chunks_exact_mut(8) {
        for (sum, x) in sums.iter_mut().zip(eight) {
            *x = exp(*x - largest);
            *sum += *x;
        }
    }
    let share = 1.0 / sums.iter().sum::<f32>();
    row.iter_mut().for_each(|x| *x *= share);
    row[length..].fill(0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, one element at a time and in double precision.
    fn by_definition(fused: &[f32], heads: usize, size: usize, lengths: &[usize]) -> Vec<f64> {
        let width = heads * size;
        let at = |row: usize, part: usize, head: usize, d: usize| {
            f64::from(fused[row * 3 * width + part * width + head * size + d])
        };
        let mut out = vec![0.0; fused.len() / 3];
        let mut start = 0;
        for &length in lengths {
            for (row, head) in (0..length).flat_map(|row| (0..heads).map(move |head| (row, head))) {
                let weights: Vec<f64> = (0..length)
                    .map(|key| {
                        let dot: f64 = (0..size)
                            .map(|d| at(start + row, 0, head, d) * at(start + key, 1, head, d))
                            .sum();
                        (dot / f64::from(u32::try_from(size).unwrap()).sqrt()).exp()
                    })
                    .collect();
                let total: f64 = weights.iter().sum();
                for d in 0..size {
                    let mixed: f64 =
                        (0..length).map(|key| weights[key] * at(start + key, 2, head, d)).sum();
                    out[(start + row) * width + head * size + d] = mixed / total;
                }
            }
            start += length;
        }
        out
    }

    #[test]
    fn sequences_attend_to_themselves_only() {
        let lengths = [1, 5, 16, 17, 33];
        let (heads, size) = (2, 32);
        let rows: usize = lengths.iter().sum();
        let mut state = 7_u32;
        let fused: Vec<f32> = (0..rows * 3 * heads * size)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f32::from(u16::try_from(state >> 16).unwrap()) / 16_384.0 - 2.0
            })
            .collect();
        let expected = by_definition(&fused, heads, size, &lengths);
        for (isa, threads) in [(Isa::portable(), 1), (Isa::best(), 1), (Isa::best(), 3)] {
            let compute = Compute::new(isa, threads).unwrap();
            let found = attend(&compute, &fused, heads, size, &lengths);
            for (found, expected) in found.iter().zip(&expected) {
                assert!((f64::from(*found) - expected).abs() < 2e-5, "{found} {expected}");
            }
        }
    }
}
