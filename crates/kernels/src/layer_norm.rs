//! What an encoder of the BERT family does between its products: layer normalisation (Ba et al. 2016) and
//! the exact GELU (Hendrycks and Gimpel 2016), row by row over the threads. They keep no state.

use crate::disjoint::Disjoint;
use crate::math::{erf, sum_of_squares};
use crate::{Compute, Isa, KernelError};

/// Layer normalisation with a learnt weight and bias for each column.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerNorm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl LayerNorm {
    /// # Errors
    /// When weight and bias are empty or of different lengths.
    pub fn new(weight: Vec<f32>, bias: Vec<f32>, epsilon: f32) -> Result<Self, KernelError> {
        if weight.is_empty() || weight.len() != bias.len() {
            return Err(KernelError::Shape("a norm's weight and bias have different lengths"));
        }
        Ok(Self { weight, bias, epsilon })
    }

    #[must_use]
    pub fn columns(&self) -> usize {
        self.weight.len()
    }
}

/// Values below which a piece of work is not worth another thread.
const GRAIN: usize = 16 * 1024;

/// Normalises rows of `norm.columns()`.
pub(crate) fn layer_norm(compute: &Compute, x: &[f32], norm: &LayerNorm) -> Vec<f32> {
    let columns = norm.columns();
    let rows = x.len() / columns;
    let mut out = vec![0.0; rows * columns];
    let places = Disjoint::new(&mut out);
    compute.pool.run_ranges(rows, (GRAIN / columns).max(1), |range| {
        let (from, len) = (range.start * columns, range.len() * columns);
        // SAFETY: each row is given out once, and rows do not overlap.
        let out = unsafe { places.part(from, len) };
        normalize(compute.isa, norm, &x[from..from + len], out);
    });
    out
}

/// `x · Φ(x)` of every element.
pub(crate) fn gelu(compute: &Compute, x: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; x.len()];
    let places = Disjoint::new(&mut out);
    let pieces = x.len().div_ceil(1024);
    compute.pool.run_ranges(pieces, GRAIN / 1024, |range| {
        let from = range.start * 1024;
        let len = (range.end * 1024).min(x.len()) - from;
        // SAFETY: each piece is given out once, and pieces do not overlap.
        let out = unsafe { places.part(from, len) };
        gelu_of(compute.isa, &x[from..from + len], out);
    });
    out
}

fn normalize(isa: Isa, norm: &LayerNorm, x: &[f32], out: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn wide(norm: &LayerNorm, x: &[f32], out: &mut [f32]) {
            normalize_body(norm, x, out);
        }
        // SAFETY: `Isa` is the proof that the processor has AVX2, FMA and F16C.
        return unsafe { wide(norm, x, out) };
    }
    let _ = isa;
    normalize_body(norm, x, out);
}

#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "a width is far below 2^24")]
fn normalize_body(norm: &LayerNorm, x: &[f32], out: &mut [f32]) {
    let columns = norm.columns();
    let count = columns as f32;
    for (x, out) in x.chunks_exact(columns).zip(out.chunks_exact_mut(columns)) {
        let mut sums = [0.0_f32; 8];
        let eights = x.chunks_exact(8);
        let rest: f32 = eights.remainder().iter().sum();
        for eight in eights {
            for (sum, x) in sums.iter_mut().zip(eight) {
                *sum += x;
            }
        }
        let mean = (sums.iter().sum::<f32>() + rest) / count;
        for (y, x) in out.iter_mut().zip(x) {
            *y = x - mean;
        }
        let scale = 1.0 / (sum_of_squares(out) / count + norm.epsilon).sqrt();
        for ((y, weight), bias) in out.iter_mut().zip(&norm.weight).zip(&norm.bias) {
            *y = *y * scale * weight + bias;
        }
    }
}

fn gelu_of(isa: Isa, x: &[f32], out: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn wide(x: &[f32], out: &mut [f32]) {
            gelu_body(x, out);
        }
        // SAFETY: `Isa` is the proof that the processor has AVX2, FMA and F16C.
        return unsafe { wide(x, out) };
    }
    let _ = isa;
    gelu_body(x, out);
}

#[inline(always)]
fn gelu_body(x: &[f32], out: &mut [f32]) {
    for (y, &x) in out.iter_mut().zip(x) {
        *y = 0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of Φ from tables (Abramowitz and Stegun, table 26.1).
    #[test]
    fn gelu_is_x_times_the_normal_distribution() {
        for isa in [Isa::portable(), Isa::best()] {
            let compute = Compute::new(isa, 1).unwrap();
            let x = [0.0_f32, 0.5, 1.0, 2.0, 3.0, -1.0, -2.0, -40.0, 40.0];
            let phi = [
                0.5,
                0.691_462_5,
                0.841_344_8,
                0.977_249_9,
                0.998_650_1,
                0.158_655_25,
                0.022_750_1,
                0.0,
                1.0,
            ];
            for ((x, phi), y) in x.iter().zip(phi).zip(gelu(&compute, &x)) {
                assert!((y - x * phi).abs() < 2e-6, "{x}: {y}");
            }
        }
    }

    #[test]
    fn a_normalised_row_has_the_mean_and_spread_that_it_is_given() {
        let norm = LayerNorm::new(vec![2.0; 20], vec![3.0; 20], 1e-12).unwrap();
        let x: Vec<f32> = (0..40_u8).map(|i| f32::from(i) * f32::from(i)).collect();
        for isa in [Isa::portable(), Isa::best()] {
            let compute = Compute::new(isa, 1).unwrap();
            for row in layer_norm(&compute, &x, &norm).chunks_exact(20) {
                let mean = row.iter().sum::<f32>() / 20.0;
                let spread = row.iter().map(|y| (y - mean) * (y - mean)).sum::<f32>() / 20.0;
                assert!((mean - 3.0).abs() < 1e-4 && (spread - 4.0).abs() < 1e-3);
            }
        }
        assert!(LayerNorm::new(vec![1.0], vec![], 0.0).is_err());
    }
}
