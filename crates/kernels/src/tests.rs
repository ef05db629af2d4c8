//! Kernels against each other and against plain arithmetic; block formats against ggml's own decoder.

use std::sync::{Arc, Mutex};

use burn::tensor::{Device, Tensor, TensorData};
use proptest::prelude::*;

use crate::*;

fn golden(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(format!("{name}.bin"));
    std::fs::read(path).unwrap()
}

pub(crate) const BLOCK_TYPES: [GgmlType; 10] = [
    GgmlType::Q4_0,
    GgmlType::Q4_1,
    GgmlType::Q5_0,
    GgmlType::Q5_1,
    GgmlType::Q8_0,
    GgmlType::Q2K,
    GgmlType::Q3K,
    GgmlType::Q4K,
    GgmlType::Q5K,
    GgmlType::Q6K,
];

#[test]
fn decodes_every_format_bit_for_bit_as_the_gguf_package_does() {
    let check = |kind: GgmlType, elements: usize| {
        let file = golden(kind.name());
        let (blocks, values) = file.split_at(kind.row_bytes(elements).unwrap());
        let mut ours = vec![0.0; elements];
        dequantize(kind, blocks, &mut ours).unwrap();
        let ours: Vec<u8> = ours.iter().flat_map(|x| x.to_le_bytes()).collect();
        assert!(ours == values, "{} differs", kind.name());
    };
    for kind in BLOCK_TYPES {
        check(kind, 3 * kind.block_len());
    }
    check(GgmlType::F16, 64);
    check(GgmlType::Bf16, 64);
}

#[test]
fn refuses_bytes_of_another_length() {
    let mut out = [0.0; 32];
    assert!(dequantize(GgmlType::Q4_0, &[0; 17], &mut out).is_err());
    assert!(dequantize(GgmlType::Q4K, &[0; 144], &mut out).is_err());
    let compute = Compute::new(Isa::portable(), 1).unwrap();
    assert!(Matrix::from_blocks(&compute, GgmlType::Q8_0, 2, 32, &[0; 67]).is_err());
    assert!(Matrix::from_blocks(&compute, GgmlType::Q8_0, usize::MAX, 32, &[0; 34]).is_err());
}

/// Numbers from a seed, in -1..1, without a dependency.
pub(crate) fn noise(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
        })
        .collect()
}

/// Random valid blocks: the golden ones of the type, in another order.
pub(crate) fn blocks(kind: GgmlType, rows: usize, columns: usize, seed: u64) -> Vec<u8> {
    let bytes = kind.block_bytes();
    match kind {
        GgmlType::F32 => noise(seed, rows * columns).iter().flat_map(|x| x.to_le_bytes()).collect(),
        _ => {
            let file = golden(kind.name());
            let known = if kind.block_len() == 1 { 64 } else { 3 };
            let picks = noise(seed, rows * columns / kind.block_len());
            let pick = |x: f32| (((x + 1.0) * 1000.0) as usize % known) * bytes;
            picks.into_iter().flat_map(|x| file[pick(x)..pick(x) + bytes].to_vec()).collect()
        }
    }
}

fn product(compute: &Compute, kind: GgmlType, rows: usize, x: &Tensor<2>, seed: u64) -> Vec<f32> {
    let columns = x.dims()[1];
    let bytes = blocks(kind, rows, columns, seed);
    let matrix = Matrix::from_blocks(compute, kind, rows, columns, &bytes).unwrap();
    let linear = Linear::new(vec![matrix], None).unwrap();
    let weights = Arc::new(Projection::new(None, linear).unwrap());
    project(compute, x.clone(), &weights).unwrap().into_data().try_to_vec().unwrap()
}

fn input(tokens: usize, columns: usize, seed: u64) -> Tensor<2> {
    let data = TensorData::new(noise(seed, tokens * columns), [tokens, columns]);
    Tensor::from_data(data, &Device::flex())
}

#[test]
fn products_are_near_those_of_decoded_weights() {
    // 8-bit codes are off by up to 1/254 of the largest input, at random; the reference by rounding only.
    check_products(Isa::portable(), 0.02);
    check_products(Isa::reference(), 1e-5);
}

fn check_products(isa: Isa, bar: f32) {
    let compute = Compute::new(isa, 1).unwrap();
    for kind in GgmlType::ALL {
        let (tokens, rows, columns) = (2, 11, 512);
        let x = input(tokens, columns, 3);
        let ours = product(&compute, kind, rows, &x, 5);
        let mut weights = vec![0.0; rows * columns];
        dequantize(kind, &blocks(kind, rows, columns, 5), &mut weights).unwrap();
        let x: Vec<f32> = x.into_data().try_to_vec().unwrap();
        for token in 0..tokens {
            for row in 0..rows {
                let (x, w) =
                    (&x[token * columns..][..columns], &weights[row * columns..][..columns]);
                let exact: f32 = x.iter().zip(w).map(|(x, w)| x * w).sum();
                let size: f32 = w.iter().map(|w| w * w).sum::<f32>().sqrt();
                let error = (ours[token * rows + row] - exact).abs();
                // Q2_K is kept in half precision.
                let bar = if kind == GgmlType::Q2K { bar.max(1e-3) } else { bar };
                assert!(error <= bar * size, "{}: {error} of {size}", kind.name());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn instruction_sets_and_thread_counts_agree(
        kind in prop::sample::select(GgmlType::ALL.to_vec()),
        tokens in prop::sample::select(vec![1_usize, 2, 5, 130]),
        rows in 1_usize..40,
        blocks in 1_usize..3,
        seed in 1_u64..1000,
    ) {
        let x = input(tokens, 256 * blocks, seed);
        let plain = product(&Compute::new(Isa::portable(), 1).unwrap(), kind, rows, &x, seed);
        let size = plain.iter().fold(0.0_f32, |a, b| a.max(b.abs()));
        for isa in Isa::all() {
            let wide = product(&Compute::new(isa, 3).unwrap(), kind, rows, &x, seed);
            for (a, b) in plain.iter().zip(&wide) {
                prop_assert!((a - b).abs() <= 2e-5 * size, "{}: {a} and {b} of {size}", isa.name());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Prompts are read many tokens at a time and answers one; what is read in which way must not show.
    #[test]
    fn a_token_gives_the_same_bits_alone_as_among_others(
        kind in prop::sample::select(GgmlType::ALL.to_vec()),
        tokens in 2_usize..20,
        rows in 1_usize..40,
        seed in 1_u64..1000,
    ) {
        let columns = 256;
        let x = input(tokens, columns, seed);
        let single = |token: usize| x.clone().slice([token..token + 1, 0..columns]);
        for isa in Isa::all() {
            let compute = Compute::new(isa, 1).unwrap();
            let together = product(&compute, kind, rows, &x, seed);
            for token in 0..tokens {
                let alone = product(&compute, kind, rows, &single(token), seed);
                prop_assert_eq!(&together[token * rows..][..rows], &alone, "{}", isa.name());
            }
        }
    }
}

/// Attention as it is written in the paper, in f64, all positions at once.
fn plain_attention(fused: &[f32], shape: HeadShape, settings: &RotarySettings) -> Vec<f64> {
    let columns = shape.fused_columns();
    let tokens = fused.len() / columns;
    let (n, group) = (shape.head_size, shape.heads / shape.kv_heads);
    let turn = |position: usize, head: &[f32]| -> Vec<f64> {
        let mut out: Vec<f64> = head.iter().map(|&x| x.into()).collect();
        let half = settings.dimensions / 2;
        for i in 0..half {
            let angle = position as f64
                * f64::from(settings.base).powf(-2.0 * i as f64 / settings.dimensions as f64);
            let (a, b) = match settings.pairing {
                Pairing::Neighbours => (2 * i, 2 * i + 1),
                Pairing::Halves => (i, i + half),
            };
            let (x, y) = (out[a], out[b]);
            out[a] = x * angle.cos() - y * angle.sin();
            out[b] = x * angle.sin() + y * angle.cos();
        }
        out
    };
    let mut out = Vec::new();
    for t in 0..tokens {
        for h in 0..shape.heads {
            let query = turn(t, &fused[t * columns + h * n..][..n]);
            let key =
                |s: usize| turn(s, &fused[s * columns + (shape.heads + h / group) * n..][..n]);
            let scores: Vec<f64> = (0..=t)
                .map(|s| {
                    let dot: f64 = query.iter().zip(key(s)).map(|(a, b)| a * b).sum();
                    (dot / (n as f64).sqrt()).exp()
                })
                .collect();
            let total: f64 = scores.iter().sum();
            for i in 0..n {
                let at = (shape.heads + shape.kv_heads + h / group) * n + i;
                let mixed: f64 =
                    (0..=t).map(|s| scores[s] * f64::from(fused[s * columns + at])).sum();
                out.push(mixed / total);
            }
        }
    }
    out
}

#[test]
fn attention_in_pieces_is_that_of_the_paper() {
    let check = |isa: Isa, threads: usize, shape: HeadShape, pairing: Pairing| {
        let compute = Compute::new(isa, threads).unwrap();
        let settings = RotarySettings {
            pairing,
            dimensions: shape.head_size,
            base: 10_000.0,
            divisors: Vec::new(),
            linear_scale: 1.0,
        };
        let columns = shape.fused_columns();
        let tokens = 45;
        let fused = noise(9, tokens * columns);
        let cache = Arc::new(Mutex::new(KvLayer::new(shape.kv_heads, shape.head_size)));
        let mut ours: Vec<f32> = Vec::new();
        // Some junk first, forgotten again: a cache that was cut must not show what it held.
        for (start, count, keep) in [(0, 40, false), (0, 7, true), (7, 1, true), (8, 37, true)] {
            let rows = fused[start * columns..(start + count) * columns].to_vec();
            let rows = Tensor::from_data(TensorData::new(rows, [count, columns]), &Device::flex());
            let table = Arc::new(RotaryTable::new(&settings, start, count));
            let out = cached_attention(&compute, rows, shape, &table, &cache).unwrap();
            if keep {
                ours.extend(out.into_data().try_to_vec::<f32>().unwrap());
            } else {
                cache.lock().unwrap().truncate(0);
            }
        }
        for (ours, exact) in ours.iter().zip(plain_attention(&fused, shape, &settings)) {
            // Half-precision keys and values.
            assert!((f64::from(*ours) - exact).abs() < 2e-3, "{ours} and {exact}");
        }
    };
    let grouped = HeadShape { heads: 6, kv_heads: 2, head_size: 24 };
    let large = HeadShape { heads: 7, kv_heads: 1, head_size: 64 };
    for isa in Isa::all() {
        check(isa, 1, grouped, Pairing::Neighbours);
        check(isa, 2, large, Pairing::Halves);
    }
}

#[test]
fn a_projection_normalises_adds_a_bias_and_a_residual() {
    let compute = Compute::new(Isa::best(), 2).unwrap();
    let (rows, columns) = (9, 32);
    let weights = noise(4, rows * columns);
    let bytes: Vec<u8> = weights.iter().flat_map(|x| x.to_le_bytes()).collect();
    let matrix = Matrix::from_blocks(&compute, GgmlType::F32, rows, columns, &bytes).unwrap();
    let (bias, norm) = (noise(5, rows), noise(6, columns));
    let linear = Linear::new(vec![matrix], Some(bias.clone())).unwrap();
    let projection = Projection::new(Some(RmsNorm { weight: norm.clone(), epsilon: 1e-5 }), linear);
    let projection = Arc::new(projection.unwrap());
    let (x, residual) = (input(3, columns, 7), input(3, rows, 8));
    let ours: Vec<f32> = project_add(&compute, x.clone(), residual.clone(), &projection)
        .unwrap()
        .into_data()
        .try_to_vec()
        .unwrap();
    // The same in burn's own operations.
    let device = Device::flex();
    let scale = (x.clone().powf_scalar(2.0).mean_dim(1) + 1e-5).sqrt().recip();
    let norm = Tensor::<2>::from_data(TensorData::new(norm, [1, columns]), &device);
    let weights = Tensor::<2>::from_data(TensorData::new(weights, [rows, columns]), &device);
    let bias = Tensor::<2>::from_data(TensorData::new(bias, [1, rows]), &device);
    let exact = (x * scale * norm).matmul(weights.transpose()) + bias + residual;
    let exact: Vec<f32> = exact.into_data().try_to_vec().unwrap();
    for (a, b) in ours.iter().zip(exact) {
        assert!((a - b).abs() < 1e-4, "{a} and {b}");
    }
    assert!(project(&compute, input(1, 64, 1), &projection).is_err());
}

#[test]
fn a_gated_projection_is_silu_of_one_part_times_the_other() {
    for isa in Isa::all() {
        check_gated(isa, GgmlType::F32);
        check_gated(isa, GgmlType::Q8_0);
    }
}

fn check_gated(isa: Isa, kind: GgmlType) {
    let compute = Compute::new(isa, 1).unwrap();
    // An odd number of groups of eight rows, the last one not full.
    let (rows, columns) = (37, 32);
    let part = |seed: u64| {
        let bytes = blocks(kind, rows, columns, seed);
        Matrix::from_blocks(&compute, kind, rows, columns, &bytes).unwrap()
    };
    let linear = Linear::new(vec![part(1), part(2)], None).unwrap();
    let both = Arc::new(Projection::new(None, linear).unwrap());
    let x = input(2, columns, 3);
    let parts: Vec<f32> =
        project(&compute, x.clone(), &both).unwrap().into_data().try_to_vec().unwrap();
    let gated: Vec<f32> =
        project_gated(&compute, x, &both).unwrap().into_data().try_to_vec().unwrap();
    for (i, y) in gated.iter().enumerate() {
        let (token, row) = (i / rows, i % rows);
        let gate = parts[token * 2 * rows + row];
        let exact = gate / (1.0 + (-gate).exp()) * parts[token * 2 * rows + rows + row];
        assert!((y - exact).abs() <= 1e-5 * exact.abs().max(1.0), "{y} and {exact}");
    }
}

#[test]
fn the_fast_exponential_is_exact_to_a_few_units() {
    for i in -8600..8600 {
        let x = i as f32 / 100.0;
        let (ours, exact) = (f64::from(math::exp(x)), f64::from(x).exp());
        assert!((ours / exact - 1.0).abs() < 4e-7, "exp({x})");
    }
    assert!(math::exp(-1000.0) < 1e-37 && math::exp(f32::NEG_INFINITY) < 1e-37);
}

#[test]
fn a_pool_does_every_chunk_once_and_outlives_a_panic() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let pool = Pool::new(4).unwrap();
    for chunks in [0, 1, 2, 1000] {
        let done: Vec<AtomicUsize> = (0..chunks).map(|_| AtomicUsize::new(0)).collect();
        pool.run(chunks, &|chunk| {
            done[chunk].fetch_add(1, Ordering::Relaxed);
        });
        assert!(done.iter().all(|count| count.load(Ordering::Relaxed) == 1));
    }
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        pool.run(100, &|chunk| assert!(chunk != 57, "on purpose"));
    }));
    assert!(caught.is_err());
    pool.run_ranges(10, 1, |range| assert!(range.end <= 10));
}

#[test]
fn an_instruction_set_is_named_or_refused_with_a_sentence() {
    assert_eq!(Isa::named("portable").unwrap(), Isa::portable());
    assert_eq!(Isa::named("").unwrap(), Isa::best());
    assert_eq!(
        Isa::named("sse9").unwrap_err().to_string(),
        "NEARSIDE_ISA=sse9 is not known; use avx512, avxvnni, avx2, portable or reference"
    );
}
