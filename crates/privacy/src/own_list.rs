//! The user's own list: words that are always hidden (people, projects, customers) and words that are never.
//! A word stands for all its writings in case and width, as a whole word; names of one entry are one entity.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use nearside_types::{EntityType, OwnEntry, OwnList, UserText};
use unicode_normalization::UnicodeNormalization;

use crate::error::{Error, Result};

/// The longest name, in characters, and the most names of a list.
const LONGEST: usize = 200;
const MOST: usize = 5_000;

/// A list as it is kept: names trimmed, each once, nothing kept that is also hidden, entries without names
/// gone. Pure.
///
/// # Errors
/// When a name is a single sign, which would hide half of every text, or too long, or there are too many.
pub fn tidy(list: OwnList) -> Result<OwnList> {
    let mut known = std::collections::BTreeSet::new();
    let mut fresh = |name: UserText| -> Result<Option<UserText>> {
        let word = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let length = word.chars().count();
        if length > LONGEST {
            return Err(Error::OwnName("is longer than 200 characters; shorten it"));
        }
        if length == 1 {
            return Err(Error::OwnName("is a single character; give the whole name"));
        }
        if !known.insert(folded(&word)) || word.is_empty() {
            return Ok(None);
        }
        if known.len() > MOST {
            return Err(Error::OwnName("is one more than the 5,000 that the list holds"));
        }
        Ok(Some(word.into()))
    };
    let mut tidied = OwnList::default();
    for entry in list.hide {
        let names = entry.names.into_iter().filter_map(|name| fresh(name).transpose());
        let names = names.collect::<Result<Vec<_>>>()?;
        if !names.is_empty() {
            tidied.hide.push(OwnEntry { kind: entry.kind, names });
        }
    }
    for name in list.keep {
        tidied.keep.extend(fresh(name)?);
    }
    Ok(tidied)
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
        let words = list.hide.iter().flat_map(|entry| {
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
