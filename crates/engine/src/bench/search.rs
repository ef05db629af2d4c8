//! Quality and speed of the library's search on a set of questions, each of which one paragraph answers: by
//! words alone, and with vectors where the encoder is installed.
//!
//! Two scorings. `target`: only paragraphs in the answer's language compete. `mixed`: the whole corpus does,
//! as in a folder of both languages; only the translation of the right paragraph is passed over.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use nearside_library::{ChunkOptions, IndexOptions, Library, Limits, Reader, estimated_tokens};
use nearside_types::{Cancel, DeviceChoice, Embedder, EmbedderRole, Failure, FailureKind};
use nearside_vault::{KeySource, MemoryKeychain, Vault};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::encoder::ENCODER;
use crate::error::Error;
use crate::headless::Headless;

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

impl Score {
    fn add(&mut self, place: Option<usize>) {
        self.queries += 1;
        self.first += u32::from(place == Some(0));
        self.five += u32::from(place.is_some_and(|place| place < 5));
        #[expect(clippy::cast_precision_loss, reason = "a rank up to 10")]
        let reciprocal =
            place.filter(|place| *place < 10).map_or(0.0, |place| 1.0 / (place as f64 + 1.0));
        self.reciprocal += reciprocal;
    }
}

/// `corpus` and `queries` are lines of JSON with `doc_id`, `lang`, `text`, and `set`, `question`, `doc_lang`,
/// `doc_id`. Paragraphs that are translations of each other differ in the language in their `doc_id` alone.
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
    let embedder = headless.meaning.embedder();
    let embedder = embedder.as_deref().map(|inner| Remembering { inner, known: Mutex::default() });
    let machine = headless.devices(DeviceChoice::Cpu).into_iter().next().map(|found| found.name);
    let mut languages: Vec<&str> = paragraphs.iter().map(|p| p.lang.as_str()).collect();
    languages.sort_unstable();
    languages.dedup();
    let mut rows = Vec::new();
    for language in languages.into_iter().map(Some).chain([None]) {
        let chosen: Vec<&Paragraph> =
            paragraphs.iter().filter(|p| language.is_none_or(|l| p.lang == l)).collect();
        let asked: Vec<&Query> =
            queries.iter().filter(|q| language.is_none_or(|l| q.doc_lang == l)).collect();
        let folder = tempfile::tempdir().map_err(Error::io("Making a temporary folder"))?;
        let mut library = indexed(folder.path(), &chosen, cancel)?;
        let mut embed_ms = 0.0;
        for embedder in std::iter::once(None).chain(embedder.as_ref().map(Some)) {
            if let Some(embedder) = embedder {
                embed_ms = embedded(&mut library.0, embedder, cancel)?;
            }
            let (scores, query_ms) = asked_of(&library.0, &asked, embedder, language.is_none())?;
            for (set, score) in scores {
                let of = |count: f64| count / f64::from(score.queries.max(1));
                rows.push(json!({
                    "set": set,
                    "scoring": if language.is_some() { "target" } else { "mixed" },
                    "how": if embedder.is_some() { "hybrid" } else { "keyword" },
                    "documents": chosen.len(),
                    "queries": score.queries,
                    "recall_at_1": of(f64::from(score.first)),
                    "recall_at_5": of(f64::from(score.five)),
                    "mrr_at_10": of(score.reciprocal),
                    "index_ms": library.1,
                    "embed_ms": embed_ms,
                    "query_ms": query_ms,
                    "machine": machine,
                }));
            }
        }
    }
    Ok(json!({ "rows": rows }))
}

/// The scores by set, and milliseconds a question with its vector worked out beforehand.
fn asked_of<'q>(
    library: &Library,
    queries: &[&'q Query],
    embedder: Option<&Remembering<'_>>,
    mixed: bool,
) -> Result<(BTreeMap<&'q str, Score>, f64), Failure> {
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    let mut seconds = 0.0;
    for query in queries {
        let vector = match embedder {
            Some(embedder) => embedder.embed(EmbedderRole::Query, &[&query.question])?.pop(),
            None => None,
        };
        let begun = Instant::now();
        let hits = library.search(&query.question, vector.as_deref(), 11)?;
        seconds += begun.elapsed().as_secs_f64();
        let stem = |path: &str| {
            Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned())
        };
        let twin = translation(&query.doc_id);
        let mut found: Vec<String> = Vec::new();
        for stem in hits.iter().filter_map(|hit| stem(&hit.file)) {
            if !(found.contains(&stem) || mixed && Some(&stem) == twin.as_ref()) {
                found.push(stem);
            }
        }
        let place = found.iter().position(|found| *found == query.doc_id);
        scores.entry(&query.set).or_default().add(place);
    }
    #[expect(clippy::cast_precision_loss, reason = "a count of questions")]
    let each = seconds * 1000.0 / (queries.len().max(1) as f64);
    Ok((scores, each))
}

fn translation(doc_id: &str) -> Option<String> {
    let swapped = |from, to| doc_id.contains(from).then(|| doc_id.replace(from, to));
    swapped("-en-", "-zh-").or_else(|| swapped("-zh-", "-en-"))
}

/// A library of paragraphs, one file each, in a folder that goes with the benchmark, and milliseconds.
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
        count_tokens: &estimated_tokens,
    };
    let begun = Instant::now();
    let report = library.index_add(&files, &options, cancel, &mut |_| {})?;
    if report.cancelled {
        return Err(Failure::new(FailureKind::Cancelled, "Stopped."));
    }
    Ok((library, begun.elapsed().as_secs_f64() * 1000.0))
}

/// Gives every passage its vector; milliseconds.
fn embedded(
    library: &mut Library,
    embedder: &Remembering<'_>,
    cancel: &Cancel,
) -> Result<f64, Failure> {
    let begun = Instant::now();
    while let (passages, 1..) = library.without_vectors(ENCODER, 64)? {
        if cancel.is_cancelled() {
            return Err(Failure::new(FailureKind::Cancelled, "Stopped."));
        }
        let texts: Vec<&str> = passages.iter().map(|passage| &*passage.text).collect();
        library.put_vectors(&passages, &embedder.embed(EmbedderRole::Passage, &texts)?)?;
    }
    Ok(begun.elapsed().as_secs_f64() * 1000.0)
}

/// An embedder that works each text out once: the corpora of the scorings overlap.
struct Remembering<'a> {
    inner: &'a dyn Embedder,
    known: Mutex<HashMap<String, Vec<f32>>>,
}

impl Embedder for Remembering<'_> {
    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn embed(&self, role: EmbedderRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure> {
        let key = |text: &str| format!("{role:?}\n{text}");
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let new: Vec<&str> =
            texts.iter().copied().filter(|text| !known.contains_key(&key(text))).collect();
        for (text, vector) in new.iter().zip(self.inner.embed(role, &new)?) {
            known.insert(key(text), vector);
        }
        Ok(texts.iter().filter_map(|text| known.get(&key(text)).cloned()).collect())
    }
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
