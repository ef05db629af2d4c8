//! `nearside-name-trainer`: makes `names.safetensors`, the head of the name model, from labelled sentences and
//! generated ones. The same inputs and seed give the same file. It is a tool of the project, not of the
//! product: nothing depends on it.
//!
//!     nearside-name-trainer --ner FOLDER --encoder FOLDER --out FILE [--generated N] [--epochs N] [--seed N]
//!         [--states FOLDER]

mod chain;
mod features;
mod generated;
mod network;
mod score;
mod sentence;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use half::f16;
use nearside_inference::device::compute_from_environment;
use nearside_inference::encoder::{Encoder, EncoderTokenizer};
use nearside_inference::names::{FEATURE_LAYERS, NameHead, Tag, Transitions};

use features::Example;
use generated::Chooser;
use network::{Network, Scale};
use sentence::Sentence;

/// Tokens of one step.
const BATCH: usize = 768;
const RATE: f32 = 2e-3;

struct Arguments {
    ner: PathBuf,
    encoder: PathBuf,
    out: PathBuf,
    generated: usize,
    epochs: usize,
    seed: u64,
    /// Where the encoder's states are kept between runs.
    states: Option<PathBuf>,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self> {
        let (mut ner, mut encoder, mut out, mut states) = (None, None, None, None);
        let (mut generated, mut epochs, mut seed) = (4000, 8, 1);
        while let Some(word) = words.next() {
            let value = words.next().with_context(|| format!("{word} needs a value"))?;
            match word.as_str() {
                "--ner" => ner = Some(value.into()),
                "--encoder" => encoder = Some(value.into()),
                "--out" => out = Some(value.into()),
                "--states" => states = Some(value.into()),
                "--generated" => generated = value.parse()?,
                "--epochs" => epochs = value.parse()?,
                "--seed" => seed = value.parse()?,
                _ => bail!(
                    "{word} is not known; --ner, --encoder and --out name a folder, a folder and a file"
                ),
            }
        }
        let needed = "--ner, --encoder and --out are needed";
        let (ner, encoder) = (ner.context(needed)?, encoder.context(needed)?);
        Ok(Self { ner, encoder, out: out.context(needed)?, generated, epochs, seed, states })
    }
}

#[expect(clippy::print_stdout, reason = "a tool says how it goes")]
fn main() -> Result<()> {
    let arguments = Arguments::read(std::env::args().skip(1))?;
    let compute = compute_from_environment(0)?;
    let last = FEATURE_LAYERS.into_iter().max();
    let encoder = Encoder::load(&arguments.encoder, compute.clone(), last)?;
    let tokenizer = EncoderTokenizer::open(&arguments.encoder.join("tokenizer.json"))?;

    let file = |name: &str| arguments.states.as_ref().map(|folder| folder.join(name));
    let examples = |sentences: &[Sentence], name: &str| {
        features::examples(&encoder, &tokenizer, sentences, file(name).as_deref())
    };
    let mut c = Chooser::new(arguments.seed);
    let mut training = Vec::new();
    let mut held_out: Vec<(&str, Vec<Example>)> = Vec::new();
    for (name, file) in [("en", "en_ewt-ud-dev-test.iob2"), ("zh", "zh_gsdsimp-ud-train.iob2")] {
        let sentences = sentence::read(&arguments.ner.join(file))?;
        // The last tenth as it stands in the file, so that documents are not on both sides.
        let (learn, check) = sentences.split_at(sentences.len() * 9 / 10);
        let mut learn = learn.to_vec();
        if name == "en" {
            learn.extend(lowered(&mut c, &sentences[..sentences.len() * 9 / 10]));
        }
        training.extend(examples(&learn, &format!("{name}-learn"))?);
        held_out.push((name, examples(check, &format!("{name}-check"))?));
        println!("{name}: {} sentences to learn from, {} held out", learn.len(), check.len());
    }
    let made = generated::sentences(arguments.seed, arguments.generated);
    training.extend(examples(&made, "made")?);
    let unseen = generated::sentences(arguments.seed + 1_000_000, 150);
    held_out.push(("generated", examples(&unseen, "unseen")?));
    println!("{} generated", made.len());

    let mut network = Network::new(&mut c, spread(&training));
    let steps: usize =
        arguments.epochs * training.iter().map(|e| e.tags.len()).sum::<usize>() / BATCH + 1;
    let mut step = 0;
    for epoch in 0..arguments.epochs {
        c.shuffle(&mut training);
        let (mut total, mut count) = (0.0, 0);
        for batch in batches(&training) {
            let left = 1.0 - step as f32 / steps as f32;
            let rate = RATE * left.clamp(0.01, 1.0);
            let x = batch.iter().flat_map(|e| e.features.iter().map(|x| f16::to_f32(*x)));
            let lengths: Vec<usize> = batch.iter().map(|e| e.tags.len()).collect();
            let tags: Vec<Tag> = batch.iter().flat_map(|e| e.tags.iter().copied()).collect();
            total += network.learn(&mut c, x.collect(), &lengths, &tags, rate);
            (step, count) = (step + 1, count + 1);
        }
        println!("epoch {epoch}: loss {:.4}", total / f64::from(count.max(1)));
        let weights = network.export();
        let transitions = Transitions(weights.transitions.clone());
        let bytes = weights.to_bytes()?;
        let head = NameHead::from_bytes(&bytes, compute.clone())?;
        for (name, examples) in &held_out {
            let all: Vec<&Example> = examples.iter().collect();
            let scores = score::score(&head, &transitions, &all)?;
            let text: Vec<String> =
                scores.iter().map(|(p, r, f1)| format!("P {p:.3} R {r:.3} F1 {f1:.3}")).collect();
            println!("  {name}: people {}; places {}; bodies {}", text[0], text[1], text[2]);
        }
        std::fs::write(&arguments.out, bytes)?;
    }
    Ok(())
}

/// Some of the English sentences with names, without capitals, as chats are written.
fn lowered(c: &mut Chooser, sentences: &[Sentence]) -> Vec<Sentence> {
    sentences
        .iter()
        .filter(|sentence| !sentence.names.is_empty() && c.chance(0.35))
        .map(|sentence| Sentence {
            text: generated::lowered(&sentence.text),
            names: sentence.names.clone(),
        })
        .collect()
}

fn batches(examples: &[Example]) -> Vec<&[Example]> {
    let mut all = Vec::new();
    let (mut from, mut tokens) = (0, 0);
    for (at, example) in examples.iter().enumerate() {
        tokens += example.tags.len();
        if tokens >= BATCH {
            all.push(&examples[from..=at]);
            (from, tokens) = (at + 1, 0);
        }
    }
    if from < examples.len() {
        all.push(&examples[from..]);
    }
    all
}

/// Mean and spread of each feature over a part of the examples.
fn spread(examples: &[Example]) -> Scale {
    let features = examples.first().map_or(0, |e| e.features.len() / e.tags.len());
    let (mut mean, mut square, mut rows) = (vec![0.0_f64; features], vec![0.0_f64; features], 0.0);
    for example in examples.iter().step_by(10) {
        for row in example.features.chunks_exact(features.max(1)) {
            rows += 1.0;
            for (i, x) in row.iter().enumerate() {
                let x = f64::from(x.to_f32());
                mean[i] += x;
                square[i] += x * x;
            }
        }
    }
    let inverse = mean.iter().zip(&square).map(|(m, s)| {
        let variance = s / rows - (m / rows) * (m / rows);
        (1.0 / (variance.max(0.0).sqrt() + 1e-3)) as f32
    });
    Scale { inverse: inverse.collect(), mean: mean.iter().map(|m| (m / rows) as f32).collect() }
}
