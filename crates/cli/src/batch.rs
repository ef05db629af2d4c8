//! `--jsonl`: a JSON object a line in, one a line out with the same id. A bad line gives an error object,
//! and the batch goes on.

use std::io::BufRead;

use nearside_types::{Cancel, Failure, FailureKind};
use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::output;

/// Bytes of one line.
const LONGEST: usize = 64 << 20;

/// What is done with a line's text and its fields.
pub(crate) type Work<'a> = &'a mut dyn FnMut(&str, &Map<String, Value>) -> Result<Value, Failure>;

/// Runs `work` on the fields of each line that has a text.
///
/// # Errors
/// When standard input breaks or the user stops; a failing line is no failure of the batch.
pub(crate) fn run(cancel: &Cancel, work: Work<'_>) -> Outcome {
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input
            .read_until(b'\n', &mut line)
            .map_err(|_| Failure::usage("Standard input broke off."))?;
        if read == 0 {
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (id, result) = one(&line, work);
        if cancel.is_cancelled() {
            return Err(Failure::new(FailureKind::Cancelled, "Stopped."));
        }
        output::json(&answer(id, result))?;
    }
}

fn one(line: &[u8], work: Work<'_>) -> (Value, Result<Value, Failure>) {
    if line.len() > LONGEST {
        return (Value::Null, Err(Failure::usage("The line is longer than 64 MB.")));
    }
    let fields = match serde_json::from_slice::<Value>(line) {
        Ok(Value::Object(fields)) => fields,
        _ => return (Value::Null, Err(Failure::usage("The line is not a JSON object."))),
    };
    let id = fields.get("id").cloned().unwrap_or(Value::Null);
    let result = match fields.get("text") {
        Some(Value::String(text)) => work(text, &fields),
        _ => Err(Failure::usage("The line has no \"text\" that is a string.")),
    };
    (id, result)
}

fn answer(id: Value, result: Result<Value, Failure>) -> Value {
    let mut out = Map::new();
    out.insert("id".to_owned(), id);
    match result {
        Ok(Value::Object(fields)) => out.extend(fields),
        Ok(other) => {
            out.insert("result".to_owned(), other);
        }
        Err(failure) => {
            let status = failure.kind.exit_status();
            out.insert(
                "error".to_owned(),
                json!({
                    "kind": failure.kind, "message": failure.message, "status": status
                }),
            );
        }
    }
    Value::Object(out)
}
