//! The commands, one file each. None of them decides anything that the engine could.

mod ask;
mod bench;
mod conversations;
mod data;
mod devices;
mod extract;
mod index;
mod ledger;
mod models;
mod own_list;
mod redact;
mod restore;
mod route;
mod search;
mod serve;
mod settings;
mod summarize;
mod task;
mod transcribe;
mod voice;

use nearside_engine::attach::{CallEvent, Request};
use nearside_types::Failure;
use serde_json::Value;

use crate::Outcome;
use crate::arguments::{Arguments, Command, Common};
use crate::{interrupt, output, place};

pub(crate) fn run(arguments: Arguments) -> Outcome {
    let common = &arguments.common;
    match arguments.command {
        Command::Ask(ask) => ask::run(common, &ask),
        Command::Summarize(summarize) => summarize::run(common, &summarize),
        Command::Extract { file } => extract::run(common, &file),
        Command::Transcribe(transcribe) => transcribe::run(common, &transcribe),
        Command::Voice(command) => voice::run(common, command),
        Command::Redact(redact) => redact::run(common, &redact),
        Command::Restore(restore) => restore::run(common, &restore),
        Command::Route(route) => route::run(common, &route),
        Command::Models(models) => models::run(common, &models),
        Command::Devices { device } => devices::run(common, device),
        Command::Index(index) => index::run(common, &index),
        Command::Search { query, k } => search::run(common, &query, k),
        Command::Ledger(ledger) => ledger::run(common, &ledger),
        Command::OwnList(list) => own_list::run(common, list),
        Command::Conversations(conversations) => conversations::run(common, conversations),
        Command::Settings(settings) => settings::run(common, settings),
        Command::Data(data) => data::run(common, &data),
        Command::Serve(serve) => serve::run(common, serve),
        Command::Bench(bench) => bench::run(common, bench),
    }
}

/// One call on the data folder without events.
fn call(common: &Common, request: Request) -> Result<Value, Failure> {
    let cancel = interrupt::cancel();
    place::session(common)?.call(request, &cancel, &mut |_: CallEvent| {})
}

/// Prints a value as JSON, or by `words`.
fn show(common: &Common, value: &Value, words: impl FnOnce(&Value) -> String) -> Outcome {
    if common.json {
        return output::json(value);
    }
    let text = words(value);
    if !text.is_empty() {
        output::line(text.trim_end());
    }
    Ok(())
}

/// The objects of `{"items": […]}`.
fn items(value: &Value) -> &[Value] {
    value["items"].as_array().map_or(&[], Vec::as_slice)
}

/// A field as a person reads it.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// "1 page", "2 pages"; `noun` is the plural.
fn counted(count: &Value, noun: &str) -> String {
    let singular = match noun {
        "entries" => "entry",
        _ => noun.trim_end_matches('s'),
    };
    format!("{count} {}", if count.as_u64() == Some(1) { singular } else { noun })
}

/// A name with its control characters written out: a file may have a line break in its name, and a terminal
/// obeys what it is sent.
fn plain(name: &str) -> String {
    let shown = |c: char| if c.is_control() { c.escape_default().collect() } else { c.to_string() };
    name.chars().map(shown).collect()
}

/// Rows with their columns under each other.
fn table(rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| plain(cell).chars().count())
            .max()
            .unwrap_or(0)
    };
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let cell = plain(cell);
            line.push_str(&cell);
            let padding = (width(column) + 2).saturating_sub(cell.chars().count());
            line.extend(std::iter::repeat_n(' ', padding));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Bytes as a person reads them.
fn size(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let bytes = bytes as f64;
    for (unit, name) in [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")] {
        if bytes >= unit {
            return format!("{:.1} {name}", bytes / unit);
        }
    }
    format!("{bytes} B")
}
