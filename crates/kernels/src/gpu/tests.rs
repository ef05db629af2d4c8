//! The GPU's kernels against the reference ones on the processor, on whichever adapter there is; a software
//! rasteriser counts. Skipped, and said so, where wgpu finds none.

use std::sync::{Arc, Mutex};

use burn::tensor::{Device, Tensor, TensorData};

use crate::gpu::{adapters, open};
use crate::tests::{BLOCK_TYPES, blocks, noise};
use crate::*;

fn gpu() -> Option<Device> {
    let Some(adapter) = adapters().into_iter().next() else {
        println!("skipped: wgpu finds no adapter; install mesa-vulkan-drivers for a software one");
        return None;
    };
    println!("{adapter:?}");
    Some(open(&adapter).unwrap())
}

fn reference() -> Compute {
    Compute::new(Isa::named("reference").unwrap(), 1).unwrap()
}

fn rows_on(device: &Device, values: &[f32], columns: usize) -> Tensor<2> {
    let data = TensorData::new(values.to_vec(), [values.len() / columns, columns]);
    Tensor::from_data(data, device)
}

fn values(tensor: Tensor<2>) -> Vec<f32> {
    tensor.try_into_data().unwrap().try_to_vec().unwrap()
}

fn near(name: &str, ours: &[f32], expected: &[f32]) {
    assert_eq!(ours.len(), expected.len(), "{name}");
    // The processor keeps this one format as halves.
    let bar = if name == GgmlType::Q2K.name() { 1e-3 } else { 2e-5 };
    let largest = expected.iter().fold(1e-3_f32, |most, x| most.max(x.abs()));
    for (at, (a, b)) in ours.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= bar * largest, "{name} {at}: {a} where {b} is right");
    }
}

/// The same op on both devices.
fn check(name: &str, run: impl Fn(&Device) -> Vec<f32>) {
    let Some(gpu) = gpu() else { return };
    near(name, &run(&gpu), &run(&Device::flex()));
}

fn projection(device: &Device, kinds: &[(GgmlType, usize)], columns: usize) -> Arc<Projection> {
    let place = |(part, &(kind, rows)): (usize, &(GgmlType, usize))| {
        let bytes = blocks(kind, rows, columns, 7 + part as u64);
        Matrix::place(&reference(), device, kind, rows, columns, &bytes).unwrap()
    };
    let parts: Vec<Matrix> = kinds.iter().enumerate().map(place).collect();
    let rows = parts.iter().map(Matrix::rows).sum();
    let bias = (kinds.len() == 3).then(|| noise(3, rows));
    let norm = RmsNorm { weight: noise(5, columns), epsilon: 1e-5 };
    let linear = Linear::new(parts, bias).unwrap();
    Arc::new(Projection::new(Some(norm), linear).unwrap())
}

#[test]
fn products_of_every_format_agree_with_the_processor() {
    let formats = BLOCK_TYPES.into_iter().chain([GgmlType::F16, GgmlType::F32]);
    for kind in formats {
        for tokens in [1, 5] {
            check(kind.name(), |device| {
                let x = rows_on(device, &noise(1, tokens * 512), 512);
                values(project(&reference(), x, &projection(device, &[(kind, 9)], 512)).unwrap())
            });
        }
    }
}

#[test]
fn joined_matrices_biases_and_residuals_agree_with_the_processor() {
    let kinds = [(GgmlType::Q4K, 12), (GgmlType::Q4K, 4), (GgmlType::Q6K, 4)];
    check("joined", |device| {
        let x = rows_on(device, &noise(1, 3 * 256), 256);
        values(project(&reference(), x, &projection(device, &kinds, 256)).unwrap())
    });
    check("residual", |device| {
        let x = rows_on(device, &noise(1, 3 * 256), 256);
        let residual = rows_on(device, &noise(2, 3 * 20), 20);
        let weights = projection(device, &kinds, 256);
        values(project_add(&reference(), x, residual, &weights).unwrap())
    });
    check("gated", |device| {
        let x = rows_on(device, &noise(1, 3 * 256), 256);
        let weights = projection(device, &[(GgmlType::Q4_1, 10), (GgmlType::Q8_0, 10)], 256);
        values(project_gated(&reference(), x, &weights).unwrap())
    });
}

/// Halves of the processor's cache round at 2^-11, so this compares with a wider bar.
#[test]
fn attention_over_a_growing_cache_agrees_with_the_processor() {
    let Some(gpu) = gpu() else { return };
    for (pairing, head_size) in [(Pairing::Neighbours, 64), (Pairing::Halves, 128)] {
        let shape = HeadShape { heads: 6, kv_heads: 2, head_size };
        let settings = RotarySettings {
            pairing,
            dimensions: head_size,
            base: 10_000.0,
            divisors: Vec::new(),
            linear_scale: 1.0,
        };
        let run = |device: &Device| {
            let cache = Arc::new(Mutex::new(KvLayer::new(2, head_size)));
            let mut before = 0;
            let mut all = Vec::new();
            for (step, tokens) in [70, 1, 200, 1].into_iter().enumerate() {
                let fused = noise(step as u64 + 1, tokens * shape.fused_columns());
                let fused = rows_on(device, &fused, shape.fused_columns());
                let rotary = Arc::new(RotaryTable::new(&settings, before, tokens));
                let out = cached_attention(&reference(), fused, shape, &rotary, &cache).unwrap();
                all.extend(values(out));
                before += tokens;
            }
            cache.lock().unwrap().truncate(3);
            all
        };
        let (ours, expected) = (run(&gpu), run(&Device::flex()));
        for (at, (a, b)) in ours.iter().zip(&expected).enumerate() {
            assert!((a - b).abs() < 2e-3, "{at}: {a} where {b} is right");
        }
    }
}

#[test]
fn weights_on_another_device_than_the_rows_are_refused() {
    let Some(gpu) = gpu() else { return };
    let weights = projection(&gpu, &[(GgmlType::Q8_0, 8)], 64);
    let x = rows_on(&Device::flex(), &noise(1, 64), 64);
    assert!(project(&reference(), x, &weights).is_err());
}
