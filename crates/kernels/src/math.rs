//! Scalar functions written so that the compiler turns loops over them into SIMD: no branches, no library
//! calls. They are inlined into both the portable kernels and those compiled for AVX2.

/// `e^x`, within 2 units in the last place on ±87, clamped beyond. Range reduction by powers of two and the
/// minimax polynomial of Cephes' `expf`.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Adding 1.5 × 2^23 leaves the rounded integer in the low bits of the mantissa.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 87.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let mut p = 1.987_569_1e-4;
    p = p * r + 1.398_2e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 0.166_666_66;
    p = p * r + 0.5;
    let e = p * r * r + r + 1.0;
    // Multiplies by 2^n in the exponent; n is within ±126, so it stays a normal number.
    f32::from_bits(e.to_bits().wrapping_add(shifted.to_bits() << 23))
}

/// `x / (1 + e^-x)`.
#[inline(always)]
pub(crate) fn silu(x: f32) -> f32 {
    x / (1.0 + exp(-x))
}

/// The sum of squares, over eight running sums that fit one register.
#[inline(always)]
pub(crate) fn sum_of_squares(values: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let chunks = values.chunks_exact(8);
    let rest: f32 = chunks.remainder().iter().map(|x| x * x).sum();
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += x * x;
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// The error function within 2e-7: Abramowitz and Stegun 7.1.26, a rational approximation without branches.
#[inline(always)]
pub(crate) fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let mut p = 1.061_405_4;
    p = p * t - 1.453_152_1;
    p = p * t + 1.421_413_8;
    p = p * t - 0.284_496_72;
    p = p * t + 0.254_829_6;
    (1.0 - p * t * exp(-size * size)).copysign(x)
}
