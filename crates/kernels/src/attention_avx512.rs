//! The two sums of attention for AVX-512: four query rows against one key-value head. They compute what the
//! portable ones in `attention` do, up to the order of the sums.
//!
//! Eight sums are under way at a time, because a fused multiply-add takes four cycles and two begin in each.

use std::arch::x86_64::*;

use half::f16;

use crate::attention::ROWS;
use crate::kv_layer::{BLOCK, KvLayer};

/// Scores of four rows with all `length` positions, unscaled, `[row][position]`.
#[target_feature(enable = "avx2,fma,f16c,avx512f")]
pub(crate) fn scores(
    cache: &KvLayer,
    kv_head: usize,
    rows: &[&[f32]; ROWS],
    scores: &mut [f32],
    length: usize,
) {
    let size = cache.block_size();
    let rows = rows.map(|row| &row[..cache.head_size]);
    let keys = |block: usize| {
        cache.keys[(block * cache.heads + kv_head) * size..][..size].as_chunks::<BLOCK>().0
    };
    let blocks = length / BLOCK;
    let mut block = 0;
    while block < blocks {
        let wide = block + 1 < blocks;
        let (first, second) = (keys(block), keys(if wide { block + 1 } else { block }));
        let mut sums = [[_mm512_setzero_ps(); 2]; ROWS];
        for (d, (first, second)) in first.iter().zip(second).enumerate() {
            let (first, second) = (sixteen(first), sixteen(second));
            for (sums, row) in sums.iter_mut().zip(rows) {
                let x = _mm512_set1_ps(row[d]);
                sums[0] = _mm512_fmadd_ps(first, x, sums[0]);
                sums[1] = _mm512_fmadd_ps(second, x, sums[1]);
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            let (out, _) = scores[row * length + block * BLOCK..].as_chunks_mut::<BLOCK>();
            put(&mut out[0], sums[0]);
            if wide {
                put(&mut out[1], sums[1]);
            }
        }
        block += 2;
    }
}

/// Values of four rows weighted by `scores`, `[row][dimension]`. A head has a multiple of 16 dimensions.
#[target_feature(enable = "avx2,fma,f16c,avx512f")]
pub(crate) fn values(
    cache: &KvLayer,
    kv_head: usize,
    scores: &[f32],
    length: usize,
    out: &mut [f32],
) {
    let size = cache.block_size();
    let head_size = cache.head_size;
    for d in (0..head_size).step_by(32) {
        let wide = d + 32 <= head_size;
        let mut sums = [[_mm512_setzero_ps(); 2]; ROWS];
        for block in 0..length / BLOCK {
            let values = &cache.values[(block * cache.heads + kv_head) * size..][..size];
            let weights: [&[f32; BLOCK]; ROWS] = std::array::from_fn(|row| {
                &scores[row * length + block * BLOCK..].as_chunks::<BLOCK>().0[0]
            });
            for (p, values) in values.chunks_exact(head_size).enumerate() {
                let (parts, _) = values[d..].as_chunks::<16>();
                let first = sixteen(&parts[0]);
                let second = if wide { sixteen(&parts[1]) } else { first };
                for (sums, weights) in sums.iter_mut().zip(weights) {
                    let weight = _mm512_set1_ps(weights[p]);
                    sums[0] = _mm512_fmadd_ps(first, weight, sums[0]);
                    sums[1] = _mm512_fmadd_ps(second, weight, sums[1]);
                }
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            let (out, _) = out[row * head_size + d..].as_chunks_mut::<16>();
            put(&mut out[0], sums[0]);
            if wide {
                put(&mut out[1], sums[1]);
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f")]
fn sixteen(numbers: &[f16; 16]) -> __m512 {
    // SAFETY: sixteen halves, 32 bytes, by the type; the load needs no alignment.
    _mm512_cvtph_ps(unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f")]
fn put(out: &mut [f32; 16], value: __m512) {
    // SAFETY: sixteen floats by the type; the store needs no alignment.
    unsafe { _mm512_storeu_ps(out.as_mut_ptr(), value) }
}
