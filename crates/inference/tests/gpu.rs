//! The GPU path on whichever adapter wgpu finds, a software one included: SmolLM2 against llama.cpp's golden
//! values and against our reference kernels, then the device is destroyed in the middle of an answer, as a
//! driver's reset would, and the processor must finish it. Skipped where weights or adapters are absent.
//!
//! It is one test, because a process can open an adapter with its handles only once.
#![cfg(feature = "gpu")]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails as the test does")]

use std::path::PathBuf;

use burn::tensor::{Device, DeviceKind};
use nearside_inference::device::{Placement, compute};
use nearside_inference::sampling::greedy;
use nearside_inference::{LoadOptions, LocalModel};
use nearside_kernels::gpu::{GpuClass, adapters};
use nearside_types::{Cancel, GenerateOptions, Role, TextModel, Turn};
use serde_json::Value;

const PROMPTS: usize = 3;
const TOKENS: usize = 8;

fn logprobs(logits: &[f32]) -> Vec<f64> {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|&x| f64::from(x - largest).exp()).sum();
    logits.iter().map(|&x| f64::from(x) - f64::from(largest) - sum.ln()).collect()
}

fn answer(model: &mut LocalModel, on_text: &mut dyn FnMut(&str)) -> (String, Vec<String>) {
    let turns = [Turn { role: Role::User, content: "What is gravity?".into() }];
    let options = GenerateOptions { max_tokens: 6, ..Default::default() };
    let mut text = String::new();
    let generation = model
        .generate(&turns, &options, &Cancel::new(), &mut |_, _| {}, &mut |piece| {
            text.push_str(piece);
            on_text(piece);
        })
        .unwrap();
    (text, generation.notices.into_iter().map(|notice| notice.text).collect())
}

#[test]
fn a_gpu_computes_what_llama_cpp_does_and_its_loss_is_survived() {
    let folder = std::env::var_os("NEARSIDE_MODELS_DIR").map(PathBuf::from);
    let path = folder.map(|folder| folder.join("smollm2-135m.gguf")).filter(|path| path.is_file());
    let Some(path) = path else {
        println!("skipped: smollm2-135m.gguf is not in NEARSIDE_MODELS_DIR");
        return;
    };
    let Some(adapter) = adapters().into_iter().next() else {
        println!("skipped: wgpu finds no adapter; install mesa-vulkan-drivers for a software one");
        return;
    };
    println!("{adapter:?}");
    let kind = match adapter.class {
        GpuClass::Discrete => DeviceKind::DiscreteGpu(0),
        GpuClass::Integrated => DeviceKind::IntegratedGpu(0),
        GpuClass::Virtual => DeviceKind::VirtualGpu(0),
        GpuClass::Software => DeviceKind::Cpu,
    };
    let (device, setup) = Device::wgpu_options().device_kind(kind).init_with_setup().unwrap();
    let reference = Placement::cpu(compute("reference", 0).unwrap());
    let placement = Placement { device, name: adapter.name, ..reference.clone() };
    let options = || LoadOptions { name: "smollm2-135m".to_owned(), ..Default::default() };
    let mut model = LocalModel::load_on(&path, options(), placement).unwrap();
    let exact = LocalModel::load_on(&path, options(), reference).unwrap();

    let golden: Value = serde_json::from_str(include_str!("golden/smollm2-135m.json")).unwrap();
    let prompts = golden["prompts"].as_array().unwrap();
    let (mut clear, mut worst) = (0, 0.0_f64);
    for prompt in prompts.iter().step_by(prompts.len().div_ceil(PROMPTS)) {
        let tokens: Vec<u32> = prompt["tokens"].as_array().unwrap()[..TOKENS]
            .iter()
            .map(|token| token.as_u64().unwrap() as u32)
            .collect();
        let (ours, theirs) = (model.logits(&tokens).unwrap(), exact.logits(&tokens).unwrap());
        for (position, (logits, exact)) in ours.iter().zip(&theirs).enumerate() {
            let ours = logprobs(logits);
            let top2 = &prompt["exact"]["top2"][position];
            let likely =
                |at: usize| (top2[at][0].as_u64().unwrap() as usize, top2[at][1].as_f64().unwrap());
            let ((first, high), (_, low)) = (likely(0), likely(1));
            worst = worst.max((ours[first] - high).abs());
            if high - low > 0.2 {
                clear += 1;
                assert_eq!(greedy(logits).unwrap() as usize, first, "position {position}");
            }
            let theirs = logprobs(exact);
            let mut ranked: Vec<usize> = (0..theirs.len()).collect();
            ranked.sort_by(|a, b| theirs[*b].total_cmp(&theirs[*a]));
            for token in &ranked[..10] {
                worst = worst.max((ours[*token] - theirs[*token]).abs());
            }
        }
    }
    println!("{clear} clear positions agree; the worst logprob is off by {worst:.4}");
    assert!(clear > 8 && worst <= 0.05, "{clear} {worst}");

    // Its own answer, then the same with the device destroyed after the first words.
    let (whole, notices) = answer(&mut model, &mut |_| {});
    assert_eq!(notices, Vec::<String>::new());
    assert_ne!(model.device(), "cpu");
    let mut pieces = 0;
    let (saved, notices) = answer(&mut model, &mut |_| {
        pieces += 1;
        if pieces == 3 {
            setup.device.destroy();
        }
    });
    println!("{notices:?}");
    assert_eq!(model.device(), "cpu");
    assert!(notices.iter().any(|notice| notice.contains("the CPU went on")), "{notices:?}");
    assert_eq!(saved, whole);
    let (again, notices) = answer(&mut model, &mut |_| {});
    assert_eq!((again, notices.len()), (whole, 0), "the loss is told once");
}
