//! Decoders against llama.cpp on the same weights, teacher-forced; `golden/make.py` made the values and says
//! why there are two sets. Skipped where the weights are absent.
//!
//! The reference kernels must agree with llama.cpp on decoded weights to the letter of the bars below. The
//! fast kernels round activations to 8 bits, as llama.cpp does on quantised weights; that rounding is
//! chaotic, so they are held to being no further from the exact values than llama.cpp itself is.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says why it fails or skips"
)]

use std::path::PathBuf;

use nearside_inference::device::{Placement, compute};
use nearside_inference::sampling::greedy;
use nearside_inference::tokenizer::Specials;
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
    quantised: Likely,
    exact: Likely,
}

#[derive(Deserialize)]
struct Likely {
    /// After each prefix: the two likeliest tokens and their logprobs.
    top2: Vec<Vec<(u32, f64)>>,
    /// After the whole prompt.
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

/// How a set of logits compares with golden ones, over all prompts.
#[derive(Debug, Default)]
struct Comparison {
    clear: usize,
    /// (prompt, position, margin in the golden values, in ours)
    differ: Vec<(usize, usize, f64, f64)>,
    worst_top10: f64,
    /// Sum and count of the distances of the likeliest token's logprob.
    distance: (f64, usize),
}

impl Comparison {
    fn add(&mut self, prompt: usize, all: &[Vec<f32>], golden: &Likely) {
        assert_eq!(all.len(), golden.top2.len());
        for (position, (logits, top2)) in all.iter().zip(&golden.top2).enumerate() {
            let [(first, high), (_, low)] = top2[..] else { panic!("two tokens expected") };
            let ours = logprobs(logits);
            self.distance = (self.distance.0 + (ours(first) - high).abs(), self.distance.1 + 1);
            if high - low <= CLEAR {
                continue;
            }
            self.clear += 1;
            let best = greedy(logits).unwrap();
            if best != first {
                self.differ.push((prompt, position, high - low, ours(best) - ours(first)));
            }
        }
        let ours = logprobs(all.last().unwrap());
        let distances = golden.top10.iter().map(|(token, theirs)| (ours(*token) - theirs).abs());
        self.worst_top10 = distances.fold(self.worst_top10, f64::max);
    }

    fn mean_distance(&self) -> f64 {
        self.distance.0 / self.distance.1 as f64
    }
}

/// What llama.cpp's own rounding does: the mean distance between its two sets, and clear positions where the
/// likeliest tokens differ.
fn their_rounding(golden: &Golden) -> (f64, usize) {
    let (mut sum, mut count, mut differ) = (0.0, 0, 0);
    for prompt in &golden.prompts {
        for (exact, rounded) in prompt.exact.top2.iter().zip(&prompt.quantised.top2) {
            if let Some((_, logprob)) = rounded.iter().find(|(token, _)| *token == exact[0].0) {
                sum += (logprob - exact[0].1).abs();
                count += 1;
            }
            let clear = exact[0].1 - exact[1].1 > CLEAR;
            differ += usize::from(clear && rounded[0].0 != exact[0].0);
        }
    }
    (sum / f64::from(count), differ)
}

fn compare(model: &LocalModel, golden: &Golden, set: fn(&Prompt) -> &Likely) -> Comparison {
    let mut comparison = Comparison::default();
    for (index, prompt) in golden.prompts.iter().enumerate() {
        let ours = model.tokenizer().encode(&prompt.text, Specials::Never);
        assert_eq!(ours[..prompt.tokens.len()], prompt.tokens, "tokens of prompt {index}");
        comparison.add(index, &model.logits(&prompt.tokens).unwrap(), set(prompt));
    }
    comparison
}

/// `reference_prompts`: how many prompts, spread over the languages, the slow kernels do every day;
/// NEARSIDE_GOLDEN=all does all 20.
fn check(model: &str, golden: &str, reference_prompts: usize) {
    let Some(path) = model_path(model) else { return };
    let mut golden: Golden = serde_json::from_str(golden).unwrap();
    assert_eq!(golden.prompts.len(), 20);

    let fast = LocalModel::load(&path, LoadOptions::default()).unwrap();
    let fast = compare(&fast, &golden, |prompt| &prompt.exact);
    let (distance, differ) = their_rounding(&golden);
    println!(
        "fast: mean distance {:.4}, {} of {} differ",
        fast.mean_distance(),
        fast.differ.len(),
        fast.clear
    );
    println!("llama.cpp quantised: mean distance {distance:.4}, {differ} differ");
    assert!(fast.clear > 500);
    assert!(fast.mean_distance() <= 1.15 * distance, "further off than llama.cpp is");
    assert!(fast.differ.len() <= differ + 3, "{:?}", fast.differ);

    if std::env::var_os("NEARSIDE_GOLDEN").is_none_or(|wanted| wanted != "all") {
        let step = golden.prompts.len().div_ceil(reference_prompts);
        golden.prompts = golden.prompts.into_iter().step_by(step).collect();
    }
    let placement = Placement::cpu(compute("reference", 0).unwrap());
    let exact = LocalModel::load_on(&path, LoadOptions::default(), placement).unwrap();
    let exact = compare(&exact, &golden, |prompt| &prompt.exact);
    println!(
        "reference: {} clear positions, {} differ, worst of the top ten {:.4}",
        exact.clear,
        exact.differ.len(),
        exact.worst_top10
    );
    assert!(exact.differ.is_empty(), "{:?}", exact.differ);
    assert!(exact.worst_top10 <= NEAR, "a logprob is off by {}", exact.worst_top10);
}

#[test]
fn smollm2_agrees_with_llama_cpp() {
    check("smollm2-135m.gguf", include_str!("golden/smollm2-135m.json"), 5);
}

#[test]
fn qwen2_5_coder_agrees_with_llama_cpp() {
    check("qwen2.5-coder-0.5b.gguf", include_str!("golden/qwen2.5-coder-0.5b.json"), 2);
}
