//! Benchmarks as the command line runs them: figures of the rooms, with the machine they were taken on.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use nearside_inference::bench::{BenchOptions, bench_llm};
use nearside_library::{ChunkOptions, IndexOptions, Library, Limits, Reader};
use nearside_types::{Cancel, DeviceChoice, Failure, FailureKind};
use nearside_vault::{KeySource, MemoryKeychain, Vault};
use serde::Deserialize;
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
    let names = headless.names.model().filter(|_| !rules_only);
    let report = nearside_privacy::bench::bench_redact_with(public, hard_negatives, names)?;
    Ok(serde_json::to_value(report).map_err(Error::from)?)
}

#[derive(Deserialize)]
struct Paragraph {
    doc_id: String,
    lang: String,
    text: String,
}

#[derive(Deserialize)]
struct Query {
    doc_lang: String,
    set: String,
    question: String,
    doc_id: String,
}

#[derive(Default)]
struct Score {
    queries: u32,
    first: u32,
    five: u32,
    reciprocal: f64,
}

/// Quality of the library's search: `corpus` and `queries` are lines of JSON with `doc_id`, `lang`, `text`,
/// and `set`, `question`, `doc_lang`, `doc_id`. Only paragraphs in the answer's language compete.
///
/// # Errors
/// `NothingReadable` when a set cannot be read.
pub fn search(
    headless: &Headless,
    corpus: &Path,
    queries: &Path,
    cancel: &Cancel,
) -> Result<Value, Failure> {
    let paragraphs: Vec<Paragraph> = lines(corpus)?;
    let queries: Vec<Query> = lines(queries)?;
    let mut by_language: BTreeMap<&str, Vec<&Paragraph>> = BTreeMap::new();
    for paragraph in &paragraphs {
        by_language.entry(&paragraph.lang).or_default().push(paragraph);
    }
    let machine = headless.devices(DeviceChoice::Cpu).into_iter().next();
    let mut rows = Vec::new();
    for (language, paragraphs) in by_language {
        let folder = tempfile::tempdir().map_err(Error::io("Making a temporary folder"))?;
        let (library, index_ms) = indexed(folder.path(), &paragraphs, cancel)?;
        let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
        let begun = Instant::now();
        for query in queries.iter().filter(|query| query.doc_lang == language) {
            let hits = library.search(&query.question, 10)?;
            let place =
                hits.iter().position(|hit| hit.file.ends_with(&format!("{}.txt", query.doc_id)));
            let score = scores.entry(&query.set).or_default();
            score.queries += 1;
            score.first += u32::from(place == Some(0));
            score.five += u32::from(place.is_some_and(|place| place < 5));
            #[expect(clippy::cast_precision_loss, reason = "a rank up to 10")]
            let reciprocal = place.map_or(0.0, |place| 1.0 / (place as f64 + 1.0));
            score.reciprocal += reciprocal;
        }
        let asked: u32 = scores.values().map(|score| score.queries).sum();
        let query_ms = begun.elapsed().as_secs_f64() * 1000.0 / f64::from(asked.max(1));
        for (set, score) in scores {
            let of = |count: f64| count / f64::from(score.queries.max(1));
            rows.push(json!({
                "set": set,
                "documents": paragraphs.len(),
                "queries": score.queries,
                "recall_at_1": of(f64::from(score.first)),
                "recall_at_5": of(f64::from(score.five)),
                "mrr_at_10": of(score.reciprocal),
                "index_ms": index_ms,
                "query_ms": query_ms,
                "how": "keyword",
                "machine": machine.as_ref().map(|machine| machine.name.as_str()),
            }));
        }
    }
    Ok(json!({ "rows": rows }))
}

/// A library of paragraphs, one file each, in a folder that goes with the benchmark.
fn indexed(
    folder: &Path,
    paragraphs: &[&Paragraph],
    cancel: &Cancel,
) -> Result<(Library, f64), Failure> {
    let files = folder.join("files");
    std::fs::create_dir(&files).map_err(Error::io("Writing the corpus"))?;
    for paragraph in paragraphs {
        let plain =
            paragraph.doc_id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        if !plain {
            return Err(Failure::usage("A doc_id of the corpus is no plain word."));
        }
        std::fs::write(files.join(format!("{}.txt", paragraph.doc_id)), &paragraph.text)
            .map_err(Error::io("Writing the corpus"))?;
    }
    let keychain = Arc::new(MemoryKeychain::new());
    let vault = Vault::open(&folder.join("data"), KeySource::Keychain { keychain, ask: None })?;
    let mut library = Library::open(&vault)?;
    let options = IndexOptions {
        recursive: false,
        reader: Reader::InProcess,
        limits: Limits::default(),
        chunks: ChunkOptions::default(),
        count_tokens: &|text| text.chars().count().div_ceil(3),
    };
    let begun = Instant::now();
    let report = library.index_add(&files, &options, cancel, &mut |_| {})?;
    if report.cancelled {
        return Err(Failure::new(FailureKind::Cancelled, "Stopped."));
    }
    Ok((library, begun.elapsed().as_secs_f64() * 1000.0))
}

fn lines<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|_| {
        Failure::not_found("A set of the benchmark could not be read; name its file.")
    })?;
    let parse = |line: &str| {
        serde_json::from_str(line).map_err(|_| {
            Failure::new(FailureKind::NothingReadable, "A set of the benchmark is not JSON lines.")
        })
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect()
}
