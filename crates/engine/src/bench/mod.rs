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

/// What to measure of speech recognition.
pub struct SpeechBench {
    /// The folder that holds `manifest.jsonl`.
    pub recordings: std::path::PathBuf,
    pub model: Option<String>,
    pub threads: usize,
    /// Give the language that the label says, rather than let the model find out.
    pub tell_language: bool,
    /// A Python with `pywhispercpp`, to measure beside.
    pub rival: Option<std::path::PathBuf>,
}

/// Quality and speed of speech recognition, clip by clip and in all.
///
/// # Errors
/// `ModelMissing`, or a set that cannot be read.
pub fn speech(
    headless: &Headless,
    options: &SpeechBench,
    cancel: &Cancel,
) -> Result<Value, Failure> {
    let models = headless.speech_models(options.model.as_deref())?;
    let settings = nearside_speech::bench::Settings {
        folder: options.recordings.clone(),
        model: models.speech,
        voice_activity: models.voice_activity,
        threads: options.threads,
        tell_language: options.tell_language,
        python: options.rival.clone(),
        search: nearside_speech::Search::default(),
    };
    let rows = nearside_speech::bench::bench_speech(&settings, &mut |_| {}, cancel)?;
    Ok(serde_json::to_value(rows).map_err(Error::from)?)
}

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
