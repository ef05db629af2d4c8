//! Measures a model: prefill of a prompt and decoding after it, medians over some rounds, and on request
//! llama.cpp in the same run, its rounds between ours. It prints nothing and judges nothing.

mod llama_cpp;

use std::path::Path;
use std::time::Instant;

use nearside_types::{Cancel, Constraint, DeviceChoice};
use serde::{Deserialize, Serialize};

use crate::constraint::Forms;
use crate::device::{compute_from_environment, devices, place};
use crate::gguf::GgufFile;
use crate::model::Decoder;
use crate::sampling::greedy;
use crate::session::{CHUNK, load_decoder};
use crate::tokenizer::{TokenId, Tokenizer};
use crate::{Error, Result};
pub use llama_cpp::Rivals;

/// What to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchOptions {
    /// Name for the rows.
    pub model: String,
    /// Tokens of the prompt.
    pub prompt: usize,
    /// Tokens decoded after it.
    pub decode: usize,
    pub rounds: usize,
    /// 0 takes one for each physical core.
    pub threads: usize,
    pub device: DeviceChoice,
}

impl Default for BenchOptions {
    fn default() -> Self {
        Self {
            model: String::new(),
            prompt: 512,
            decode: 64,
            rounds: 5,
            threads: 0,
            device: DeviceChoice::Auto,
        }
    }
}

/// Medians of one engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    pub engine: String,
    pub prefill_tokens_per_s: f64,
    pub decode_tokens_per_s: f64,
}

/// One model at one length of prompt. Ratios are ours by theirs, above 1 where we are faster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub model: String,
    /// Tokens of the prompt.
    pub context: usize,
    pub decoded: usize,
    pub rounds: usize,
    pub prefill_ratio: Option<f64>,
    pub decode_ratio: Option<f64>,
    pub ours: Figures,
    /// The faster of the other engines, figure by figure.
    pub theirs: Option<Figures>,
    /// Each of the other engines.
    pub others: Vec<Figures>,
    /// The share of decoding's time that keeping an answer to a JSON schema adds, and the milliseconds that
    /// making the vocabulary ready for it took once.
    pub form_cost: f64,
    pub form_ready_ms: f64,
    pub machine: String,
    pub device: String,
    pub instruction_set: String,
    pub threads: usize,
    pub load_ms: f64,
    /// The most memory that this process has held, where the system tells it.
    pub peak_bytes: Option<u64>,
}

/// `{"rows": […]}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rows {
    pub rows: Vec<Row>,
}

/// Tokens per second of one round.
#[derive(Debug, Clone, Copy)]
struct Round {
    prefill: f64,
    decode: f64,
}

/// Measures the model in `path`, and `rivals` too, in turns.
///
/// # Errors
/// When the model cannot be loaded, llama.cpp cannot be started, or `cancel` was raised.
pub fn bench_llm(
    path: &Path,
    options: &BenchOptions,
    rivals: &Rivals,
    cancel: &Cancel,
) -> Result<Rows> {
    let (prompt, rounds) = (options.prompt.max(1), options.rounds.max(1));
    let begun = Instant::now();
    let file = GgufFile::open(path)?;
    let compute = compute_from_environment(options.threads)?;
    let (instruction_set, threads) = (compute.isa().name().to_owned(), compute.threads());
    let placement = place(options.device, compute);
    let decoder = load_decoder(&file, &placement)?;
    let load_ms = begun.elapsed().as_secs_f64() * 1e3;
    if prompt + options.decode > decoder.settings().context {
        let context = decoder.settings().context;
        return Err(Error::ContextOverflow { prompt: prompt + options.decode, context });
    }
    let tokens = sample_tokens(prompt, decoder.vocabulary());
    let mut rivals = rivals.start(path, threads, prompt + options.decode)?;
    let mut ours = Vec::new();
    let mut theirs = vec![Vec::new(); rivals.len()];
    // The first round of either warms caches and pages and is not counted.
    for round in 0..=rounds {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let mine = measure(&decoder, &tokens, options.decode)?;
        if round > 0 {
            ours.push(mine);
        }
        for (rival, rounds) in rivals.iter_mut().zip(&mut theirs) {
            let other = rival.measure(&tokens, options.decode)?;
            if round > 0 {
                rounds.push(other);
            }
        }
    }
    let ours = medians("nearside", &ours);
    let form = measure_form(&file, &decoder, &tokens, options.decode)?;
    let others: Vec<Figures> =
        rivals.iter().zip(&theirs).map(|(rival, rounds)| medians(rival.engine(), rounds)).collect();
    let theirs = fastest(&others);
    let ratio = |of: fn(&Figures) -> f64| theirs.as_ref().map(|theirs| of(&ours) / of(theirs));
    let machine = devices(DeviceChoice::Cpu);
    let row = Row {
        model: options.model.clone(),
        context: prompt,
        decoded: options.decode,
        rounds,
        prefill_ratio: ratio(|figures| figures.prefill_tokens_per_s),
        decode_ratio: ratio(|figures| figures.decode_tokens_per_s),
        ours,
        theirs,
        others,
        form_cost: form.share,
        form_ready_ms: form.ready_ms,
        machine: machine.first().map(|adapter| adapter.name.clone()).unwrap_or_default(),
        device: placement.name,
        instruction_set,
        threads,
        load_ms,
        peak_bytes: peak_bytes(),
    };
    Ok(Rows { rows: vec![row] })
}

/// Tokens that any model has, in an order that repeats nothing for long.
fn sample_tokens(count: usize, vocabulary: usize) -> Vec<TokenId> {
    let span = vocabulary.saturating_sub(1000).clamp(1, 20_000);
    let first = if vocabulary > 2000 { 1000 } else { 0 };
    (0..count).filter_map(|i| TokenId::try_from(first + i * 7919 % span).ok()).collect()
}

fn measure(decoder: &Decoder, tokens: &[TokenId], decode: usize) -> Result<Round> {
    let mut cache = decoder.new_cache();
    let begun = Instant::now();
    let mut logits = Vec::new();
    for chunk in tokens.chunks(CHUNK) {
        let hidden = decoder.advance(chunk, &mut cache)?;
        if cache.len() == tokens.len() {
            let width = decoder.settings().width;
            let last = chunk.len() - 1;
            logits = decoder.logits(hidden.slice([last..last + 1, 0..width]))?;
        }
    }
    let prefill = per_second(tokens.len(), begun);
    let begun = Instant::now();
    for _ in 0..decode {
        let token = greedy(&logits).ok_or(Error::NotANumber)?;
        logits = decoder.last_logits(&[token], 1, &mut cache)?;
    }
    Ok(Round { prefill, decode: per_second(decode, begun) })
}

struct FormCost {
    share: f64,
    ready_ms: f64,
}

/// Decodes a JSON list of records that cannot end, as an answer under a schema would be, and times what the form
/// takes beside what the model takes.
fn measure_form(
    file: &GgufFile,
    decoder: &Decoder,
    tokens: &[TokenId],
    decode: usize,
) -> Result<FormCost> {
    let begun = Instant::now();
    let forms = Forms::new(&Tokenizer::from_gguf(file)?)?;
    let ready_ms = begun.elapsed().as_secs_f64() * 1e3;
    let schema = serde_json::json!({
        "type": "array", "minItems": 10_000, "items": {
            "type": "object",
            "properties": {
                "name": {"type": "string"}, "count": {"type": "integer"},
                "kind": {"enum": ["bought", "sold", "lent"]}, "note": {"type": ["string", "null"]},
            },
            "required": ["name", "count", "kind", "note"], "additionalProperties": false,
        },
    });
    let mut form = forms.follow(&Constraint::JsonSchema(schema))?;
    let mut cache = decoder.new_cache();
    let prompt = &tokens[..tokens.len().min(CHUNK)];
    let mut logits = decoder.last_logits(prompt, 1, &mut cache)?;
    let (whole, mut kept) = (Instant::now(), std::time::Duration::ZERO);
    for _ in 0..decode.max(1) {
        let begun = Instant::now();
        form.restrict(&mut logits)?;
        kept += begun.elapsed();
        let token = greedy(&logits).ok_or(Error::NotANumber)?;
        let begun = Instant::now();
        form.take(token)?;
        kept += begun.elapsed();
        logits = decoder.last_logits(&[token], 1, &mut cache)?;
    }
    let plain = (whole.elapsed() - kept).as_secs_f64();
    Ok(FormCost { share: kept.as_secs_f64() / plain.max(1e-9), ready_ms })
}

#[expect(clippy::cast_precision_loss, reason = "a count of tokens")]
fn per_second(count: usize, since: Instant) -> f64 {
    count as f64 / since.elapsed().as_secs_f64().max(1e-9)
}

/// The best of each figure, with the engines that reached it.
fn fastest(others: &[Figures]) -> Option<Figures> {
    let best = |of: fn(&Figures) -> f64| others.iter().max_by(|a, b| of(a).total_cmp(&of(b)));
    let prefill = best(|figures| figures.prefill_tokens_per_s)?;
    let decode = best(|figures| figures.decode_tokens_per_s)?;
    let engine = if prefill.engine == decode.engine {
        prefill.engine.clone()
    } else {
        format!("prefill: {}; decode: {}", prefill.engine, decode.engine)
    };
    Some(Figures {
        engine,
        prefill_tokens_per_s: prefill.prefill_tokens_per_s,
        decode_tokens_per_s: decode.decode_tokens_per_s,
    })
}

fn medians(engine: &str, rounds: &[Round]) -> Figures {
    let median = |of: fn(&Round) -> f64| {
        let mut values: Vec<f64> = rounds.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    Figures {
        engine: engine.to_owned(),
        prefill_tokens_per_s: median(|round| round.prefill),
        decode_tokens_per_s: median(|round| round.decode),
    }
}

/// `VmHWM` of this process.
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
