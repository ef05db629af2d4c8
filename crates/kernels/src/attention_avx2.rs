//! The two sums of attention for AVX2 with FMA and F16C: four query rows against one key-value head. They
//! compute what the portable ones in `attention` do, up to the order of the sums.

use std::arch::x86_64::*;

use half::f16;

use crate::attention::ROWS;
use crate::kv_layer::{BLOCK, KvLayer};

/// Scores of four rows with all `length` positions, unscaled, `[row][position]`.
#[target_feature(enable = "avx2,fma,f16c")]
pub(crate) fn scores(
    cache: &KvLayer,
    kv_head: usize,
    rows: &[&[f32]; ROWS],
    scores: &mut [f32],
    length: usize,
) {
    let size = cache.block_size();
    let head_size = cache.head_size;
    let rows = rows.map(|row| &row[..head_size]);
    for block in 0..length / BLOCK {
        let keys = &cache.keys[(block * cache.heads + kv_head) * size..][..size];
        let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
        for (d, keys) in keys.chunks_exact(BLOCK).enumerate() {
            let (low, high) = (eight(keys, 0), eight(keys, 8));
            for (sums, row) in sums.iter_mut().zip(rows) {
                let x = _mm256_set1_ps(row[d]);
                sums[0] = _mm256_fmadd_ps(low, x, sums[0]);
                sums[1] = _mm256_fmadd_ps(high, x, sums[1]);
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            let out = &mut scores[row * length + block * BLOCK..][..BLOCK];
            put(out, 0, sums[0]);
            put(out, 8, sums[1]);
        }
    }
}

/// Values of four rows weighted by `scores`, `[row][dimension]`.
#[target_feature(enable = "avx2,fma,f16c")]
pub(crate) fn values(
    cache: &KvLayer,
    kv_head: usize,
    scores: &[f32],
    length: usize,
    out: &mut [f32],
) {
    let size = cache.block_size();
    let head_size = cache.head_size;
    let mut d = 0;
    while d < head_size {
        let wide = d + 16 <= head_size;
        let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
        for block in 0..length / BLOCK {
            let values = &cache.values[(block * cache.heads + kv_head) * size..][..size];
            let weights: [&[f32]; ROWS] =
                std::array::from_fn(|row| &scores[row * length + block * BLOCK..][..BLOCK]);
            for (p, values) in values.chunks_exact(head_size).enumerate() {
                let low = eight(values, d);
                let high = if wide { eight(values, d + 8) } else { low };
                for (sums, weights) in sums.iter_mut().zip(weights) {
                    let weight = _mm256_set1_ps(weights[p]);
                    sums[0] = _mm256_fmadd_ps(low, weight, sums[0]);
                    sums[1] = _mm256_fmadd_ps(high, weight, sums[1]);
                }
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            let out = &mut out[row * head_size..(row + 1) * head_size];
            put(out, d, sums[0]);
            if wide {
                put(out, d + 8, sums[1]);
            }
        }
        d += 16;
    }
}

/// Rounds numbers to half precision.
#[target_feature(enable = "avx2,fma,f16c")]
pub(crate) fn round_to_half(numbers: &mut [f32]) {
    let (eights, rest) = numbers.as_chunks_mut::<8>();
    for eight in eights {
        // SAFETY: eight floats by the type; neither access needs alignment.
        unsafe {
            let half = _mm256_cvtps_ph::<0>(_mm256_loadu_ps(eight.as_ptr()));
            _mm256_storeu_ps(eight.as_mut_ptr(), _mm256_cvtph_ps(half));
        }
    }
    for x in rest {
        *x = f16::from_f32(*x).to_f32();
    }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn eight(numbers: &[f16], at: usize) -> __m256 {
    let eight = &numbers[at..at + 8];
    // SAFETY: eight halves, 16 bytes, by the slice above; the load needs no alignment.
    _mm256_cvtph_ps(unsafe { _mm_loadu_si128(eight.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn put(out: &mut [f32], at: usize, value: __m256) {
    let eight = &mut out[at..at + 8];
    // SAFETY: eight floats by the slice above; the store needs no alignment.
    unsafe { _mm256_storeu_ps(eight.as_mut_ptr(), value) }
}
