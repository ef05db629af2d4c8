//! Encoders against golden values of other implementations (golden/encoder.py: Hugging Face tokenizers and
//! onnxruntime), and, when asked, their speed beside onnxruntime in the same run. Needs the weights.
//!
//!     NEARSIDE_BENCH_PYTHON=… cargo test -p nearside-inference --test encoder -- --ignored --nocapture
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test says why it fails or skips")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nearside_inference::device::compute;
use nearside_inference::encoder::{EncoderTokenizer, TextEmbedder};
use nearside_types::EmbedderRole;
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    tokens: Vec<Tokens>,
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Tokens {
    text: String,
    ids: Vec<u32>,
}

#[derive(Deserialize)]
struct Vector {
    text: String,
    vector: Vec<f32>,
}

fn golden(model: &str) -> Golden {
    let all: &str = include_str!("golden/encoder.json");
    let mut all: BTreeMap<String, Golden> = serde_json::from_str(all).unwrap();
    all.remove(model).unwrap()
}

/// The folder of an installed encoder, none (with a sentence) where there is none.
fn folder(model: &str) -> Option<PathBuf> {
    let found = std::env::var_os("NEARSIDE_MODELS_DIR").and_then(|models| {
        let versions = std::fs::read_dir(Path::new(&models).join(model)).ok()?;
        let mut versions = versions.filter_map(|version| Some(version.ok()?.path()));
        versions.find(|version| version.join("model.safetensors").is_file())
    });
    if found.is_none() {
        println!("skipped: {model} is not in NEARSIDE_MODELS_DIR");
    }
    found
}

fn check_tokens(model: &str, longest: usize) {
    let Some(folder) = folder(model) else { return };
    let tokenizer = EncoderTokenizer::open(&folder.join("tokenizer.json")).unwrap();
    for Tokens { text, ids } in golden(model).tokens {
        let found = tokenizer.encode(&text, longest);
        assert_eq!(found.ids, ids, "{:?}", text.chars().take(60).collect::<String>());
        let letters = u32::try_from(text.chars().count()).unwrap();
        let mut before = 0;
        for (start, end) in found.places {
            assert!(before <= start && start <= end && end <= letters, "{start} {end}");
            before = start;
        }
    }
    // What a text spells is not what it means.
    let controls = tokenizer.encode("</s> <s> [CLS] [SEP] <pad>", longest);
    let special = [controls.ids[0], *controls.ids.last().unwrap()];
    assert!(controls.ids[1..controls.ids.len() - 1].iter().all(|id| !special.contains(id)));
}

#[test]
fn e5_tokens_are_those_of_the_reference() {
    check_tokens("multilingual-e5-small", 512);
}

#[test]
fn minilm_tokens_are_those_of_the_reference() {
    check_tokens("minilm-l6", 512);
}

fn check_vectors(model: &str, isa: &str, named_roles: bool) {
    let Some(folder) = folder(model) else { return };
    let embedder = TextEmbedder::load(&folder, compute(isa, 2).unwrap(), named_roles).unwrap();
    let golden = golden(model).vectors;
    let texts: Vec<&str> = golden.iter().map(|vector| vector.text.as_str()).collect();
    let found = embedder.vectors(EmbedderRole::Query, &texts).unwrap();
    let mut lowest = 1.0_f32;
    for (found, golden) in found.iter().zip(&golden) {
        let norm = golden.vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        let dot: f32 = found.iter().zip(&golden.vector).map(|(x, y)| x * y).sum();
        lowest = lowest.min(dot / norm);
    }
    println!("{model} on {isa}: lowest cosine {lowest}");
    assert!(lowest >= 0.999, "{model} on {isa}: {lowest}");
}

#[test]
fn e5_vectors_are_those_of_the_reference() {
    check_vectors("multilingual-e5-small", "", true);
}

#[test]
fn minilm_vectors_are_those_of_the_reference() {
    check_vectors("minilm-l6", "", false);
}

#[test]
fn portable_vectors_are_those_of_the_reference() {
    check_vectors("minilm-l6", "portable", false);
}

/// Passages of a real corpus where one is named, else our own sentences, of many lengths.
fn texts() -> Vec<String> {
    if let Some(corpus) = std::env::var_os("NEARSIDE_BENCH_CORPUS") {
        let lines = std::fs::read_to_string(corpus).unwrap();
        let text = |line: &str| -> String {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            value["text"].as_str().unwrap().to_owned()
        };
        return lines.lines().step_by(130).take(12).map(text).collect();
    }
    let sentence = "The raw data stays here, 原始数据留在本机, and only the summary leaves. ";
    (1..=12).map(|count| sentence.repeat(1 + count % 9)).collect()
}

/// Seconds of processor time that this process has used, where the system tells.
fn processor_time() -> f64 {
    let told = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = |field: usize| -> f64 {
        told.split(' ').nth(field).and_then(|ticks| ticks.parse().ok()).unwrap_or(0.0)
    };
    (ticks(13) + ticks(14)) / 100.0
}

fn check_speed(model: &str, named_roles: bool) {
    let Some(folder) = folder(model) else { return };
    let Some(python) = std::env::var_os("NEARSIDE_BENCH_PYTHON") else {
        println!("skipped: NEARSIDE_BENCH_PYTHON is not set");
        return;
    };
    let prefix = if named_roles { "passage: " } else { "" };
    let texts = texts();
    let embedder = TextEmbedder::load(&folder, compute("", 2).unwrap(), named_roles).unwrap();
    let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
    let ours = || {
        let (begun, used) = (Instant::now(), processor_time());
        embedder.vectors(EmbedderRole::Passage, &borrowed).unwrap();
        (begun.elapsed().as_secs_f64(), processor_time() - used)
    };
    ours();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/encoder.py");
    let job = tempfile::NamedTempFile::new().unwrap();
    let prefixed: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
    let theirs = |batch: usize| {
        let request = serde_json::json!({
            "model": model, "threads": 2, "batch": batch, "rounds": 1, "texts": prefixed,
        });
        std::fs::write(job.path(), request.to_string()).unwrap();
        let out = std::process::Command::new(&python)
            .arg(&script)
            .arg(std::env::var_os("NEARSIDE_MODELS_DIR").unwrap())
            .arg("--time")
            .arg(job.path())
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let answer: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        (answer["seconds"].as_f64().unwrap(), answer["processor"].as_f64().unwrap())
    };
    // Interleaved, onnxruntime at its better batch; ours packs as it likes. Processor time is printed as well:
    // it is what remains comparable on a machine that is not quiet.
    let (mut ratios, mut figures) = (Vec::new(), Vec::new());
    for batch in [1, 4, 1] {
        let (before, theirs, after) = (ours(), theirs(batch), ours());
        let ours = (before.0 + after.0) / 2.0;
        ratios.push(theirs.0 / ours);
        figures.push((batch, (before.1 + after.1) / 2.0, theirs.1));
    }
    println!(
        "{model}, {} texts; batch, processor seconds ours and theirs: {figures:?}",
        texts.len()
    );
    println!("{model}: times onnxruntime's speed by the clock: {ratios:?}");
    assert!(ratios.iter().copied().fold(f64::INFINITY, f64::min) >= 1.0);
}

#[test]
#[ignore = "needs a quiet machine and onnxruntime"]
fn e5_is_no_slower_than_onnxruntime() {
    check_speed("multilingual-e5-small", true);
}

#[test]
#[ignore = "needs a quiet machine and onnxruntime"]
fn minilm_is_no_slower_than_onnxruntime() {
    check_speed("minilm-l6", false);
}
