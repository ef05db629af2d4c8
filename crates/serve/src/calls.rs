//! Calls of tools in an answer: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, as Qwen and Hermes models
//! write them, or the same JSON alone, as small models often do. What is no call stays text.

use serde_json::Value;

const OPENS: &str = "<tool_call>";
const CLOSES: &str = "</tool_call>";

/// One call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) arguments: Value,
}

/// Takes an answer apart as it comes.
pub(crate) struct Calls {
    /// Names that may be called. With none of them everything is text.
    names: Vec<String>,
    /// Not given out yet.
    held: String,
    /// Everything from here on may belong to a call, and is looked at when it is all there.
    waits: bool,
    given: bool,
    pub(crate) found: Vec<Call>,
}

impl Calls {
    pub(crate) fn of(names: Vec<String>) -> Self {
        Self { names, held: String::new(), waits: false, given: false, found: Vec::new() }
    }

    /// Takes new text and returns what is certainly no call.
    pub(crate) fn push(&mut self, text: &str) -> String {
        if self.names.is_empty() {
            return text.to_owned();
        }
        self.held.push_str(text);
        if self.waits {
            return String::new();
        }
        if !self.given {
            // An answer that begins with JSON, fenced or not, may be one call and nothing else.
            match self.held.trim_start().chars().next() {
                None => return String::new(),
                Some('{' | '[' | '`') => {
                    self.waits = true;
                    return String::new();
                }
                Some(_) => {}
            }
        }
        let certain = match self.held.find(OPENS) {
            Some(at) => {
                self.waits = true;
                at
            }
            // The longest end that the tag begins with stays.
            None => self
                .held
                .char_indices()
                .map(|(at, _)| at)
                .find(|at| OPENS.starts_with(&self.held[*at..]))
                .unwrap_or(self.held.len()),
        };
        self.given |= certain > 0;
        let rest = self.held.split_off(certain);
        std::mem::replace(&mut self.held, rest)
    }

    /// The end: finds the calls, and returns what turned out to be text.
    pub(crate) fn finish(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        match self.read(&held) {
            Some(calls) => {
                self.found = calls;
                String::new()
            }
            None => held,
        }
    }

    fn read(&self, text: &str) -> Option<Vec<Call>> {
        let text = text.trim();
        if text.starts_with(OPENS) {
            let parts = text.split(OPENS).skip(1);
            return parts.map(|part| self.call(part.split(CLOSES).next()?)).collect();
        }
        let bare = text
            .strip_prefix("```")
            .and_then(|fenced| fenced.split_once('\n'))
            .and_then(|(_, body)| body.strip_suffix("```"));
        self.call(bare.unwrap_or(text)).map(|call| vec![call])
    }

    fn call(&self, text: &str) -> Option<Call> {
        let value: Value = serde_json::from_str(text.trim()).ok()?;
        let name = value["name"].as_str()?;
        let arguments = match &value["arguments"] {
            object @ Value::Object(_) => object.clone(),
            Value::String(text) => serde_json::from_str(text).ok().filter(Value::is_object)?,
            Value::Null => Value::Object(serde_json::Map::new()),
            _ => return None,
        };
        let known = self.names.iter().any(|known| known == name);
        known.then(|| Call { name: name.to_owned(), arguments })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pieces: &[&str], text: &str, expected: &[&str]) {
        let mut calls = Calls::of(vec!["add".to_owned(), "now".to_owned()]);
        let mut given: String = pieces.iter().map(|piece| calls.push(piece)).collect();
        given += &calls.finish();
        let found: Vec<String> =
            calls.found.iter().map(|call| format!("{}{}", call.name, call.arguments)).collect();
        assert_eq!(
            (given.as_str(), found),
            (text, expected.iter().map(|s| (*s).to_owned()).collect()),
            "{pieces:?}"
        );
    }

    #[test]
    fn calls_are_told_from_text_wherever_pieces_break() {
        let call = r#"<tool_call>
{"name": "add", "arguments": {"a": 1}}
</tool_call>"#;
        check(&["Hello ", "<", "b> there"], "Hello <b> there", &[]);
        check(&[call], "", &[r#"add{"a":1}"#]);
        check(
            &["Let me see. <tool", "_call>{\"name\": \"now\"}", "</tool_call>"],
            "Let me see. ",
            &["now{}"],
        );
        check(&[call, "\n", call], "", &[r#"add{"a":1}"#, r#"add{"a":1}"#]);
        // Cut by a length limit, but whole.
        check(&["<tool_call>{\"name\": \"now\", \"arguments\": {}}"], "", &["now{}"]);
        check(&["  {\"name\": \"add\", ", "\"arguments\": {\"a\": 2}}"], "", &[r#"add{"a":2}"#]);
        check(&["```json\n{\"name\": \"now\", \"arguments\": \"{}\"}\n```"], "", &["now{}"]);
        // Not ours, not whole, not a call.
        check(&[r#"{"name": "rm", "arguments": {}}"#], r#"{"name": "rm", "arguments": {}}"#, &[]);
        check(&["<tool_call>{\"name\": \"add\""], "<tool_call>{\"name\": \"add\"", &[]);
        check(&["```rust\nfn main() {}\n```"], "```rust\nfn main() {}\n```", &[]);
    }

    #[test]
    fn without_tools_everything_is_text_at_once() {
        let mut calls = Calls::of(Vec::new());
        assert_eq!(calls.push("{<tool_call>"), "{<tool_call>");
        assert_eq!(calls.finish(), "");
    }
}
