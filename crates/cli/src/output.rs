//! Output: JSON or words on standard output, the rest on standard error. A reader that closes its pipe ends
//! the program quietly.

use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};

use nearside_types::Failure;
use serde::Serialize;
use serde_json::Value;

/// What a shell reports for a program that a closed pipe ended.
const PIPE_CLOSED: i32 = 141;

/// Writes to standard output at once, so that streamed text is seen.
pub(crate) fn text(text: &str) {
    let mut out = std::io::stdout().lock();
    let text = if out.is_terminal() { harmless(text) } else { Cow::Borrowed(text) };
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        if error.kind() == ErrorKind::BrokenPipe {
            std::process::exit(PIPE_CLOSED);
        }
        // A full disk behind a redirection is a fault that a script must see.
        self::error(&format!("Standard output cannot be written: {error}."));
        std::process::exit(1);
    }
}

/// Without control characters but line breaks and tabs: a terminal obeys those, and documents, file names and
/// models are other people's words.
fn harmless(text: &str) -> Cow<'_, str> {
    let harmful = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if text.contains(harmful) { text.replace(harmful, "").into() } else { text.into() }
}

pub(crate) fn line(line: &str) {
    text(&format!("{line}\n"));
}

/// One JSON object on one line. Warnings, notices and a device's reason are their sentences here; the window
/// gets their codes.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let unwritten = |error| Failure::internal(format!("The result could not be written: {error}."));
    let mut value = serde_json::to_value(value).map_err(unwritten)?;
    in_sentences(&mut value);
    line(&serde_json::to_string(&value).map_err(unwritten)?);
    Ok(())
}

fn in_sentences(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(in_sentences),
        Value::Object(fields) => {
            for (name, inner) in fields {
                match (name.as_str(), &mut *inner) {
                    ("warnings" | "notices", Value::Array(told)) => {
                        told.iter_mut().for_each(in_a_sentence);
                    }
                    ("why" | "problem", Value::Object(_)) => in_a_sentence(inner),
                    _ => in_sentences(inner),
                }
            }
        }
        _ => {}
    }
}

/// A sentence on standard error; a closed standard error is nobody's business.
pub(crate) fn error(sentence: &str) {
    let mut out = std::io::stderr().lock();
    let _ = writeln!(out, "{sentence}");
}

/// A remark beside the result, such as the route.
pub(crate) fn note(remark: &str) {
    error(remark);
}

fn in_a_sentence(told: &mut Value) {
    if told["text"].is_string() {
        *told = told["text"].take();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn a_terminal_is_not_sent_commands_of_others() {
        let told = super::harmless("a\u{1b}[2Jb\r\n\tc\u{9b}31m");
        assert_eq!(told, "a[2Jb\n\tc31m");
        assert!(matches!(super::harmless("plain\ntext"), std::borrow::Cow::Borrowed(_)));
    }

    #[test]
    fn warnings_and_notices_are_sentences_wherever_they_stand() {
        let mut value = json!({
            "files": [{"warnings": [{"code": "no_text", "text": "There is no text."}, "plain"]}],
            "notices": [{"code": "turns_left_out", "turns": 2, "text": "Two."}],
            "route": {"reasons": [{"code": "local_only", "text": "On."}]},
            "items": [{"why": {"code": "asked_for", "text": "asked for"}}],
        });
        super::in_sentences(&mut value);
        assert_eq!(
            value,
            json!({
                "files": [{"warnings": ["There is no text.", "plain"]}],
                "notices": ["Two."],
                "route": {"reasons": [{"code": "local_only", "text": "On."}]},
                "items": [{"why": "asked for"}],
            })
        );
    }
}
