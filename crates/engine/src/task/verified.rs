//! `Verified`: lets a model's summary through one sentence at a time, without what is plainly false.
//!
//! Small models repeat themselves and invent numbers. A sentence whose numbers are not all in the document,
//! or that was already said, is held back and counted. It does not judge words: that needs a bigger model.

use std::collections::BTreeSet;

use nearside_types::{Notice, Remark};

use crate::text::{sentences, terms};

/// Numbers that stand in a text, digits only: `4,718` gives `4` and `718`.
pub(crate) fn numbers(text: &str) -> BTreeSet<String> {
    terms(text).into_iter().filter(|term| term.bytes().any(|b| b.is_ascii_digit())).collect()
}

/// A stream of sentences that passed.
pub(crate) struct Verified<'a> {
    known: &'a BTreeSet<String>,
    pending: String,
    said: BTreeSet<Vec<String>>,
    /// What passed so far.
    pub(crate) text: String,
    /// How many sentences were held back.
    pub(crate) dropped: usize,
}

impl<'a> Verified<'a> {
    pub(crate) fn new(known: &'a BTreeSet<String>) -> Self {
        Self {
            known,
            pending: String::new(),
            said: BTreeSet::new(),
            text: String::new(),
            dropped: 0,
        }
    }

    /// Takes more of the model's text, and gives what may be shown now.
    pub(crate) fn push(&mut self, text: &str) -> String {
        self.pending.push_str(text);
        let pieces = sentences(&self.pending);
        // The last sentence may still grow.
        let Some((last, done)) = pieces.split_last() else { return String::new() };
        let done: Vec<String> = done.iter().map(|s| (*s).to_owned()).collect();
        if done.is_empty() {
            return String::new();
        }
        self.pending = (*last).to_owned();
        done.iter().map(|sentence| self.judge(sentence)).collect()
    }

    /// Gives what was pending. A sentence cut by the length limit is shown only if nothing else was.
    pub(crate) fn finish(&mut self, complete: bool) -> String {
        let pending = std::mem::take(&mut self.pending);
        let whole = complete || pending.trim_end().ends_with(['.', '!', '?', '。', '！', '？']);
        if whole || self.text.is_empty() {
            sentences(&pending).into_iter().map(|sentence| self.judge(sentence)).collect()
        } else {
            String::new()
        }
    }

    fn judge(&mut self, sentence: &str) -> String {
        let terms = terms(sentence);
        let invented = numbers(sentence).iter().any(|number| !self.known.contains(number));
        if invented || !self.said.insert(terms) {
            self.dropped += 1;
            return String::new();
        }
        let joint = match self.text.chars().last() {
            None | Some('。' | '！' | '？' | '；') => "",
            Some(_) if sentence.starts_with(['-', '*', '•']) => "\n",
            Some(_) => " ",
        };
        let shown = format!("{joint}{sentence}");
        self.text.push_str(&shown);
        shown
    }

    /// What the user is told when something was held back.
    pub(crate) fn notice(&self) -> Option<Notice> {
        let count = self.dropped as u64;
        (count > 0).then(|| Remark::SentencesLeftOut { count }.into())
    }
}
