//! The words around candidates: one Aho-Corasick pass over a text finds every context and trigger word of
//! every recognizer, with its place.

use std::collections::HashMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

use crate::error::{Error, Result};

/// Bytes of normalised text before and after a candidate in which a word counts.
const BEFORE: usize = 56;
const AFTER: usize = 28;

/// The words of all recognizers, each with an id.
pub(crate) struct Vocabulary {
    ids: HashMap<&'static str, usize>,
    automaton: AhoCorasick,
}

impl Vocabulary {
    pub(crate) fn new(words: impl Iterator<Item = &'static str>) -> Result<Self> {
        let mut list: Vec<&'static str> = Vec::new();
        let mut ids = HashMap::new();
        for word in words {
            ids.entry(word).or_insert_with(|| {
                list.push(word);
                list.len() - 1
            });
        }
        let automaton = AhoCorasickBuilder::new()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(&list)
            .map_err(|e| Error::Detection(e.to_string()))?;
        Ok(Self { ids, automaton })
    }

    pub(crate) fn id(&self, word: &str) -> Option<usize> {
        self.ids.get(word).copied()
    }

    pub(crate) fn find(&self, text: &str) -> Hits {
        let mut hits = Hits {
            anywhere: vec![Vec::new(); self.ids.len()],
            whole: vec![Vec::new(); self.ids.len()],
        };
        let bytes = text.as_bytes();
        for found in self.automaton.find_overlapping_iter(text) {
            let id = found.pattern().as_usize();
            hits.anywhere[id].push(found.start());
            if stands_alone(bytes, found.range()) {
                hits.whole[id].push((found.start(), found.end()));
            }
        }
        hits
    }
}

/// Not a part of a longer word; `phone` does stand in `phones`, `phone_number` and `homePhone`.
fn stands_alone(text: &[u8], word: Range<usize>) -> bool {
    let Some(&first) = text.get(word.start) else { return false };
    if !first.is_ascii_alphabetic() {
        return true;
    }
    let before = word.start.checked_sub(1).and_then(|i| text.get(i)).copied().unwrap_or(b' ');
    let camel = first.is_ascii_uppercase() && before.is_ascii_lowercase();
    let after = text.get(word.end).copied().unwrap_or(b' ');
    let next = text.get(word.end + 1).copied().unwrap_or(b' ');
    let plural = after == b's' && !next.is_ascii_alphabetic();
    (camel || !before.is_ascii_alphabetic())
        && (plural || !after.is_ascii_lowercase() || !text[word.end - 1].is_ascii_alphabetic())
}

/// Where the words stand in one text.
pub(crate) struct Hits {
    /// Where each word begins, also inside longer words.
    anywhere: Vec<Vec<usize>>,
    /// Whole-word places by word id, in order.
    whole: Vec<Vec<(usize, usize)>>,
}

impl Hits {
    pub(crate) fn has(&self, id: usize) -> bool {
        self.anywhere.get(id).is_some_and(|places| !places.is_empty())
    }

    /// Places of the words as whole words, in order.
    pub(crate) fn places(&self, ids: &[usize]) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = ids
            .iter()
            .filter_map(|id| self.whole.get(*id))
            .flatten()
            .map(|(start, end)| *start..*end)
            .collect();
        // Of words that begin together, the longest first.
        places.sort_by(|a, b| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
        places
    }

    /// The stretches of `text` within `before` and `after` bytes of a word's beginning, merged, on character
    /// boundaries, and to the end of a run without a space.
    pub(crate) fn windows(
        &self,
        ids: &[usize],
        text: &str,
        (before, after): (usize, usize),
    ) -> Vec<Range<usize>> {
        let mut starts: Vec<usize> =
            ids.iter().filter_map(|id| self.anywhere.get(*id)).flatten().copied().collect();
        starts.sort_unstable();
        let mut windows: Vec<Range<usize>> = Vec::new();
        let bytes = text.as_bytes();
        for start in starts {
            let mut from = start.saturating_sub(before);
            let mut to = (start + after).min(text.len());
            if windows.last().is_some_and(|w| w.end >= to) {
                continue;
            }
            while !text.is_char_boundary(from) {
                from -= 1;
            }
            // A run without a space is not cut: the rest of a key would leave.
            while bytes.get(to).is_some_and(|b| b.is_ascii_graphic()) || !text.is_char_boundary(to)
            {
                to += 1;
            }
            match windows.last_mut().filter(|w| w.end >= from) {
                Some(last) => last.end = last.end.max(to),
                None => windows.push(from..to),
            }
        }
        windows
    }

    /// Bytes between the candidate and the nearest of `ids` before it, within the window.
    pub(crate) fn nearest_before(&self, ids: &[usize], candidate: &Range<usize>) -> Option<usize> {
        ids.iter()
            .filter_map(|id| {
                let places = self.whole.get(*id)?;
                let until = places.partition_point(|(_, end)| *end <= candidate.start);
                let (_, end) = places.get(until.checked_sub(1)?)?;
                Some(candidate.start - end)
            })
            .filter(|gap| *gap <= BEFORE)
            .min()
    }

    pub(crate) fn near_after(&self, ids: &[usize], candidate: &Range<usize>) -> bool {
        ids.iter().any(|id| {
            self.whole.get(*id).is_some_and(|places| {
                let from = places.partition_point(|(start, _)| *start < candidate.end);
                places.get(from).is_some_and(|(start, _)| start - candidate.end <= AFTER)
            })
        })
    }
}
