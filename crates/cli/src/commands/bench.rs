//! `bench`: figures with the machine, device and settings they were taken with.

use nearside_engine::bench::{self, LlmBench, Rivals};
use serde_json::Value;

use crate::Outcome;
use crate::arguments::{Bench, Common};
use crate::{interrupt, place};

pub(crate) fn run(common: &Common, command: Bench) -> Outcome {
    let cancel = interrupt::cancel();
    let value = match command {
        Bench::Llm { models, against, python, node, prompt, decode, rounds, threads, device } => {
            let headless = place::headless(common)?;
            let options = LlmBench {
                model: String::new(),
                prompt,
                decode,
                rounds,
                threads,
                device: device.into(),
            };
            let rivals = match against {
                None => Rivals::default(),
                Some(_) if python.is_none() && node.is_none() => {
                    Rivals { python: Some("python3".into()), node: None }
                }
                Some(_) => Rivals { python, node },
            };
            bench::llm(&headless, &models, &options, &rivals, &cancel)?
        }
        Bench::Redact { public, hard_negatives, rules_only } => {
            let headless = place::headless(common)?;
            bench::redact(&headless, &public, &hard_negatives, rules_only)?
        }
        Bench::Speech { recordings, against, python, threads, auto, model } => {
            let headless = place::headless(common)?;
            let rival = against.map(|_| python);
            let options = bench::SpeechBench {
                recordings,
                model,
                threads: threads.into(),
                tell_language: !auto,
                rival,
            };
            bench::speech(&headless, &options, &cancel)?
        }
        Bench::Search { corpus, queries } => {
            let headless = place::headless(common)?;
            bench::search(&headless, &corpus, &queries, &cancel)?
        }
    };
    super::show(common, &value, words)
}

/// The rows under the names of their fields; what is nested stays JSON.
fn words(value: &Value) -> String {
    let rows: Vec<&Value> = value["rows"].as_array().into_iter().flatten().collect();
    let Some(first) = rows.first().and_then(|row| row.as_object()) else { return String::new() };
    let names: Vec<String> = first.keys().cloned().collect();
    let mut table = vec![names.clone()];
    for row in rows {
        table.push(names.iter().map(|name| cell(&row[name])).collect());
    }
    super::table(&table)
}

fn cell(value: &Value) -> String {
    match value.as_f64() {
        Some(number) if value.is_f64() => format!("{number:.3}"),
        _ => super::word(value),
    }
}
