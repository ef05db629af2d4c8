//! Causal attention over a KV cache, with grouped heads: rotates, appends keys and values, and mixes. The
//! work is cut into a key-value head and up to four query rows, which share every key and value that is
//! read. It knows no masks but the causal one.

use half::f16;

use crate::disjoint::Disjoint;
use crate::kv_layer::{BLOCK, KvLayer};
use crate::math::exp;
use crate::rotary::RotaryTable;
use crate::{Compute, Isa};

/// Query rows that are worked on together: four rows × two registers of sums.
pub(crate) const ROWS: usize = 4;

/// Sizes of an attention layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadShape {
    pub heads: usize,
    /// Key-value heads; divides `heads`.
    pub kv_heads: usize,
    /// A multiple of 8.
    pub head_size: usize,
}

impl HeadShape {
    /// Columns of query, key and value together.
    #[must_use]
    pub fn fused_columns(self) -> usize {
        (self.heads + 2 * self.kv_heads) * self.head_size
    }
}

/// `fused` is rows of query, key and value; the result rows of `heads * head_size`. The rows' keys and
/// values are appended to `cache`, and row `i` sees everything up to itself.
pub(crate) fn attend(
    compute: &Compute,
    fused: &[f32],
    shape: HeadShape,
    rotary: &RotaryTable,
    cache: &mut KvLayer,
) -> Vec<f32> {
    let HeadShape { heads, kv_heads, head_size } = shape;
    let (width, kv_width) = (heads * head_size, kv_heads * head_size);
    let tokens = fused.len() / shape.fused_columns();
    let before = cache.len();
    let (mut queries, mut keys) = (vec![0.0; tokens * width], vec![0.0; tokens * kv_width]);
    let (query_places, key_places) = (Disjoint::new(&mut queries), Disjoint::new(&mut keys));
    compute.pool.run_ranges(tokens, 8, |range| {
        for token in range {
            let row = &fused[token * shape.fused_columns()..];
            // SAFETY: each token is given out once, and rows do not overlap.
            let (query, key) = unsafe {
                (
                    query_places.part(token * width, width),
                    key_places.part(token * kv_width, kv_width),
                )
            };
            query.copy_from_slice(&row[..width]);
            key.copy_from_slice(&row[width..width + kv_width]);
            for head in query.chunks_exact_mut(head_size).chain(key.chunks_exact_mut(head_size)) {
                rotary.rotate(token, head);
            }
            round_to_half(compute.isa, query);
        }
    });
    let rows = fused.chunks_exact(shape.fused_columns());
    for (row, key) in rows.zip(keys.chunks_exact(kv_width)) {
        cache.push(key, &row[width + kv_width..]);
    }

    let mut out = vec![0.0; tokens * width];
    let places = Disjoint::new(&mut out);
    let group = heads / kv_heads;
    // Rows of one key-value head: token by token, its query heads; taken by `ROWS`.
    let pieces = (tokens * group).div_ceil(ROWS);
    let cache = &*cache;
    let grain = (64 * 1024 / (ROWS * head_size * (before + tokens))).max(1);
    compute.pool.run_ranges(kv_heads * pieces, grain, |range| {
        let mut scores = Vec::new();
        let mut mixed = vec![0.0; ROWS * head_size];
        for piece in range {
            let (kv_head, first) = (piece / pieces, piece % pieces * ROWS);
            let count = ROWS.min(tokens * group - first);
            let place = |row: usize| {
                let row = first + row.min(count - 1);
                let (token, head) = (row / group, kv_head * group + row % group);
                (token, token * width + head * head_size)
            };
            let rows: [&[f32]; ROWS] = std::array::from_fn(|row| {
                let at = place(row).1;
                &queries[at..at + head_size]
            });
            let seen = std::array::from_fn(|row| before + place(row).0 + 1);
            mix(compute.isa, cache, kv_head, &rows, seen, &mut scores, &mut mixed);
            for row in 0..count {
                // SAFETY: each row of each head is in one piece, and each piece is given out once.
                unsafe { places.part(place(row).1, head_size) }
                    .copy_from_slice(&mixed[row * head_size..(row + 1) * head_size]);
            }
        }
    });
    out
}

/// Softmax-weighted values of one key-value head for four query rows, of which row `r` sees `seen[r]`
/// positions; `seen` does not decrease. `out` is four rows.
fn mix(
    isa: Isa,
    cache: &KvLayer,
    kv_head: usize,
    rows: &[&[f32]; ROWS],
    seen: [usize; ROWS],
    scores: &mut Vec<f32>,
    out: &mut [f32],
) {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx512() && cache.head_size.is_multiple_of(16) {
        #[target_feature(enable = "avx2,fma,f16c,avx512f")]
        fn widest(
            cache: &KvLayer,
            kv_head: usize,
            rows: &[&[f32]; ROWS],
            seen: [usize; ROWS],
            scores: &mut Vec<f32>,
            out: &mut [f32],
        ) {
            let length = prepare(seen, scores);
            crate::attention_avx512::scores(cache, kv_head, rows, scores, length);
            softmax::<16>(scores, length, seen, rows[0].len());
            crate::attention_avx2::round_to_half(scores);
            crate::attention_avx512::values(cache, kv_head, scores, length, out);
        }
        // SAFETY: `Isa` is the proof that the processor has AVX2, FMA, F16C and AVX-512.
        return unsafe { widest(cache, kv_head, rows, seen, scores, out) };
    }
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn wide(
            cache: &KvLayer,
            kv_head: usize,
            rows: &[&[f32]; ROWS],
            seen: [usize; ROWS],
            scores: &mut Vec<f32>,
            out: &mut [f32],
        ) {
            let length = prepare(seen, scores);
            crate::attention_avx2::scores(cache, kv_head, rows, scores, length);
            softmax::<8>(scores, length, seen, rows[0].len());
            crate::attention_avx2::round_to_half(scores);
            crate::attention_avx2::values(cache, kv_head, scores, length, out);
        }
        // SAFETY: `Isa` is the proof that the processor has AVX2, FMA and F16C.
        return unsafe { wide(cache, kv_head, rows, seen, scores, out) };
    }
    let _ = isa;
    let length = prepare(seen, scores);
    scores_portable(cache, kv_head, rows, scores, length);
    softmax::<8>(scores, length, seen, rows[0].len());
    round_to_half(isa, scores);
    values_portable(cache, kv_head, scores, length, out);
}

/// Room for four rows of scores, whole blocks; returns the length of a row.
fn prepare(seen: [usize; ROWS], scores: &mut Vec<f32>) -> usize {
    let length = seen[ROWS - 1].next_multiple_of(BLOCK);
    scores.resize(ROWS * length, 0.0);
    length
}

/// Queries and weights meet half-precision keys and values as such, like in llama.cpp: an 8-bit activation
/// after attention flips by a step where the two differ by a hundredth of one, and logits follow.
fn round_to_half(isa: Isa, numbers: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        // SAFETY: `Isa` is the proof that the processor has AVX2, FMA and F16C.
        return unsafe { crate::attention_avx2::round_to_half(numbers) };
    }
    let _ = isa;
    numbers.iter_mut().for_each(|x| *x = f16::from_f32(*x).to_f32());
}

/// Turns scores into weights that add up to 1 in each row, `LANES` at a time; rows are whole blocks.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "a head has some hundred elements")]
fn softmax<const LANES: usize>(
    scores: &mut [f32],
    length: usize,
    seen: [usize; ROWS],
    head_size: usize,
) {
    let scale = 1.0 / (head_size as f32).sqrt();
    for (row, seen) in scores.chunks_exact_mut(length).zip(seen) {
        row[seen..].fill(f32::NEG_INFINITY);
        let mut lanes = [f32::NEG_INFINITY; LANES];
        for block in row.as_chunks::<LANES>().0 {
            for (lane, &x) in lanes.iter_mut().zip(block) {
                *lane = if x > *lane { x } else { *lane };
            }
        }
        let largest = lanes.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let mut sums = [0.0_f32; LANES];
        for block in row.as_chunks_mut::<LANES>().0 {
            for (sum, x) in sums.iter_mut().zip(block) {
                *x = exp((*x - largest) * scale);
                *sum += *x;
            }
        }
        // The clamp in `exp` leaves a trace of 1e-38 where nothing is seen; it must not meet stale values.
        row[seen..].fill(0.0);
        let share = 1.0 / sums.iter().sum::<f32>();
        row.iter_mut().for_each(|x| *x *= share);
    }
}

fn scores_portable(
    cache: &KvLayer,
    kv_head: usize,
    rows: &[&[f32]; ROWS],
    scores: &mut [f32],
    length: usize,
) {
    let size = cache.block_size();
    for block in 0..length / BLOCK {
        let keys = &cache.keys[(block * cache.heads + kv_head) * size..][..size];
        for (row, query) in rows.iter().enumerate() {
            let out = &mut scores[row * length + block * BLOCK..][..BLOCK];
            out.fill(0.0);
            for (x, keys) in query.iter().zip(keys.chunks_exact(BLOCK)) {
                for (out, key) in out.iter_mut().zip(keys) {
                    *out += x * key.to_f32();
                }
            }
        }
    }
}

fn values_portable(
    cache: &KvLayer,
    kv_head: usize,
    scores: &[f32],
    length: usize,
    out: &mut [f32],
) {
    let (size, head_size) = (cache.block_size(), cache.head_size);
    for (row, out) in out.chunks_exact_mut(head_size).enumerate() {
        out.fill(0.0);
        for block in 0..length / BLOCK {
            let values = &cache.values[(block * cache.heads + kv_head) * size..][..size];
            let weights = &scores[row * length + block * BLOCK..][..BLOCK];
            for (weight, values) in weights.iter().zip(values.chunks_exact(head_size)) {
                for (out, value) in out.iter_mut().zip(values) {
                    *out += weight * value.to_f32();
                }
            }
        }
    }
}
