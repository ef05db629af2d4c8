//! Dense weights to ggml's block formats. Weights that came out of a 4-bit file go back into it without
//! loss; others are rounded to 8 bits (`Q8_0`), a step of 1/127 of the largest of 32.

use half::f16;
use nearside_kernels::GgmlType;

/// Elements of a block.
const BLOCK: usize = 32;

/// The blocks of a matrix whose rows are whole blocks, in the smallest format that keeps every value to the
/// precision of half floats, `Q8_0` where none does.
pub(super) fn quantise(values: &[f32]) -> (GgmlType, Vec<u8>) {
    let four: Option<Vec<[u8; 18]>> = values.chunks_exact(BLOCK).map(four_bits).collect();
    match four {
        Some(blocks) => (GgmlType::Q4_0, blocks.concat()),
        None => (GgmlType::Q8_0, values.chunks_exact(BLOCK).flat_map(eight_bits).collect()),
    }
}

/// `Q4_0`, if the values are multiples of one half-precision step within rounding to half precision.
fn four_bits(values: &[f32]) -> Option<[u8; 18]> {
    let largest = values.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
    if largest == 0.0 {
        let mut block = [0x88; 18];
        block[..2].fill(0);
        return Some(block);
    }
    // The largest is one of the codes, most often -8; the step was a half float.
    let codes: [f32; 15] =
        [-8.0, 7.0, -7.0, 6.0, -6.0, 5.0, -5.0, 4.0, -4.0, 3.0, -3.0, 2.0, -2.0, 1.0, -1.0];
    codes.into_iter().find_map(|code| {
        let near = f16::from_f32(largest / code).to_bits();
        [near, near.wrapping_add(1), near.wrapping_sub(1)]
            .into_iter()
            .find_map(|step| with_step(values, f16::from_bits(step)))
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "codes are 0 to 15")]
fn with_step(values: &[f32], step: f16) -> Option<[u8; 18]> {
    let d = step.to_f32();
    let mut block = [0_u8; 18];
    block[..2].copy_from_slice(&step.to_le_bytes());
    for (i, x) in values.iter().enumerate() {
        let code = (x / d).round();
        // Half a unit in the last place of a half float, and a little for the division.
        let allowed = x.abs() * 0.000_5 + 3e-8;
        if !(-8.0..=7.0).contains(&code) || (x - code * d).abs() > allowed {
            return None;
        }
        block[2 + i % 16] |= ((code + 8.0) as u8) << (4 * (i / 16));
    }
    Some(block)
}

#[expect(clippy::cast_possible_truncation, reason = "codes are within ±127")]
fn eight_bits(values: &[f32]) -> [u8; 34] {
    let largest = values.iter().fold(0.0_f32, |a, b| a.max(b.abs()));
    let step = f16::from_f32(largest / 127.0);
    let inverse = if step.to_f32() > 0.0 { 1.0 / step.to_f32() } else { 0.0 };
    let mut block = [0_u8; 34];
    block[..2].copy_from_slice(&step.to_le_bytes());
    for (x, place) in values.iter().zip(&mut block[2..]) {
        *place = ((x * inverse).round().clamp(-127.0, 127.0) as i8).cast_unsigned();
    }
    block
}

#[cfg(test)]
mod tests {
    use nearside_kernels::dequantize;

    use super::*;

    fn back(kind: GgmlType, bytes: &[u8], len: usize) -> Vec<f32> {
        let mut out = vec![0.0; len];
        dequantize(kind, bytes, &mut out).unwrap();
        out
    }

    #[test]
    fn what_was_four_bits_is_found_again_exactly() {
        for (step, codes) in [(0.013_f32, -8..8), (1.7, -7..8), (-0.4, -3..4)] {
            let step = f16::from_f32(step).to_f32();
            let codes: Vec<i32> = codes.cycle().take(64).collect();
            #[expect(clippy::cast_precision_loss, reason = "codes are small")]
            let values: Vec<f32> =
                codes.iter().map(|code| f16::from_f32(*code as f32 * step).to_f32()).collect();
            let (kind, bytes) = quantise(&values);
            assert_eq!(kind, GgmlType::Q4_0);
            for (x, y) in values.iter().zip(back(kind, &bytes, 64)) {
                assert!((x - y).abs() <= x.abs() / 2000.0, "{x} {y}");
            }
        }
        let (kind, bytes) = quantise(&[0.0; 32]);
        assert_eq!(back(kind, &bytes, 32), [0.0; 32]);
    }

    #[test]
    fn other_weights_are_rounded_to_eight_bits() {
        let values: Vec<f32> = (0..64_u8).map(|i| (f32::from(i) * 0.7).sin()).collect();
        let (kind, bytes) = quantise(&values);
        assert_eq!(kind, GgmlType::Q8_0);
        for (x, y) in values.iter().zip(back(kind, &bytes, 64)) {
            assert!((x - y).abs() < 0.6 / 127.0);
        }
    }
}
