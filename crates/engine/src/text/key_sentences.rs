//! Key sentences: the sentences of a document that carry most of its facts, chosen without a model.
//!
//! Term frequency and position as in Luhn 1958 and Edmundson 1969, with more weight on what is rare in the
//! document, on numbers and on names: a small model loses just those when it summarises, so they are handed
//! to it and kept beside its words. Sentences are quoted as they stand, never rewritten.

use std::collections::{BTreeMap, BTreeSet};

use super::sentences::sentences;
use super::terms::{is_stop_word, terms};

/// A sentence worth keeping.
#[derive(Clone, PartialEq)]
pub(crate) struct KeySentence {
    /// Index of the page in the list that was given.
    pub(crate) page: usize,
    pub(crate) text: String,
    pub(crate) score: f64,
}

impl std::fmt::Debug for KeySentence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeySentence(page {}, {:.2})", self.page, self.score)
    }
}

struct Candidate<'a> {
    page: usize,
    first: bool,
    text: &'a str,
    bag: BTreeSet<String>,
}

/// At most `most` sentences of `pages`, in reading order: first the best of every page, so that no page is
/// passed over, then the best of all.
#[must_use]
pub(crate) fn key_sentences(pages: &[&str], most: usize) -> Vec<KeySentence> {
    let mut candidates = Vec::new();
    for (page, text) in pages.iter().enumerate() {
        for (at, text) in sentences(text).into_iter().enumerate() {
            let text = without_marker(text);
            let length = text.chars().count();
            let bag: BTreeSet<String> =
                terms(text).into_iter().filter(|t| !is_stop_word(t)).collect();
            if bag.len() >= 3 && (12..=400).contains(&length) && !text.ends_with([':', '：']) {
                candidates.push(Candidate { page, first: at == 0, text, bag });
            }
        }
    }
    let mut holding: BTreeMap<&str, usize> = BTreeMap::new();
    for candidate in &candidates {
        for term in &candidate.bag {
            *holding.entry(term).or_default() += 1;
        }
    }
    let scores: Vec<f64> =
        candidates.iter().map(|candidate| score(candidate, &holding, candidates.len())).collect();
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));

    // A table or a list of names must not take the place of all other pages.
    let share = (3 * most / pages.len().max(1)).max(3);
    let mut chosen: Vec<usize> = Vec::new();
    let mut pages_seen = BTreeSet::new();
    for &index in &order {
        if chosen.len() < most && !pages_seen.contains(&candidates[index].page) {
            pages_seen.insert(candidates[index].page);
            chosen.push(index);
        }
    }
    for &index in &order {
        let repeats =
            |&other: &usize| overlap(&candidates[other].bag, &candidates[index].bag) > 0.8;
        let page = candidates[index].page;
        let taken = chosen.iter().filter(|&&other| candidates[other].page == page).count();
        if chosen.len() < most
            && taken < share
            && !chosen.contains(&index)
            && !chosen.iter().any(repeats)
        {
            chosen.push(index);
        }
    }
    chosen.sort_unstable();
    chosen
        .into_iter()
        .map(|index| KeySentence {
            page: candidates[index].page,
            text: candidates[index].text.split_whitespace().collect::<Vec<_>>().join(" "),
            score: scores[index],
        })
        .collect()
}

/// Without the bullet or number of a list, which is no fact.
fn without_marker(text: &str) -> &str {
    let text = text.trim_start_matches(['-', '*', '•', '●', '·', '#', '|', ' ']);
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let marker = text.len() - digits.len();
    match digits.strip_prefix(['.', ')', '、']) {
        Some(rest) if (1..=3).contains(&marker) && !rest.starts_with(char::is_numeric) => {
            rest.trim_start()
        }
        _ => text,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of sentences and terms are small")]
fn score(candidate: &Candidate<'_>, holding: &BTreeMap<&str, usize>, count: usize) -> f64 {
    let mut rare = 0.0;
    for term in &candidate.bag {
        let seen = holding.get(term.as_str()).copied().unwrap_or(1) as f64;
        rare += (1.0 + count as f64 / seen).ln();
    }
    let rare = rare / (candidate.bag.len() as f64 + 2.0);
    let numbers =
        terms(candidate.text).iter().filter(|t| t.bytes().any(|b| b.is_ascii_digit())).count();
    // A capital inside a sentence is a name; the first word's says nothing.
    let names = candidate
        .text
        .split_whitespace()
        .skip(1)
        .filter(|word| word.trim_start_matches(['"', '(', '“']).starts_with(char::is_uppercase))
        .count();
    let position = if candidate.first { 0.25 } else { 0.0 };
    rare + 0.5 * (numbers.min(4) as f64).sqrt() + 0.35 * (names.min(4) as f64).sqrt() + position
}

#[expect(clippy::cast_precision_loss, reason = "counts of terms are small")]
fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let shared = a.intersection(b).count() as f64;
    shared / (a.len().min(b.len()).max(1) as f64)
}
