//! The product of one group of eight rows with some tokens, for AVX2 with FMA and F16C, and with VNNI where
//! the processor has it. It computes what `portable` computes, up to the order of the floating-point sums,
//! and with VNNI what `avx512` computes, to the last bit: a prompt read by one can be answered by the other.
//!
//! A lane of a register is a row. One code vector (8 rows × 4 columns) times four broadcast input codes is
//! one `maddubs`; 16-bit partial sums are added as long as they cannot overflow: codes of 4 bits allow
//! 15 · 127 · 2 · 8 = 30 480, of 5 bits four additions, of 6 bits two, of 8 bits none. With VNNI it is
//! one `vpdpbusd`, which adds into 32 bits and never overflows.

use std::arch::asm;
use std::arch::x86_64::*;

use crate::activations::Quantized;
use crate::tile::{Layout, ROWS, STEP, code_bytes};

/// Dot products without VNNI.
pub(crate) const MADDUBS: u8 = 0;
/// Dot products by AVX-VNNI.
pub(crate) const AVX_VNNI: u8 = 1;
/// Dot products by AVX-512's VNNI on registers of 256 bits.
pub(crate) const AVX512_VNNI: u8 = 2;

/// Bytes ahead of the tile in work that are asked for. Weights stream from memory once a token.
const AHEAD: usize = 1024;

/// The product for any block layout.
///
/// # Safety
/// The processor must have AVX-VNNI for `DOT = AVX_VNNI`, AVX-512 with VL and VNNI for `DOT = AVX512_VNNI`.
#[target_feature(enable = "avx2,fma,f16c")]
pub(crate) unsafe fn quantized<const DOT: u8>(
    layout: Layout,
    group: &[u8],
    input: &Quantized,
    from: usize,
    sums: &mut [[f32; ROWS]],
) {
    match layout {
        Layout::Q4_0 => simple::<4, false, DOT>(group, input, from, sums),
        Layout::Q4_1 => simple::<4, true, DOT>(group, input, from, sums),
        Layout::Q5_0 => simple::<5, false, DOT>(group, input, from, sums),
        Layout::Q5_1 => simple::<5, true, DOT>(group, input, from, sums),
        Layout::Q8_0 => simple::<8, false, DOT>(group, input, from, sums),
        Layout::Q4K => with_minima::<4, DOT>(group, input, from, sums),
        Layout::Q5K => with_minima::<5, DOT>(group, input, from, sums),
        Layout::Q6K => six_bits::<DOT>(group, input, from, sums),
        Layout::F16 | Layout::Bf16 | Layout::F32 => {}
    }
}

/// The part of the input that one step of 32 columns needs.
struct Step<'a> {
    /// `[token][32]`
    codes: &'a [i8],
    scales: &'a [f32],
    sums: &'a [f32],
}

impl<'a> Step<'a> {
    #[inline(always)]
    fn new(input: &'a Quantized, block: usize, from: usize, tokens: usize) -> Self {
        let at = block * input.tokens + from;
        Self {
            codes: &input.codes[at * STEP..(at + tokens) * STEP],
            scales: &input.scales[at..at + tokens],
            sums: &input.sums[at..at + tokens],
        }
    }
}

/// Formats with one scale for 32 columns, and `OWN_MINIMUM` or a fixed offset.
#[target_feature(enable = "avx2,fma,f16c")]
fn simple<const BITS: usize, const OWN_MINIMUM: bool, const DOT: u8>(
    group: &[u8],
    input: &Quantized,
    from: usize,
    sums: &mut [[f32; ROWS]],
) {
    let header = if OWN_MINIMUM { 32 } else { 16 };
    let bytes = header + code_bytes(BITS);
    #[expect(clippy::cast_precision_loss, reason = "8, 16 or 128")]
    let offset = _mm256_set1_ps(-((1 << (BITS - 1)) as f32));
    let factors = |tile: &[u8]| {
        let d = halves(tile, 0);
        (d, if OWN_MINIMUM { halves(tile, 16) } else { _mm256_mul_ps(d, offset) })
    };
    if let [only] = sums {
        let mut sum = load(only);
        for (block, tile) in group.chunks_exact(bytes).enumerate() {
            prefetch(tile, bytes);
            let codes = unpack::<BITS, DOT>(tile, header);
            let (d, m) = factors(tile);
            sum = step::<BITS, DOT>(&codes, d, m, &Step::new(input, block, from, 1), 0, sum);
        }
        store(only, sum);
        return;
    }
    for (block, tile) in group.chunks_exact(bytes).enumerate() {
        let codes = unpack::<BITS, DOT>(tile, header);
        let (d, m) = factors(tile);
        let now = Step::new(input, block, from, sums.len());
        for (token, sum) in sums.iter_mut().enumerate() {
            let new = step::<BITS, DOT>(&codes, d, m, &now, token, load(sum));
            store(sum, new);
        }
    }
}

/// `Q4_K` and `Q5_K`: blocks of 256 with scale and minimum for each 32.
#[target_feature(enable = "avx2,fma,f16c")]
fn with_minima<const BITS: usize, const DOT: u8>(
    group: &[u8],
    input: &Quantized,
    from: usize,
    sums: &mut [[f32; ROWS]],
) {
    const HEADER: usize = 160;
    let bytes = HEADER + 8 * code_bytes(BITS);
    for (t, tile) in group.chunks_exact(bytes).enumerate() {
        let d = halves(tile, 0);
        let below = _mm256_sub_ps(_mm256_setzero_ps(), halves(tile, 16));
        for j in 0..8 {
            let at = HEADER + j * code_bytes(BITS);
            prefetch(&tile[at..], code_bytes(BITS));
            let codes = unpack::<BITS, DOT>(tile, at);
            let d = _mm256_mul_ps(d, unsigned_bytes(tile, 32 + 8 * j));
            let m = _mm256_mul_ps(below, unsigned_bytes(tile, 96 + 8 * j));
            let now = Step::new(input, 8 * t + j, from, sums.len());
            for (token, sum) in sums.iter_mut().enumerate() {
                let new = step::<BITS, DOT>(&codes, d, m, &now, token, load(sum));
                store(sum, new);
            }
        }
    }
}

/// `Q6_K`: blocks of 256 with a scale for each 16, codes around 32.
#[target_feature(enable = "avx2,fma,f16c")]
fn six_bits<const DOT: u8>(group: &[u8], input: &Quantized, from: usize, sums: &mut [[f32; ROWS]]) {
    const HEADER: usize = 144;
    let bytes = HEADER + 8 * code_bytes(6);
    let offset = _mm256_set1_ps(-32.0);
    for (t, tile) in group.chunks_exact(bytes).enumerate() {
        let d = halves(tile, 0);
        for j in 0..8 {
            let at = HEADER + j * code_bytes(6);
            prefetch(&tile[at..], code_bytes(6));
            let codes = unpack::<6, DOT>(tile, at);
            let d0 = _mm256_mul_ps(d, signed_bytes(tile, 16 + 16 * j));
            let d1 = _mm256_mul_ps(d, signed_bytes(tile, 24 + 16 * j));
            let (m0, m1) = (_mm256_mul_ps(d0, offset), _mm256_mul_ps(d1, offset));
            let now = Step::new(input, 8 * t + j, from, sums.len());
            let block = (8 * t + j) * input.tokens + from;
            let half_sums = &input.half_sums[2 * block..2 * (block + sums.len())];
            for (token, sum) in sums.iter_mut().enumerate() {
                let x: &[i8] = &now.codes[token * STEP..(token + 1) * STEP];
                let (first, second) = if DOT != MADDUBS {
                    (dot_four::<DOT, 0>(&codes, x), dot_four::<DOT, 4>(&codes, x))
                } else {
                    let four = |g: usize| {
                        _mm256_add_epi32(pair_of(&codes, g, x), pair_of(&codes, g + 2, x))
                    };
                    (four(0), four(4))
                };
                let (first, second) = (_mm256_cvtepi32_ps(first), _mm256_cvtepi32_ps(second));
                let scale = _mm256_set1_ps(now.scales[token]);
                let [low, high] = [0, 1].map(|half| _mm256_set1_ps(half_sums[2 * token + half]));
                let scaled = _mm256_fmadd_ps(second, d1, _mm256_mul_ps(first, d0));
                let below = _mm256_fmadd_ps(m1, high, _mm256_mul_ps(m0, low));
                let new = _mm256_fmadd_ps(scaled, scale, below);
                store(sum, _mm256_add_ps(load(sum), new));
            }
        }
    }
}

/// One token through 32 columns of eight rows.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn step<const BITS: usize, const DOT: u8>(
    codes: &[__m256i; 8],
    d: __m256,
    m: __m256,
    now: &Step<'_>,
    token: usize,
    sum: __m256,
) -> __m256 {
    let x: &[i8] = &now.codes[token * STEP..(token + 1) * STEP];
    let dot = if DOT != MADDUBS {
        _mm256_add_epi32(dot_four::<DOT, 0>(codes, x), dot_four::<DOT, 4>(codes, x))
    } else {
        dot_eight::<BITS>(codes, x)
    };
    let scale = _mm256_mul_ps(d, _mm256_set1_ps(now.scales[token]));
    let dot = _mm256_cvtepi32_ps(dot);
    if BITS == 8 && DOT == MADDUBS {
        return _mm256_fmadd_ps(dot, scale, sum);
    }
    // The sum comes last, so that the additions of one block do not wait for those of the block before.
    let below = _mm256_mul_ps(m, _mm256_set1_ps(now.sums[token]));
    _mm256_add_ps(sum, _mm256_fmadd_ps(dot, scale, below))
}

/// Two code vectors of six bits with their eight input codes.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn pair_of(codes: &[__m256i; 8], g: usize, x: &[i8]) -> __m256i {
    let a = _mm256_maddubs_epi16(codes[g], broadcast(x, g));
    let b = _mm256_maddubs_epi16(codes[g + 1], broadcast(x, g + 1));
    _mm256_madd_epi16(_mm256_add_epi16(a, b), _mm256_set1_epi16(1))
}

/// Eight code vectors with their 32 input codes.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn dot_eight<const BITS: usize>(codes: &[__m256i; 8], x: &[i8]) -> __m256i {
    let ones = _mm256_set1_epi16(1);
    let term = |g: usize| {
        let x = broadcast(x, g);
        if BITS == 8 {
            // Signs move from the weight to the input; the input is never -128.
            let product =
                _mm256_maddubs_epi16(_mm256_abs_epi8(codes[g]), _mm256_sign_epi8(x, codes[g]));
            _mm256_madd_epi16(product, ones)
        } else {
            _mm256_maddubs_epi16(codes[g], x)
        }
    };
    let four = |g: usize| {
        let (a, b, c, d) = (term(g), term(g + 1), term(g + 2), term(g + 3));
        if BITS == 8 {
            _mm256_add_epi32(_mm256_add_epi32(a, b), _mm256_add_epi32(c, d))
        } else {
            _mm256_add_epi16(_mm256_add_epi16(a, b), _mm256_add_epi16(c, d))
        }
    };
    match BITS {
        4 => _mm256_madd_epi16(_mm256_add_epi16(four(0), four(4)), ones),
        8 => _mm256_add_epi32(four(0), four(4)),
        _ => _mm256_add_epi32(_mm256_madd_epi16(four(0), ones), _mm256_madd_epi16(four(4), ones)),
    }
}

/// Four code vectors from `FIRST` with their sixteen input codes, by VNNI.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn dot_four<const DOT: u8, const FIRST: usize>(codes: &[__m256i; 8], x: &[i8]) -> __m256i {
    let sum = dot_add::<DOT>(_mm256_setzero_si256(), codes[FIRST], broadcast(x, FIRST));
    let sum = dot_add::<DOT>(sum, codes[FIRST + 1], broadcast(x, FIRST + 1));
    let sum = dot_add::<DOT>(sum, codes[FIRST + 2], broadcast(x, FIRST + 2));
    dot_add::<DOT>(sum, codes[FIRST + 3], broadcast(x, FIRST + 3))
}

/// Adds four products of unsigned with signed bytes to each lane.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn dot_add<const DOT: u8>(mut sum: __m256i, codes: __m256i, x: __m256i) -> __m256i {
    // Written out, because a function for other processors than its caller's is never inlined.
    // SAFETY: one instruction between registers; `quantized` says that the processor has it.
    unsafe {
        if DOT == AVX512_VNNI {
            asm!(
                "{{evex}} vpdpbusd {sum}, {codes}, {x}",
                sum = inout(ymm_reg) sum,
                codes = in(ymm_reg) codes,
                x = in(ymm_reg) x,
                options(pure, nomem, nostack, preserves_flags)
            );
        } else {
            asm!(
                "{{vex}} vpdpbusd {sum}, {codes}, {x}",
                sum = inout(ymm_reg) sum,
                codes = in(ymm_reg) codes,
                x = in(ymm_reg) x,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
    }
    sum
}

/// The eight code vectors of 8 rows × 32 columns at `at`.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn unpack<const BITS: usize, const DOT: u8>(tile: &[u8], at: usize) -> [__m256i; 8] {
    let bytes = &tile[at..at + code_bytes(BITS)];
    let vector = |v: usize| {
        let part: &[u8] = &bytes[32 * v..32 * v + 32];
        // SAFETY: 32 bytes by the slice above; the load needs no alignment.
        unsafe { _mm256_loadu_si256(part.as_ptr().cast()) }
    };
    if BITS == 8 {
        // `vpdpbusd` takes codes as unsigned ones around 128.
        let sign = _mm256_set1_epi8(if DOT != MADDUBS { -128 } else { 0 });
        let code = |v: usize| _mm256_xor_si256(vector(v), sign);
        return [code(0), code(1), code(2), code(3), code(4), code(5), code(6), code(7)];
    }
    let extra = BITS - 4;
    let nibbles = _mm256_set1_epi8(15);
    let low = |v: usize| _mm256_and_si256(vector(extra + v), nibbles);
    let high = |v: usize| _mm256_and_si256(_mm256_srli_epi16::<4>(vector(extra + v)), nibbles);
    let mut codes = [low(0), low(1), low(2), low(3), high(0), high(1), high(2), high(3)];
    if BITS == 5 {
        // Bit g of each byte goes to bit 4.
        let bits = vector(0);
        let one = _mm256_set1_epi8(16);
        let fifth = [
            _mm256_slli_epi16::<4>(bits),
            _mm256_slli_epi16::<3>(bits),
            _mm256_slli_epi16::<2>(bits),
            _mm256_slli_epi16::<1>(bits),
            bits,
            _mm256_srli_epi16::<1>(bits),
            _mm256_srli_epi16::<2>(bits),
            _mm256_srli_epi16::<3>(bits),
        ];
        for (code, fifth) in codes.iter_mut().zip(fifth) {
            *code = _mm256_or_si256(*code, _mm256_and_si256(fifth, one));
        }
    }
    if BITS == 6 {
        // Two bits at 2 (g mod 4) of each byte go to bits 4 and 5.
        let two = _mm256_set1_epi8(48);
        for half in 0..2 {
            let bits = vector(half);
            let upper = [
                _mm256_slli_epi16::<4>(bits),
                _mm256_slli_epi16::<2>(bits),
                bits,
                _mm256_srli_epi16::<2>(bits),
            ];
            for (code, upper) in codes[4 * half..].iter_mut().zip(upper) {
                *code = _mm256_or_si256(*code, _mm256_and_si256(upper, two));
            }
        }
    }
    codes
}

/// Input codes `4 g .. 4 g + 4` in every lane.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn broadcast(x: &[i8], g: usize) -> __m256i {
    let four = [x[4 * g], x[4 * g + 1], x[4 * g + 2], x[4 * g + 3]].map(i8::cast_unsigned);
    _mm256_set1_epi32(i32::from_le_bytes(four))
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn halves(tile: &[u8], at: usize) -> __m256 {
    let eight = &tile[at..at + 16];
    // SAFETY: 16 bytes by the slice above; the load needs no alignment.
    _mm256_cvtph_ps(unsafe { _mm_loadu_si128(eight.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn unsigned_bytes(tile: &[u8], at: usize) -> __m256 {
    let eight = &tile[at..at + 8];
    // SAFETY: 8 bytes by the slice above; the load needs no alignment.
    let eight = unsafe { _mm_loadl_epi64(eight.as_ptr().cast()) };
    _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight))
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn signed_bytes(tile: &[u8], at: usize) -> __m256 {
    let eight = &tile[at..at + 8];
    // SAFETY: 8 bytes by the slice above; the load needs no alignment.
    let eight = unsafe { _mm_loadl_epi64(eight.as_ptr().cast()) };
    _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight))
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn load(sum: &[f32; ROWS]) -> __m256 {
    // SAFETY: eight floats by the type.
    unsafe { _mm256_loadu_ps(sum.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn store(sum: &mut [f32; ROWS], value: __m256) {
    // SAFETY: eight floats by the type.
    unsafe { _mm256_storeu_ps(sum.as_mut_ptr(), value) }
}

/// Asks for the bytes that come `AHEAD` of the `bytes` in work.
#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
pub(crate) fn prefetch(tile: &[u8], bytes: usize) {
    let mut line = 0;
    while line < bytes {
        let place = tile.as_ptr().wrapping_add(AHEAD + line);
        // A prefetch of any address is harmless; it never faults.
        _mm_prefetch::<_MM_HINT_T0>(place.cast());
        line += 64;
    }
}

/// The product for dense layouts; `x` is `[token][column]`, beginning with the first token wanted.
#[target_feature(enable = "avx2,fma,f16c")]
pub(crate) fn dense(
    layout: Layout,
    group: &[u8],
    x: &[f32],
    columns: usize,
    sums: &mut [[f32; ROWS]],
) {
    match layout {
        Layout::F16 => dense_of(group, 16, x, columns, sums, |eight| halves(eight, 0)),
        Layout::Bf16 => dense_of(group, 16, x, columns, sums, |eight| {
            let eight: &[u8] = &eight[..16];
            // SAFETY: 16 bytes by the slice above; the load needs no alignment.
            let eight = unsafe { _mm_loadu_si128(eight.as_ptr().cast()) };
            _mm256_castsi256_ps(_mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(eight)))
        }),
        _ => dense_of(group, 32, x, columns, sums, |eight| {
            let eight: &[u8] = &eight[..32];
            // SAFETY: 32 bytes by the slice above; the load needs no alignment.
            unsafe { _mm256_loadu_ps(eight.as_ptr().cast()) }
        }),
    }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn dense_of(
    group: &[u8],
    bytes: usize,
    x: &[f32],
    columns: usize,
    sums: &mut [[f32; ROWS]],
    weights: impl Fn(&[u8]) -> __m256,
) {
    for (four, sums) in sums.chunks_mut(4).enumerate() {
        let row = |t: usize| {
            let token = 4 * four + t.min(sums.len() - 1);
            &x[token * columns..(token + 1) * columns]
        };
        // Even and odd columns apart, so that the additions for a single token do not wait for each other.
        let mut new = [[_mm256_setzero_ps(); 2]; 4];
        if sums.len() == 1 {
            let x = row(0);
            for (pair, eights) in group.chunks(2 * bytes).enumerate() {
                for (parity, eight) in eights.chunks_exact(bytes).enumerate() {
                    let x = _mm256_set1_ps(x[2 * pair + parity]);
                    new[0][parity] = _mm256_fmadd_ps(weights(eight), x, new[0][parity]);
                }
            }
        } else {
            let rows = [row(0), row(1), row(2), row(3)];
            for (pair, eights) in group.chunks(2 * bytes).enumerate() {
                for (parity, eight) in eights.chunks_exact(bytes).enumerate() {
                    let w = weights(eight);
                    for (new, row) in new.iter_mut().zip(rows) {
                        let x = _mm256_set1_ps(row[2 * pair + parity]);
                        new[parity] = _mm256_fmadd_ps(w, x, new[parity]);
                    }
                }
            }
        }
        for (sum, [even, odd]) in sums.iter_mut().zip(new) {
            let total = _mm256_add_ps(load(sum), _mm256_add_ps(even, odd));
            store(sum, total);
        }
    }
}
