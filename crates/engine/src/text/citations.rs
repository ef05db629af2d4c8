//! Citations: which passages an answer rests on, found by comparing words and numbers.
//!
//! Small models seldom write citations, and when they do they invent them; so they are computed. A passage
//! is cited when one of its sentences holds most of what a sentence of the answer says, weighted by how
//! rare each term is among the passages. A page that the model was not given can never be cited, because
//! only given passages are looked at. This shows support in words, not that the answer is true.

use std::collections::{BTreeMap, BTreeSet};

use nearside_types::{Citation, UserText};

use super::passages::Passage;
use super::sentences::sentences;
use super::terms::{is_stop_word, terms};

/// An answer of many sentences may rest on many pages, but a reader looks at a few.
const MOST: usize = 6;

/// What part of an answer sentence's weight one passage sentence must hold.
const SUPPORT: f64 = 0.5;

/// The passages among `given` that support `answer`, by page. `names` are the documents' names.
#[must_use]
pub(crate) fn cite(
    answer: &str,
    question: &str,
    given: &[Passage],
    names: &[UserText],
) -> Vec<Citation> {
    let pieces: Vec<(usize, &str, BTreeSet<String>)> = given
        .iter()
        .enumerate()
        .flat_map(|(index, passage)| {
            sentences(&passage.text).into_iter().map(move |text| (index, text, bag(text)))
        })
        .collect();
    let mut holding: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, _, bag) in &pieces {
        for term in bag {
            *holding.entry(term).or_default() += 1;
        }
    }
    let asked = bag(question);
    let weight = |term: &str| -> f64 {
        let Some(&count) = holding.get(term) else { return 0.6 };
        #[expect(clippy::cast_precision_loss, reason = "counts of sentences are small")]
        let rare = (1.0 + pieces.len() as f64 / count as f64).ln();
        let number = if term.bytes().any(|b| b.is_ascii_digit()) { 1.5 } else { 1.0 };
        // The question's own words say where to look, and little about what was found.
        let said = if asked.contains(term) { 0.3 } else { 1.0 };
        rare * number * said
    };
    let mut best: Vec<(f64, usize)> = Vec::new();
    for sentence in sentences(answer) {
        let said = bag(sentence);
        let total: f64 = said.iter().map(|term| weight(term)).sum();
        let new: BTreeSet<&String> = said.difference(&asked).collect();
        let mut found: Option<(f64, usize)> = None;
        for (piece, (_, _, bag)) in pieces.iter().enumerate() {
            let shared: f64 = said.intersection(bag).map(|term| weight(term)).sum();
            // Something that the question did not already say must be there.
            if total <= 0.0 || shared < SUPPORT * total || !new.iter().any(|t| bag.contains(*t)) {
                continue;
            }
            // Among sentences that hold the same, the one nearest to the question.
            let near: f64 = asked.intersection(bag).map(|term| weight(term)).sum();
            let score = shared / total + 0.2 * near / (near + 1.0);
            if found.is_none_or(|(old, _)| score > old) {
                found = Some((score, piece));
            }
        }
        best.extend(found);
    }
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut cited: Vec<usize> = Vec::new();
    for (_, piece) in best {
        if !cited.contains(&piece) && cited.len() < MOST {
            cited.push(piece);
        }
    }
    cited.sort_unstable();
    cited
        .into_iter()
        .map(|piece| {
            let (index, quote, _) = &pieces[piece];
            let passage = &given[*index];
            Citation {
                file: names.get(passage.document).cloned().unwrap_or_default(),
                page: passage.page,
                section: passage.section.clone().map(UserText),
                quote: UserText((*quote).to_owned()),
            }
        })
        .collect()
}

fn bag(text: &str) -> BTreeSet<String> {
    terms(text).into_iter().filter(|term| !is_stop_word(term)).collect()
}
