//! Decoders against llama.cpp on the same file, teacher-forced; `golden/make.py` made the values. Skipped
//! where the weights are absent.

use std::path::PathBuf;

use nearside_inference::{LoadOptions, LocalModel};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    prompts: Vec<Prompt>,
}

#[derive(Deserialize)]
struct Prompt {
    text: String,
    tokens: Vec<u32>,
    /// After each prefix: the two likeliest tokens and their logprobs.
    top2: Vec<Vec<(u32, f64)>>,
    top10: Vec<(u32, f64)>,
}

/// Where the two likeliest are nearer than this, rounding may decide.
const CLEAR: f64 = 0.2;
const NEAR: f64 = 0.05;

fn model_path(file: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("NEARSIDE_MODELS_DIR").map(PathBuf::from);
    let path = folder.map(|folder| folder.join(file)).filter(|path| path.is_file());
    if path.is_none() {
        println!("skipped: {file} is not in NEARSIDE_MODELS_DIR");
    }
    path
}

fn logprobs(logits: &[f32]) -> impl Fn(u32) -> f64 {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|&x| f64::from(x - largest).exp()).sum();
    let shift = f64::from(largest) + sum.ln();
    move |token| f64::from(logits[token as usize]) - shift
}

fn check(model: &str, golden: &str) {
    let Some(path) = model_path(model) else { return };
    let golden: Golden = serde_json::from_str(golden).unwrap();
    let model = LocalModel::load(path, LoadOptions::default()).unwrap();
    let (mut clear, mut wrong, mut worst, mut worst_top2) = (0, Vec::new(), 0.0_f64, 0.0_f64);
    assert_eq!(golden.prompts.len(), 20);
    for (index, prompt) in golden.prompts.iter().enumerate() {
        let ours =
            model.tokenizer().encode(&prompt.text, nearside_inference::tokenizer::Specials::Never);
        assert_eq!(ours[..prompt.tokens.len()], prompt.tokens, "tokens of prompt {index}");
        let all = model.logits(&prompt.tokens).unwrap();
        for (position, (logits, top2)) in all.iter().zip(&prompt.top2).enumerate() {
            let [(first, high), (_, low)] = top2[..] else { panic!("two tokens expected") };
            let ours = logprobs(logits);
            worst_top2 = worst_top2.max((ours(first) - high).abs());
            if high - low <= CLEAR {
                continue;
            }
            clear += 1;
            let best = nearside_inference::sampling::greedy(logits).unwrap();
            if best != first {
                wrong.push((index, position, high - low, ours(best) - ours(first)));
            }
        }
        let ours = logprobs(all.last().unwrap());
        for &(token, theirs) in &prompt.top10 {
            worst = worst.max((ours(token) - theirs).abs());
        }
    }
    println!(
        "{clear} clear positions, {} differ, worst top-10 logprob {worst:.4}, worst likeliest {worst_top2:.4}",
        wrong.len()
    );
    assert!(wrong.is_empty(), "(prompt, position, their margin, ours): {wrong:?}");
    assert!(worst <= NEAR, "a logprob is off by {worst}");
    assert!(clear > 500);
}

#[test]
fn smollm2_agrees_with_llama_cpp() {
    check("smollm2-135m.gguf", include_str!("golden/smollm2-135m.json"));
}

#[test]
fn qwen2_5_coder_agrees_with_llama_cpp() {
    check("qwen2.5-coder-0.5b.gguf", include_str!("golden/qwen2.5-coder-0.5b.json"));
}
