//! Benchmarks as the command line runs them: figures of the rooms, with the machine they were taken on.

mod search;

use std::path::Path;

use nearside_inference::bench::{BenchOptions, bench_llm};
use nearside_types::{Cancel, Failure};
use serde_json::{Value, json};

use crate::error::Error;
use crate::headless::Headless;

/// Speed of models: `{"rows": […]}`, beside `rivals` in the same run.
///
/// # Errors
/// `ModelMissing`, or what a model fails with.
pub fn llm(
    headless: &Headless,
    models: &[String],
    options: &BenchOptions,
    rivals: &Rivals,
    cancel: &Cancel,
) -> Result<Value, Failure> {
    let mut rows = Vec::new();
    let named =
        if models.is_empty() { vec![headless.keeper.resolve(None)?] } else { models.to_vec() };
    for name in named {
        let path = nearside_catalog::path_of(&headless.catalog, &headless.models_dir, &name)?;
        let options = BenchOptions { model: name, ..options.clone() };
        let found = bench_llm(&path, &options, rivals, cancel)?;
        rows.extend(found.rows);
    }
    Ok(json!({ "rows": rows }))
}

pub use nearside_inference::bench::{BenchOptions as LlmBench, Rivals};
pub use search::search;

/// Quality and speed of redaction on two sets of labelled lines, with the name model where it is installed.
///
/// # Errors
/// `NothingReadable` when a set cannot be read.
pub fn redact(
    headless: &Headless,
    public: &Path,
    hard_negatives: &Path,
    rules_only: bool,
) -> Result<Value, Failure> {
    let names = headless.names.tagger().filter(|_| !rules_only);
    let report = nearside_privacy::bench::bench_redact_with(public, hard_negatives, names)?;
    Ok(serde_json::to_value(report).map_err(Error::from)?)
}
