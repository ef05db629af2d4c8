//! The user's own list: words that are always hidden (people, projects, customers) and words that are never.
//! A word stands for all its writings in case and width, as a whole word; names of one entry are one entity.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use nearside_types::{EntityType, UserText};
use unicode_normalization::UnicodeNormalization;

use crate::error::{Error, Result};

/// One thing that is always hidden.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct OwnEntry {
    pub kind: EntityType,
    /// Its names: 张伟, Zhang Wei, 张总.
    pub names: Vec<UserText>,
}

/// What the user always hides, and what never.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct OwnList {
    pub deny: Vec<OwnEntry>,
    pub allow: Vec<UserText>,
}

/// The list, ready to search with.
pub(crate) struct OwnWords {
    automaton: AhoCorasick,
    kinds: Vec<EntityType>,
}

impl OwnWords {
    /// # Errors
    /// When the list is too large to search.
    pub(crate) fn new(list: &OwnList) -> Result<Self> {
        let words = list.deny.iter().flat_map(|entry| {
            entry.names.iter().map(|n| (folded(n), entry.kind)).filter(|(word, _)| !word.is_empty())
        });
        let (words, kinds): (Vec<String>, Vec<EntityType>) = words.unzip();
        let automaton = AhoCorasickBuilder::new()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(&words)
            .map_err(|e| Error::Detection(e.to_string()))?;
        Ok(Self { automaton, kinds })
    }

    /// Where the words stand in a normalised text.
    pub(crate) fn find(&self, text: &str) -> Vec<(Range<usize>, EntityType)> {
        self.automaton
            .find_iter(text)
            .filter(|m| whole(text, &m.range()))
            .filter_map(|m| Some((m.range(), *self.kinds.get(m.pattern().as_usize())?)))
            .collect()
    }
}

/// How words of the list and values of a text are compared.
pub(crate) fn folded(word: &str) -> String {
    let plain: String = word.nfkc().flat_map(char::to_lowercase).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Not a part of a longer word of the same writing.
fn whole(text: &str, range: &Range<usize>) -> bool {
    let sign = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_han(c));
    let inner = &text[range.clone()];
    let left = sign(inner.chars().next()) && sign(text[..range.start].chars().next_back());
    let right = sign(inner.chars().next_back()) && sign(text[range.end..].chars().next());
    !(left || right)
}

fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}')
}
