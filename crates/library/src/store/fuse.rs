//! One ranking of passages found by words and passages found by vectors. Pure.
//!
//! Words and vectors are of different use within a language and across languages: a question in another
//! script than the passage shares no words with it. So passages in the question's own script are ranked by
//! both, those in the other by their vectors, and the two rankings are merged by how good the best of each
//! is. Passages with every word of the question stand above all others, as somebody who types an identifier
//! expects. The weights are from the public retrieval set, chosen on a grid; `nearside bench search` has the
//! figures.

use super::vectors::Near;
use crate::text::script::Script;
use std::collections::BTreeMap;

/// How a passage was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Keyword,
    Vector,
    Both,
}

impl How {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Vector => "vector",
            Self::Both => "both",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fused {
    pub id: i64,
    pub score: f64,
    pub how: How,
}

/// A passage with words of the question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ByWords {
    pub id: i64,
    /// bm25.
    pub score: f64,
    /// It has every word of the question.
    pub every: bool,
}

/// What the best passage by words gains over one without any, in standard deviations of nearness.
const WORDS: f64 = 4.0;
/// What it counts, between the scripts, that a passage's words cover the question.
const COVER: f64 = 3.0;
/// The cover that a passage in another script is taken to have.
const ACROSS: f64 = 0.3;

#[derive(Default)]
struct Found {
    words: Option<ByWords>,
    near: Option<Near>,
}

/// Best first. `ideal` is the bm25 of a passage with each word of the question once, of usual length.
pub(super) fn fuse(by_words: &[ByWords], ideal: f64, near: &[Near], own: Script) -> Vec<Fused> {
    let mut all: BTreeMap<i64, Found> = BTreeMap::new();
    for words in by_words {
        all.entry(words.id).or_default().words = Some(*words);
    }
    for near in near {
        all.entry(near.id).or_default().near = Some(*near);
    }
    let most = by_words.iter().map(|words| words.score).fold(1e-9, f64::max);
    // One that is not among the nearest is no nearer than the last of them.
    let floor = |script| {
        let scores = near.iter().filter(|near| near.script == script).map(|near| near.score);
        scores.map(f64::from).reduce(f64::min).unwrap_or(0.0)
    };
    let own_floor = floor(own);
    let cover = |words: Option<ByWords>| words.map_or(0.0, |words| words.score / ideal.max(1e-9));
    let nearness = |found: &Found| found.near.map_or(own_floor, |near| f64::from(near.score));
    let is_own = |found: &Found| found.near.is_none_or(|near| near.script == own);
    let within = |found: &Found| {
        let words = found.words.map_or(0.0, |words| (words.score / most).clamp(0.0, 1.0));
        nearness(found) + WORDS * words
    };
    let best =
        all.values().filter(|found| is_own(found)).max_by(|a, b| within(a).total_cmp(&within(b)));
    // How good the best of the own script is, on the scale by which scripts are compared.
    let shift = best.map_or(0.0, |best| nearness(best) + COVER * cover(best.words) - within(best));
    let score = |found: &Found| {
        if is_own(found) {
            within(found) + shift
        } else {
            nearness(found) + COVER * cover(found.words).max(ACROSS)
        }
    };
    let mut fused: Vec<Fused> = all
        .iter()
        .map(|(id, found)| Fused {
            id: *id,
            score: score(found),
            how: match (found.words, found.near) {
                (Some(_), Some(_)) => How::Both,
                (Some(_), None) => How::Keyword,
                _ => How::Vector,
            },
        })
        .collect();
    let every = |id: i64| all[&id].words.is_some_and(|words| words.every);
    fused.sort_by(|a, b| {
        let scores = b.score.total_cmp(&a.score).then(a.id.cmp(&b.id));
        every(b.id).cmp(&every(a.id)).then(scores)
    });
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(id: i64, score: f64) -> ByWords {
        ByWords { id, score, every: false }
    }

    fn near(id: i64, score: f32, script: Script) -> Near {
        Near { id, score, script }
    }

    fn check(by_words: &[ByWords], nearest: &[Near], expected: &[(i64, How)]) {
        let fused = fuse(by_words, 10.0, nearest, Script::Spaced);
        assert_eq!(fused.iter().map(|f| (f.id, f.how)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn words_and_vectors_agree_on_the_best() {
        use How::{Both, Keyword, Vector};
        use Script::{Spaced, Wide};
        check(&[], &[], &[]);
        check(&[words(1, 3.0), words(2, 2.0)], &[], &[(1, Keyword), (2, Keyword)]);
        check(&[], &[near(1, 3.0, Spaced), near(2, 4.0, Wide)], &[(2, Vector), (1, Vector)]);
        // Found both ways beats found one way.
        check(
            &[words(1, 8.0), words(2, 7.0)],
            &[near(2, 5.0, Spaced), near(3, 5.5, Spaced), near(4, 2.0, Spaced)],
            &[(2, Both), (1, Keyword), (3, Vector), (4, Vector)],
        );
        // The other script comes first where its best stands out and the own one's words are few.
        let standing_out = near(9, 6.0, Wide);
        check(&[words(1, 1.0)], &[near(1, 3.0, Spaced), standing_out], &[(9, Vector), (1, Both)]);
        check(&[words(1, 9.0)], &[near(1, 5.0, Spaced), standing_out], &[(1, Both), (9, Vector)]);
    }

    #[test]
    fn a_passage_with_every_word_stands_above_all_others() {
        let all = ByWords { every: true, ..words(2, 1.0) };
        let nearest = [near(1, 9.0, Script::Spaced), near(3, 9.0, Script::Wide)];
        let rest = [(1, How::Both), (3, How::Vector)];
        check(&[words(1, 5.0), all], &nearest, &[&[(2, How::Keyword)], &rest[..]].concat());
    }
}
