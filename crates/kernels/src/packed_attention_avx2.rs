//! The tile of `packed_attention` for AVX2 with FMA: four rows by sixteen columns in eight registers.

use std::arch::x86_64::*;

use crate::packed_attention::{COLUMNS, ROWS};

/// `out[row][column ..+ 16] = a[row][inner] · b[inner][column ..+ 16]` for four rows; `columns` is the width
/// of `b` and `out`.
#[target_feature(enable = "avx2,fma,f16c")]
pub(crate) fn tile(
    a: &[f32],
    b: &[f32],
    inner: usize,
    columns: usize,
    column: usize,
    out: &mut [f32],
) {
    let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &a[row * inner..(row + 1) * inner]);
    let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
    for (k, b) in b.chunks_exact(columns).take(inner).enumerate() {
        let b: &[f32] = &b[column..column + COLUMNS];
        // SAFETY: sixteen floats by the slice above; the loads need no alignment.
        let b = unsafe { [_mm256_loadu_ps(b.as_ptr()), _mm256_loadu_ps(b.as_ptr().add(8))] };
        for (sums, row) in sums.iter_mut().zip(rows) {
            let x = _mm256_set1_ps(row[k]);
            sums[0] = _mm256_fmadd_ps(x, b[0], sums[0]);
            sums[1] = _mm256_fmadd_ps(x, b[1], sums[1]);
        }
    }
    for (row, sums) in sums.into_iter().enumerate() {
        let out: &mut [f32] = &mut out[row * columns + column..][..COLUMNS];
        // SAFETY: sixteen floats by the slice above; the stores need no alignment.
        unsafe {
            _mm256_storeu_ps(out.as_mut_ptr(), sums[0]);
            _mm256_storeu_ps(out.as_mut_ptr().add(8), sums[1]);
        }
    }
}
