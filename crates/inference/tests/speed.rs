//! The speed bars against llama.cpp in the same run. Ignored in everyday runs: they need a quiet machine, the
//! weights, and a Python with xllamacpp named by NEARSIDE_BENCH_PYTHON,
//! or a folder with node-llama-cpp named by NEARSIDE_BENCH_NODE.
//!
//!     cargo test -p nearside-inference --test speed -- --ignored --nocapture
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test says why it fails or skips")]

use std::path::PathBuf;

use nearside_inference::bench::{BenchOptions, Rivals, bench_llm};
use nearside_types::Cancel;

fn check(model: &str) {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let path = variable("NEARSIDE_MODELS_DIR").map(|folder| folder.join(format!("{model}.gguf")));
    let rivals =
        Rivals { python: variable("NEARSIDE_BENCH_PYTHON"), node: variable("NEARSIDE_BENCH_NODE") };
    let (Some(path), false) = (path, rivals == Rivals::default()) else {
        println!("skipped: NEARSIDE_MODELS_DIR or NEARSIDE_BENCH_PYTHON and _NODE are not set");
        return;
    };
    let size = std::fs::metadata(&path).unwrap().len();
    let options = BenchOptions { model: model.to_owned(), threads: 2, ..Default::default() };
    let rows = bench_llm(&path, &options, &rivals, &Cancel::new()).unwrap();
    println!("{}", serde_json::to_string_pretty(&rows).unwrap());
    let row = &rows.rows[0];
    assert!(row.decode_ratio.unwrap() >= 0.7);
    assert!(row.prefill_ratio.unwrap() >= 0.4);
    if let Some(peak) = row.peak_bytes {
        assert!(peak < size * 13 / 10 + 300_000_000, "peak memory {peak}");
    }
}

#[test]
#[ignore = "needs a quiet machine and llama.cpp"]
fn smollm2_meets_its_bars() {
    check("smollm2-135m");
}

#[test]
#[ignore = "needs a quiet machine and llama.cpp"]
fn qwen2_5_coder_meets_its_bars() {
    check("qwen2.5-coder-0.5b");
}
