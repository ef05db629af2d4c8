//! Guards: private characters that keep what a turn says apart from the template's own text.
//!
//! A template strips, splits and compares what turns say, so their content has to stay a string that it can
//! work on. Before rendering, a guard (a character that occurs in no turn and not in the template) is put
//! into the content wherever a special token could begin, after its first character. After rendering,
//! special tokens are looked for with the guards still there, and so are found in the template's text only;
//! then the guards are taken out of what is left, and it is cut into words as if they had never been.

use std::collections::HashSet;

use crate::tokenizer::TokenKind;

/// Where guards are chosen from: Unicode's noncharacters, which have no meaning in any text, then a private
/// use plane. A text of less than 200 kB cannot use them all up.
fn candidates() -> impl Iterator<Item = char> {
    ('\u{FDD0}'..='\u{FDEF}').chain('\u{10_0000}'..='\u{10_FFFD}')
}

/// Two private characters of one rendering.
pub(super) struct Guards {
    pub(super) guard: char,
    /// Stands at the end of the answer that is to be continued.
    pub(super) mark: char,
}

impl Guards {
    pub(super) fn unused_in<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Self> {
        let used: HashSet<char> =
            texts.flat_map(str::chars).filter(|letter| *letter >= '\u{FDD0}').collect();
        let mut unused = candidates().filter(|letter| !used.contains(letter));
        Some(Self { guard: unused.next()?, mark: unused.next()? })
    }
}

/// How a model's special tokens are spelled, as far as guarding needs it.
pub(super) struct Spellings {
    /// Characters that some special token begins with.
    leads: Vec<char>,
    /// Control tokens, which rule the turns.
    control: Vec<Box<str>>,
}

impl Spellings {
    pub(super) fn new<'t>(specials: impl Iterator<Item = (TokenKind, &'t str)>) -> Self {
        let mut leads = Vec::new();
        let mut control = Vec::new();
        for (kind, spelling) in specials {
            let Some(lead) = spelling.chars().next() else { continue };
            let is_control = kind != TokenKind::UserDefined;
            // Some vocabularies define words or runs of spaces; those are text, whoever writes them.
            let is_word = lead.is_alphanumeric() || lead.is_whitespace();
            if (is_control || !is_word) && !leads.contains(&lead) {
                leads.push(lead);
            }
            if is_control {
                control.push(spelling.into());
            }
        }
        Self { leads, control }
    }

    /// Guards every place where a special token could begin, whatever the template does to the text
    /// afterwards. For the words of users, files and systems.
    pub(super) fn guard_all(&self, text: &str, guard: char) -> String {
        let mut guarded = String::with_capacity(text.len() + 16);
        for letter in text.chars() {
            guarded.push(letter);
            if self.leads.contains(&letter) {
                guarded.push(guard);
            }
        }
        guarded
    }

    /// Guards only control tokens that are spelled out, or begun at the end. For a model's earlier answers,
    /// in which templates look for `</think>`, and whose `<tool_call>` is that token again.
    pub(super) fn guard_spelled(&self, text: &str, guard: char) -> String {
        let mut guarded = String::with_capacity(text.len() + 16);
        for (at, letter) in text.char_indices() {
            guarded.push(letter);
            let rest = &text[at..];
            let begins = |control: &str| rest.starts_with(control) || control.starts_with(rest);
            if self.leads.contains(&letter) && self.control.iter().any(|control| begins(control)) {
                guarded.push(guard);
            }
        }
        guarded
    }
}
