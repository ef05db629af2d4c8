//! `settings`: read and change one at a time. Keys never appear here.

use nearside_engine::attach::Request;
use nearside_types::{Failure, SettingsPatch};
use serde_json::{Value, json};

use crate::Outcome;
use crate::arguments::{Common, SettingsCommand};
use crate::{input, interrupt, output, place};

pub(crate) fn run(common: &Common, command: SettingsCommand) -> Outcome {
    match command {
        SettingsCommand::Get { name } => {
            // The file is plain, so that reading it needs no key.
            let settings = place::headless(common)?.settings();
            let all = super::summarize::value(&settings)?;
            let value = match &name {
                None => all,
                Some(name) => json!({ name.as_str(): all.get(name).ok_or_else(unknown)? }),
            };
            super::show(common, &value, words)
        }
        SettingsCommand::Set { name, value } => {
            let known = super::summarize::value(&nearside_types::Settings::default())?;
            known.get(&name).ok_or_else(unknown)?;
            let patch = patch(&name, &value)?;
            let next = super::call(common, Request::SetSettings { patch: Box::new(patch) })?;
            super::show(common, &json!({ name.as_str(): next[&name] }), words)
        }
        SettingsCommand::Key => {
            let session = place::session(common)?;
            let key = input::standard_line()?.trim().to_owned();
            let forgotten = key.is_empty();
            let request = Request::SetCloudKey { key: key.into() };
            session.call(request, &interrupt::cancel(), &mut |_| {})?;
            if !common.json {
                output::line(if forgotten { "The key is forgotten." } else { "The key is kept." });
                return Ok(());
            }
            output::json(&json!({ "has_key": !forgotten }))
        }
    }
}

/// The value as JSON where it is some of the right kind, else as a word.
fn patch(name: &str, value: &str) -> Result<SettingsPatch, Failure> {
    let as_json = serde_json::from_str::<Value>(value).ok();
    let tries = as_json.into_iter().chain([Value::String(value.to_owned())]);
    for value in tries {
        if let Ok(patch) = serde_json::from_value(json!({ name: value })) {
            return Ok(patch);
        }
    }
    Err(Failure::usage(
        "This setting does not take such a value; `nearside settings get` shows its kind.",
    ))
}

fn unknown() -> Failure {
    Failure::not_found("There is no setting of this name; `nearside settings get` lists them.")
}

fn words(value: &Value) -> String {
    let fields = value.as_object().into_iter().flatten();
    let rows = fields.map(|(name, value)| vec![name.clone(), super::word(value)]);
    super::table(&rows.collect::<Vec<_>>())
}
