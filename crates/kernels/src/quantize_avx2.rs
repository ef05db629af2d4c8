//! Activations to 8-bit blocks of 32 (`Q8_0`, `Q8_1`) with AVX2: the same numbers as `activations` computes in
//! plain Rust, a block in a few instructions.

use std::arch::x86_64::*;

use crate::tile::STEP;

/// The largest size of 32 values.
#[target_feature(enable = "avx2,fma,f16c")]
pub(crate) fn largest(values: &[f32; STEP]) -> f32 {
    let sign = _mm256_set1_ps(-0.0);
    let size = |at: usize| _mm256_andnot_ps(sign, load(values, at));
    let upper = _mm256_max_ps(size(0), size(8));
    let eight = _mm256_max_ps(upper, _mm256_max_ps(size(16), size(24)));
    let four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
    let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    let one = _mm_max_ss(two, _mm_shuffle_ps::<1>(two, two));
    _mm_cvtss_f32(one)
}

/// Writes the codes of 32 values and returns the sum of each half. `inverse` keeps codes within ±127.
#[target_feature(enable = "avx2,fma,f16c")]
pub(crate) fn block(values: &[f32; STEP], inverse: f32, codes: &mut [i8; STEP]) -> [i32; 2] {
    let inverse = _mm256_set1_ps(inverse);
    // Rounds to the nearest integer, ties to even, like the plain code.
    let eight = |at: usize| _mm256_cvtps_epi32(_mm256_mul_ps(load(values, at), inverse));
    let (a, b, c, d) = (eight(0), eight(8), eight(16), eight(24));
    let sums = [total(_mm256_add_epi32(a, b)), total(_mm256_add_epi32(c, d))];
    // Packing works in halves of registers; the permutation puts the fours back in order.
    let bytes = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
    let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    let bytes = _mm256_permutevar8x32_epi32(bytes, order);
    // SAFETY: 32 bytes by the type; the store needs no alignment.
    unsafe { _mm256_storeu_si256(codes.as_mut_ptr().cast(), bytes) };
    sums
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn load(values: &[f32; STEP], at: usize) -> __m256 {
    let eight: &[f32] = &values[at..at + 8];
    // SAFETY: eight floats by the slice above; the load needs no alignment.
    unsafe { _mm256_loadu_ps(eight.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn total(eight: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b1110>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding and summing one element at a time.
    #[test]
    fn a_block_is_what_each_value_rounds_to() {
        if crate::Isa::avx2().is_none() {
            return;
        }
        let values: [f32; STEP] =
            std::array::from_fn(|i| (f32::from(u8::try_from(i).unwrap()) - 11.5) * 0.75);
        // SAFETY: the processor was asked for AVX2, FMA and F16C above.
        let size = unsafe { largest(&values) };
        assert_eq!(size, 19.5 * 0.75);
        let mut codes = [0; STEP];
        // SAFETY: as above.
        let sums = unsafe { block(&values, 127.0 / size, &mut codes) };
        for (code, x) in codes.iter().zip(values) {
            assert_eq!(f32::from(*code), (x * (127.0 / size)).round_ties_even());
        }
        let half = |codes: &[i8]| codes.iter().map(|code| i32::from(*code)).sum::<i32>();
        assert_eq!(sums, [half(&codes[..16]), half(&codes[16..])]);
    }
}
