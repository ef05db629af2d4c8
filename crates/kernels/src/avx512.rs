//! The product of two neighbouring groups of eight rows with some tokens, for AVX-512 with VNNI. It computes
//! what `avx2` computes with VNNI, to the last bit, and leaves to it a group without a neighbour and a few
//! tokens alone: an answer must not depend on how much of its prompt was read before.
//!
//! A lane of a register is a row. One code vector (16 rows × 4 columns) times four broadcast input codes is
//! one `vpdpbusd`, which multiplies unsigned with signed bytes and adds into 32 bits: no sum can overflow.

use std::arch::x86_64::*;

use crate::activations::Quantized;
use crate::avx2::prefetch;
use crate::tile::{Layout, ROWS, STEP, code_bytes};

/// Rows of two groups.
pub(crate) const WIDE: usize = 2 * ROWS;

/// Two groups of the same matrix, byte for byte of the same form.
type Pair<'a> = [&'a [u8]; 2];

/// The product for any block layout.
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
pub(crate) fn quantized(
    layout: Layout,
    groups: Pair<'_>,
    input: &Quantized,
    from: usize,
    sums: &mut [[f32; WIDE]],
) {
    match layout {
        Layout::Q4_0 => simple::<4, false>(groups, input, from, sums),
        Layout::Q4_1 => simple::<4, true>(groups, input, from, sums),
        Layout::Q5_0 => simple::<5, false>(groups, input, from, sums),
        Layout::Q5_1 => simple::<5, true>(groups, input, from, sums),
        Layout::Q8_0 => simple::<8, false>(groups, input, from, sums),
        Layout::Q4K => with_minima::<4>(groups, input, from, sums),
        Layout::Q5K => with_minima::<5>(groups, input, from, sums),
        Layout::Q6K => six_bits(groups, input, from, sums),
        Layout::F16 | Layout::Bf16 | Layout::F32 => {}
    }
}

/// Formats with one scale for 32 columns, and `OWN_MINIMUM` or a fixed offset. Signed codes of 8 bits are
/// taken as unsigned ones around 128.
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn simple<const BITS: usize, const OWN_MINIMUM: bool>(
    groups: Pair<'_>,
    input: &Quantized,
    from: usize,
    sums: &mut [[f32; WIDE]],
) {
    let header = if OWN_MINIMUM { 32 } else { 16 };
    let bytes = header + code_bytes(BITS);
    #[expect(clippy::cast_precision_loss, reason = "8, 16 or 128")]
    let offset = _mm512_set1_ps(-((1 << (BITS - 1)) as f32));
    for block in 0..groups[0].len() / bytes {
        let tiles = groups.map(|group| &group[block * bytes..(block + 1) * bytes]);
        for tile in tiles {
            prefetch(tile, bytes);
        }
        let codes = unpack::<BITS>(tiles, header);
        let d = halves(tiles, 0);
        let m = if OWN_MINIMUM { halves(tiles, 16) } else { _mm512_mul_ps(d, offset) };
        step(&codes, d, m, input, block, from, sums);
    }
}

/// `Q4_K` and `Q5_K`: blocks of 256 with scale and minimum for each 32.
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn with_minima<const BITS: usize>(
    groups: Pair<'_>,
    input: &Quantized,
    from: usize,
    sums: &mut [[f32; WIDE]],
) {
    const HEADER: usize = 160;
    let bytes = HEADER + 8 * code_bytes(BITS);
    for t in 0..groups[0].len() / bytes {
        let tiles = groups.map(|group| &group[t * bytes..(t + 1) * bytes]);
        let d = halves(tiles, 0);
        let below = _mm512_sub_ps(_mm512_setzero_ps(), halves(tiles, 16));
        for j in 0..8 {
            let at = HEADER + j * code_bytes(BITS);
            for tile in tiles {
                prefetch(&tile[at..], code_bytes(BITS));
            }
            let codes = unpack::<BITS>(tiles, at);
            let d = _mm512_mul_ps(d, numbers(_mm512_cvtepu8_epi32(bytes_of(tiles, 32 + 8 * j))));
            let m =
                _mm512_mul_ps(below, numbers(_mm512_cvtepu8_epi32(bytes_of(tiles, 96 + 8 * j))));
            step(&codes, d, m, input, 8 * t + j, from, sums);
        }
    }
}

/// `Q6_K`: blocks of 256 with a scale for each 16, codes around 32.
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn six_bits(groups: Pair<'_>, input: &Quantized, from: usize, sums: &mut [[f32; WIDE]]) {
    const HEADER: usize = 144;
    let bytes = HEADER + 8 * code_bytes(6);
    let offset = _mm512_set1_ps(-32.0);
    for t in 0..groups[0].len() / bytes {
        let tiles = groups.map(|group| &group[t * bytes..(t + 1) * bytes]);
        let d = halves(tiles, 0);
        for j in 0..8 {
            let at = HEADER + j * code_bytes(6);
            for tile in tiles {
                prefetch(&tile[at..], code_bytes(6));
            }
            let codes = unpack::<6>(tiles, at);
            let scaled =
                |at: usize| _mm512_mul_ps(d, numbers(_mm512_cvtepi8_epi32(bytes_of(tiles, at))));
            let (d0, d1) = (scaled(16 + 16 * j), scaled(24 + 16 * j));
            let (m0, m1) = (_mm512_mul_ps(d0, offset), _mm512_mul_ps(d1, offset));
            let at = (8 * t + j) * input.tokens + from;
            let inputs = input.codes[at * STEP..].as_chunks::<STEP>().0;
            let halves = input.half_sums[2 * at..].as_chunks::<2>().0;
            let scales = &input.scales[at..];
            for (((sum, x), halves), scale) in sums.iter_mut().zip(inputs).zip(halves).zip(scales) {
                let first = numbers(four::<0>(&codes, x));
                let second = numbers(four::<4>(&codes, x));
                let scaled = _mm512_fmadd_ps(second, d1, _mm512_mul_ps(first, d0));
                let below = _mm512_fmadd_ps(
                    m1,
                    _mm512_set1_ps(halves[1]),
                    _mm512_mul_ps(m0, _mm512_set1_ps(halves[0])),
                );
                let new = _mm512_fmadd_ps(scaled, _mm512_set1_ps(*scale), below);
                store(sum, _mm512_add_ps(load(sum), new));
            }
        }
    }
}

/// All tokens through 32 columns of sixteen rows.
#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn step(
    codes: &[__m512i; 8],
    d: __m512,
    m: __m512,
    input: &Quantized,
    block: usize,
    from: usize,
    sums: &mut [[f32; WIDE]],
) {
    let at = block * input.tokens + from;
    let inputs = input.codes[at * STEP..].as_chunks::<STEP>().0;
    let (scales, totals) = (&input.scales[at..], &input.sums[at..]);
    for (((sum, x), scale), total) in sums.iter_mut().zip(inputs).zip(scales).zip(totals) {
        let dot = _mm512_add_epi32(four::<0>(codes, x), four::<4>(codes, x));
        let scale = _mm512_mul_ps(d, _mm512_set1_ps(*scale));
        // The sum comes last, so that the additions of one block do not wait for those of the block before.
        let new = _mm512_fmadd_ps(numbers(dot), scale, _mm512_mul_ps(m, _mm512_set1_ps(*total)));
        store(sum, _mm512_add_ps(load(sum), new));
    }
}

/// Four code vectors from `FIRST` with their sixteen input codes. Written out: a loop over an array of registers
/// puts it into memory.
#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn four<const FIRST: usize>(codes: &[__m512i; 8], x: &[i8; STEP]) -> __m512i {
    let sum = _mm512_setzero_si512();
    let sum = _mm512_dpbusd_epi32(sum, codes[FIRST], broadcast(x, FIRST));
    let sum = _mm512_dpbusd_epi32(sum, codes[FIRST + 1], broadcast(x, FIRST + 1));
    let sum = _mm512_dpbusd_epi32(sum, codes[FIRST + 2], broadcast(x, FIRST + 2));
    _mm512_dpbusd_epi32(sum, codes[FIRST + 3], broadcast(x, FIRST + 3))
}

/// Input codes `4 g .. 4 g + 4` in every lane.
#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn broadcast(x: &[i8; STEP], g: usize) -> __m512i {
    let four = [x[4 * g], x[4 * g + 1], x[4 * g + 2], x[4 * g + 3]].map(i8::cast_unsigned);
    _mm512_set1_epi32(i32::from_le_bytes(four))
}

/// The eight code vectors of 16 rows × 32 columns at `at`, all unsigned.
#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn unpack<const BITS: usize>(tiles: Pair<'_>, at: usize) -> [__m512i; 8] {
    let parts = tiles.map(|tile| &tile[at..at + code_bytes(BITS)]);
    let vector = |v: usize| {
        let [a, b]: Pair<'_> = parts.map(|part| &part[32 * v..32 * v + 32]);
        // SAFETY: 32 bytes each by the slices above; the loads need no alignment.
        let (a, b) = unsafe {
            (_mm256_loadu_si256(a.as_ptr().cast()), _mm256_loadu_si256(b.as_ptr().cast()))
        };
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(a), b)
    };
    if BITS == 8 {
        let sign = _mm512_set1_epi8(-128);
        let code = |v: usize| _mm512_xor_si512(vector(v), sign);
        return [code(0), code(1), code(2), code(3), code(4), code(5), code(6), code(7)];
    }
    let extra = BITS - 4;
    let nibbles = _mm512_set1_epi8(15);
    let whole = [vector(extra), vector(extra + 1), vector(extra + 2), vector(extra + 3)];
    let low = |v: usize| _mm512_and_si512(whole[v], nibbles);
    let high = |v: usize| _mm512_and_si512(_mm512_srli_epi16::<4>(whole[v]), nibbles);
    let mut codes = [low(0), low(1), low(2), low(3), high(0), high(1), high(2), high(3)];
    // `a | (b & c)` in one instruction.
    const OR_AND: i32 = 0b1111_1000;
    if BITS == 5 {
        // Bit g of each byte goes to bit 4.
        let bits = vector(0);
        let one = _mm512_set1_epi8(16);
        let fifth = [
            _mm512_slli_epi16::<4>(bits),
            _mm512_slli_epi16::<3>(bits),
            _mm512_slli_epi16::<2>(bits),
            _mm512_slli_epi16::<1>(bits),
            bits,
            _mm512_srli_epi16::<1>(bits),
            _mm512_srli_epi16::<2>(bits),
            _mm512_srli_epi16::<3>(bits),
        ];
        for (code, fifth) in codes.iter_mut().zip(fifth) {
            *code = _mm512_ternarylogic_epi32::<OR_AND>(*code, fifth, one);
        }
    }
    if BITS == 6 {
        // Two bits at 2 (g mod 4) of each byte go to bits 4 and 5.
        let two = _mm512_set1_epi8(48);
        for half in 0..2 {
            let bits = vector(half);
            let upper = [
                _mm512_slli_epi16::<4>(bits),
                _mm512_slli_epi16::<2>(bits),
                bits,
                _mm512_srli_epi16::<2>(bits),
            ];
            for (code, upper) in codes[4 * half..].iter_mut().zip(upper) {
                *code = _mm512_ternarylogic_epi32::<OR_AND>(*code, upper, two);
            }
        }
    }
    codes
}

/// Sixteen half-precision numbers, eight of each tile.
#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn halves(tiles: Pair<'_>, at: usize) -> __m512 {
    let [a, b] = tiles.map(|tile| &tile[at..at + 16]);
    // SAFETY: 16 bytes each by the slices above; the loads need no alignment.
    let (a, b) =
        unsafe { (_mm_loadu_si128(a.as_ptr().cast()), _mm_loadu_si128(b.as_ptr().cast())) };
    _mm512_cvtph_ps(_mm256_inserti128_si256::<1>(_mm256_castsi128_si256(a), b))
}

/// Sixteen bytes, eight of each tile.
#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn bytes_of(tiles: Pair<'_>, at: usize) -> __m128i {
    let [a, b] = tiles.map(|tile| &tile[at..at + 8]);
    // SAFETY: 8 bytes each by the slices above; the loads need no alignment.
    let (a, b) =
        unsafe { (_mm_loadl_epi64(a.as_ptr().cast()), _mm_loadl_epi64(b.as_ptr().cast())) };
    _mm_unpacklo_epi64(a, b)
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn numbers(integers: __m512i) -> __m512 {
    _mm512_cvtepi32_ps(integers)
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn load(sum: &[f32; WIDE]) -> __m512 {
    // SAFETY: sixteen floats by the type.
    unsafe { _mm512_loadu_ps(sum.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512vnni")]
fn store(sum: &mut [f32; WIDE], value: __m512) {
    // SAFETY: sixteen floats by the type.
    unsafe { _mm512_storeu_ps(sum.as_mut_ptr(), value) }
}
