//! Passages: pieces of pages that are small enough to put beside a question, and their ranking by keyword.
//!
//! The ranking is BM25 (Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75) over the passages of the dropped
//! files alone; a search over the library is the library's.

use std::collections::{BTreeMap, BTreeSet};

use super::sentences::sentences;
use super::terms::{is_stop_word, terms};

/// A piece of one page of one document.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    /// Index of the document in the list that was split.
    pub(crate) document: usize,
    pub(crate) page: u32,
    pub(crate) section: Option<String>,
    pub(crate) text: String,
}

impl std::fmt::Debug for Passage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Passage({}, page {})", self.document, self.page)
    }
}

/// Splits a page at sentence ends into passages of at most about `target` characters.
#[must_use]
pub(crate) fn passages(
    document: usize,
    page: u32,
    section: Option<&str>,
    text: &str,
    target: usize,
) -> Vec<Passage> {
    let mut out = Vec::new();
    let mut current = String::new();
    let mut length = 0;
    for sentence in sentences(text) {
        let chars = sentence.chars().count();
        if length > 0 && length + chars > target {
            out.push(std::mem::take(&mut current));
            length = 0;
        }
        if length > 0 {
            current.push(' ');
        }
        current.push_str(sentence);
        length += chars;
    }
    if !current.is_empty() {
        out.push(current);
    }
    let section = section.map(str::to_owned);
    out.into_iter().map(|text| Passage { document, page, section: section.clone(), text }).collect()
}

/// Indexes of the passages that share a term with `question`, best first. A page number named in the
/// question ("page 2", "第2页") lifts that page above the others.
#[must_use]
pub(crate) fn rank(question: &str, passages: &[Passage]) -> Vec<usize> {
    let wanted: BTreeSet<String> =
        terms(question).into_iter().filter(|term| !is_stop_word(term)).collect();
    let pages = pages_named(question);
    let bags: Vec<BTreeMap<String, f64>> = passages
        .iter()
        .map(|passage| {
            let mut bag = BTreeMap::new();
            let section = passage.section.as_deref().unwrap_or("");
            for term in terms(section).into_iter().chain(terms(&passage.text)) {
                *bag.entry(term).or_insert(0.0) += 1.0;
            }
            bag
        })
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "counts of passages are small")]
    let count = passages.len() as f64;
    let lengths: Vec<f64> = bags.iter().map(|bag| bag.values().sum()).collect();
    let average = (lengths.iter().sum::<f64>() / count.max(1.0)).max(1.0);
    let idf: BTreeMap<&str, f64> = wanted
        .iter()
        .map(|term| {
            #[expect(clippy::cast_precision_loss, reason = "counts of passages are small")]
            let holding = bags.iter().filter(|bag| bag.contains_key(term)).count() as f64;
            (term.as_str(), ((count - holding + 0.5) / (holding + 0.5)).ln_1p())
        })
        .collect();
    let mut scored: Vec<(usize, f64)> = Vec::new();
    for (index, bag) in bags.iter().enumerate() {
        let mut score = 0.0;
        for (&term, &weight) in &idf {
            if let Some(&frequency) = bag.get(term) {
                let norm = 1.2 * (0.25 + 0.75 * lengths[index] / average);
                score += weight * frequency * 2.2 / (frequency + norm);
            }
        }
        if pages.contains(&passages[index].page) {
            score += 1000.0;
        }
        if score > 0.0 {
            scored.push((index, score));
        }
    }
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.into_iter().map(|(index, _)| index).collect()
}

/// Page numbers that a question names.
fn pages_named(question: &str) -> BTreeSet<u32> {
    let mut out = BTreeSet::new();
    let lower = question.to_lowercase();
    for (at, _) in lower.match_indices("page") {
        let rest = lower[at + 4..].trim_start_matches(['s', ' ', '.']);
        out.extend(leading_number(rest));
    }
    for (at, _) in lower.match_indices('第') {
        let rest = lower[at + '第'.len_utf8()..].trim_start();
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if digits.trim_start().starts_with('页') {
            out.extend(leading_number(rest));
        }
    }
    out
}

fn leading_number(text: &str) -> Option<u32> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).take(6).collect();
    digits.parse().ok()
}
