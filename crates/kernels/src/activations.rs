//! Activations made ready for a product: normalised where asked, then quantised to 8 bits in blocks, in the
//! forms that ggml pairs with each weight type (`Q8_0`, `Q8_1`, `Q8_K`), so that results agree with it.
//! They live for one product.

use half::f16;

use crate::disjoint::Disjoint;
use crate::math::sum_of_squares;
use crate::tile::{Operand, STEP};
use crate::{Compute, Isa, Linear};

/// Root-mean-square normalisation (Zhang and Sennrich 2019), with a learnt weight for each column.
#[derive(Debug, Clone, PartialEq)]
pub struct RmsNorm {
    pub weight: Vec<f32>,
    pub epsilon: f32,
}

/// 8-bit rows. Everything is `[block of 32][token]`, so that a kernel which holds one block of weights in
/// registers walks along the tokens.
#[derive(Default)]
pub(crate) struct Quantized {
    pub(crate) tokens: usize,
    /// `[block][token][32]`
    pub(crate) codes: Vec<i8>,
    /// `[block][token]`
    pub(crate) scales: Vec<f32>,
    /// Scale × sum of codes, `[block][token]`: what an offset or minimum of the weights is multiplied with.
    pub(crate) sums: Vec<f32>,
    /// The same for either half of a block, `[block][token][2]`; only for `Q8_K`.
    pub(crate) half_sums: Vec<f32>,
}

/// The input of one or more products: `tokens` rows of `columns`.
pub(crate) struct Activations {
    pub(crate) tokens: usize,
    pub(crate) columns: usize,
    pub(crate) q8_0: Option<Quantized>,
    pub(crate) q8_1: Option<Quantized>,
    pub(crate) q8_k: Option<Quantized>,
    /// `[token][column]`, for dense weights.
    pub(crate) float: Option<Vec<f32>>,
}

impl Activations {
    /// Prepares `x`, rows of `columns`, in the forms that the parts of `linears` need.
    pub(crate) fn prepare(
        compute: &Compute,
        x: &[f32],
        columns: usize,
        norm: Option<&RmsNorm>,
        linears: &[&Linear],
    ) -> Self {
        let tokens = x.len() / columns;
        let needs = |operand: Operand| {
            let mut parts = linears.iter().flat_map(|l| &l.parts);
            parts.any(|part| part.layout.operand_for(compute.isa) == operand)
        };
        let form = |operand| needs(operand).then(|| Quantized::new(tokens, columns, operand));
        let mut ready = Self {
            tokens,
            columns,
            q8_0: form(Operand::Q8_0),
            q8_1: form(Operand::Q8_1),
            q8_k: form(Operand::Q8K),
            float: needs(Operand::Float).then(|| vec![0.0; tokens * columns]),
        };
        let forms = [
            (Operand::Q8_0, ready.q8_0.as_mut().map(Parts::new)),
            (Operand::Q8_1, ready.q8_1.as_mut().map(Parts::new)),
            (Operand::Q8K, ready.q8_k.as_mut().map(Parts::new)),
        ];
        let float = ready.float.as_mut().map(|float| Disjoint::new(float));
        // One token costs less than a microsecond, so a few stay on the caller's thread.
        compute.pool.run_ranges(tokens, 8, |range| {
            let mut normalised = vec![0.0; if norm.is_some() { columns } else { 0 }];
            for token in range {
                let mut row = &x[token * columns..(token + 1) * columns];
                if let Some(norm) = norm {
                    normalize(compute.isa, norm, row, &mut normalised);
                    row = &normalised;
                }
                for (operand, parts) in &forms {
                    if let Some(parts) = parts {
                        quantize_row(compute.isa, *operand, row, token, parts);
                    }
                }
                if let Some(float) = &float {
                    // SAFETY: each token is given out once, and rows do not overlap.
                    unsafe { float.part(token * columns, columns) }.copy_from_slice(row);
                }
            }
        });
        ready
    }

    /// The quantised form for an operand; none for `Float`.
    pub(crate) fn quantized(&self, operand: Operand) -> Option<&Quantized> {
        match operand {
            Operand::Q8_0 => self.q8_0.as_ref(),
            Operand::Q8_1 => self.q8_1.as_ref(),
            Operand::Q8K => self.q8_k.as_ref(),
            Operand::Float => None,
        }
    }
}

impl Quantized {
    fn new(tokens: usize, columns: usize, operand: Operand) -> Self {
        let blocks = columns / STEP;
        let halves = if operand == Operand::Q8K { 2 } else { 0 };
        Self {
            tokens,
            codes: vec![0; tokens * columns],
            scales: vec![0.0; tokens * blocks],
            sums: vec![0.0; tokens * blocks],
            half_sums: vec![0.0; tokens * blocks * halves],
        }
    }
}

/// `Quantized` while several threads fill it, each its own tokens.
struct Parts<'a> {
    tokens: usize,
    codes: Disjoint<'a, i8>,
    scales: Disjoint<'a, f32>,
    sums: Disjoint<'a, f32>,
    half_sums: Disjoint<'a, f32>,
}

impl<'a> Parts<'a> {
    fn new(form: &'a mut Quantized) -> Self {
        Self {
            tokens: form.tokens,
            codes: Disjoint::new(&mut form.codes),
            scales: Disjoint::new(&mut form.scales),
            sums: Disjoint::new(&mut form.sums),
            half_sums: Disjoint::new(&mut form.half_sums),
        }
    }
}

/// Normalises one row.
pub(crate) fn normalize(isa: Isa, norm: &RmsNorm, x: &[f32], out: &mut [f32]) {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn wide(norm: &RmsNorm, x: &[f32], out: &mut [f32]) {
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
fn normalize_body(norm: &RmsNorm, x: &[f32], out: &mut [f32]) {
    let mean = sum_of_squares(x) / x.len() as f32;
    let scale = 1.0 / (mean + norm.epsilon).sqrt();
    for ((y, x), weight) in out.iter_mut().zip(x).zip(&norm.weight) {
        *y = x * scale * weight;
    }
}

fn quantize_row(isa: Isa, operand: Operand, row: &[f32], token: usize, parts: &Parts<'_>) {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn wide(operand: Operand, row: &[f32], token: usize, parts: &Parts<'_>) {
            if operand == Operand::Q8K {
                return quantize_body(operand, row, token, parts);
            }
            for (b, values) in row.as_chunks::<STEP>().0.iter().enumerate() {
                let largest = crate::quantize_avx2::largest(values);
                let inverse = if largest == 0.0 { 0.0 } else { 127.0 / largest };
                write_block(operand, largest / 127.0, b * parts.tokens + token, parts, |codes| {
                    crate::quantize_avx2::block(values, inverse, codes)
                });
            }
        }
        // SAFETY: `Isa` is the proof that the processor has AVX2, FMA and F16C.
        return unsafe { wide(operand, row, token, parts) };
    }
    let _ = isa;
    quantize_body(operand, row, token, parts);
}

#[inline(always)]
fn quantize_body(operand: Operand, row: &[f32], token: usize, parts: &Parts<'_>) {
    let mut whole = (0.0, 0.0);
    for (b, values) in row.chunks_exact(STEP).enumerate() {
        let (inverse, scale) = match operand {
            Operand::Q8K => {
                if b % 8 == 0 {
                    // Scaled by the element of the largest size with its sign, as ggml does.
                    let super_block = &row[b * STEP..row.len().min((b + 8) * STEP)];
                    let largest = signed_largest(super_block);
                    let inverse = if largest == 0.0 { 0.0 } else { -127.0 / largest };
                    whole = (inverse, if largest == 0.0 { 0.0 } else { 1.0 / inverse });
                }
                whole
            }
            _ => {
                let largest = largest(values);
                (if largest == 0.0 { 0.0 } else { 127.0 / largest }, largest / 127.0)
            }
        };
        write_block(operand, scale, b * parts.tokens + token, parts, |codes| {
            quantize_block(values, inverse, codes)
        });
    }
}

/// Writes one block of a token at `at`, its codes by `quantize`, which returns the sum of each half.
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "sums of 32 codes are far below 2^24")]
fn write_block(
    operand: Operand,
    scale: f32,
    at: usize,
    parts: &Parts<'_>,
    quantize: impl FnOnce(&mut [i8; STEP]) -> [i32; 2],
) {
    // SAFETY: each token is quantised once in each form, and `at` differs between tokens and blocks.
    let (codes, scale_out, sum_out) = unsafe {
        (parts.codes.part(at * STEP, STEP), parts.scales.part(at, 1), parts.sums.part(at, 1))
    };
    let Some(codes) = codes.first_chunk_mut() else { return };
    let halves = quantize(codes);
    let sum = (halves[0] + halves[1]) as f32;
    (scale_out[0], sum_out[0]) = match operand {
        Operand::Q8_1 => (to_half(scale), to_half(scale * sum)),
        Operand::Q8K => (scale, scale * sum),
        _ => (to_half(scale), to_half(scale) * sum),
    };
    if operand == Operand::Q8K {
        // SAFETY: as above.
        let out = unsafe { parts.half_sums.part(at * 2, 2) };
        out[0] = scale * halves[0] as f32;
        out[1] = scale * halves[1] as f32;
    }
}

fn to_half(x: f32) -> f32 {
    f16::from_f32(x).to_f32()
}

#[inline(always)]
fn largest(values: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    for chunk in values.chunks_exact(8) {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            let size = x.abs();
            *lane = if size > *lane { size } else { *lane };
        }
    }
    lanes.iter().fold(0.0, |a, &b| if b > a { b } else { a })
}

#[inline(always)]
fn signed_largest(values: &[f32]) -> f32 {
    let size = largest(values);
    if values.contains(&size) && !values.contains(&-size) {
        return size;
    }
    // Both signs occur or only the negative one: the first of that size decides.
    values.iter().copied().find(|x| x.abs() == size).unwrap_or(0.0)
}

/// Writes 32 codes and returns the sum of each half.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the scale keeps codes within ±127")]
fn quantize_block(values: &[f32], inverse: f32, codes: &mut [i8; STEP]) -> [i32; 2] {
    // Adding 1.5 × 2^23 rounds to the nearest integer, ties to even, and leaves it in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let mut sums = [0_i32; 2];
    let halves = values.chunks_exact(16).zip(codes.chunks_exact_mut(16));
    for (total, (values, codes)) in sums.iter_mut().zip(halves) {
        let mut sum = 0;
        for (x, place) in values.iter().zip(codes) {
            let code = (x * inverse + ROUND).to_bits().cast_signed() - 0x4B40_0000;
            let code = code.clamp(-127, 127);
            *place = code as i8;
            sum += code;
        }
        *total = sum;
    }
    sums
}
