//! The way back: placeholders in an answer become the values they stand for, in a whole text or in a stream
//! cut anywhere. A placeholder that the map does not know is reported and left.

use nearside_types::{Restored, UserText};

use crate::placeholder::{Placeholder, Step, can_begin, parse};
use crate::pseudonym::PseudonymMap;

/// Restores a whole text.
#[must_use]
pub fn restore(text: &str, map: &PseudonymMap) -> Restored {
    let mut restorer = StreamRestorer::new(map.clone());
    let mut restored = restorer.push(text);
    let rest = restorer.finish();
    restored.0.push_str(&rest.text);
    Restored { text: restored, unknown: rest.unknown }
}

/// What stands at a place, of the invented values.
enum Fake {
    No,
    Partial,
    Found(usize, String),
}

/// Restores a stream: gives out whatever cannot be a placeholder's beginning, at once.
#[derive(Debug)]
pub struct StreamRestorer {
    map: PseudonymMap,
    /// Invented values and what they stand for, no one the beginning of another.
    fakes: Vec<(String, UserText)>,
    /// Not yet given out: nothing, or a placeholder's beginning.
    held: UserText,
    before: Option<char>,
    unknown: Vec<String>,
}

impl StreamRestorer {
    #[must_use]
    pub fn new(map: PseudonymMap) -> Self {
        let fakes = map.fakes().map(|(f, v)| (f.to_owned(), v.clone())).collect();
        Self { map, fakes, held: UserText::default(), before: None, unknown: Vec::new() }
    }

    /// Takes the next piece and returns what is safe to show.
    pub fn push(&mut self, chunk: &str) -> UserText {
        self.held.0.push_str(chunk);
        self.advance(false)
    }

    /// The rest, and the placeholders that nobody gave out.
    pub fn finish(&mut self) -> Restored {
        let text = self.advance(true);
        Restored { text, unknown: std::mem::take(&mut self.unknown) }
    }

    fn advance(&mut self, complete: bool) -> UserText {
        let held = std::mem::take(&mut self.held.0);
        let mut shown = String::with_capacity(held.len());
        let mut at = 0;
        let mut copied = 0;
        while at < held.len() {
            match self.fake(&held[at..], complete) {
                Fake::No => {}
                Fake::Partial => break,
                Fake::Found(length, value) => {
                    shown.push_str(&held[copied..at]);
                    shown.push_str(&value);
                    at += length;
                    copied = at;
                    continue;
                }
            }
            if !can_begin(held.as_bytes()[at]) {
                at += held[at..].chars().next().map_or(1, char::len_utf8);
                continue;
            }
            let before = held[..at].chars().next_back().or(self.before);
            match parse(&held, at, before, complete) {
                Step::No => at += held[at..].chars().next().map_or(1, char::len_utf8),
                Step::Partial => break,
                Step::Found { end, placeholder, bracketed } => {
                    if let Some(value) = self.value(&placeholder) {
                        shown.push_str(&held[copied..at]);
                        shown.push_str(&value);
                        copied = end;
                    } else if bracketed {
                        let name = placeholder.to_string();
                        if !self.unknown.contains(&name) {
                            self.unknown.push(name);
                        }
                    }
                    at = end;
                }
            }
        }
        shown.push_str(&held[copied..at]);
        self.before = held[..at].chars().next_back().or(self.before);
        self.held.0 = held[at..].to_owned();
        UserText(shown)
    }

    /// Whether an invented value stands at the beginning of `text`, or may come to stand there.
    fn fake(&self, text: &str, complete: bool) -> Fake {
        let mut found = Fake::No;
        for (fake, value) in &self.fakes {
            if text.starts_with(fake.as_str()) {
                found = Fake::Found(fake.len(), value.0.clone());
            } else if !complete && fake.starts_with(text) {
                return Fake::Partial;
            }
        }
        found
    }

    fn value(&self, placeholder: &Placeholder) -> Option<String> {
        if let Some(value) = self.map.get(placeholder) {
            return Some(value.0.clone());
        }
        // `[PERSON_1s]`, a plural inside the brackets.
        let singular = placeholder.variant.strip_suffix('s')?;
        let first = Placeholder { variant: singular.to_owned(), ..placeholder.clone() };
        self.map.get(&first).map(|value| format!("{}s", value.0))
    }
}
