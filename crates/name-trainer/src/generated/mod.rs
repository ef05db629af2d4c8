//! Sentences that we write ourselves: templates in both languages with invented people, places and bodies, so
//! that the head sees forms, chats, code, titles, possessives and names of many origins, and look-alikes that
//! are none. Everything follows from a seed.

mod chinese;
mod english;
mod people;
mod places;

use crate::sentence::{Labelled, Sentence};

pub(crate) use english::lowered;

/// Makes choices that follow from a seed (splitmix64, Steele et al. 2014).
pub(crate) struct Chooser(u64);

impl Chooser {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `count`, which is not 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let count = count as u64;
        usize::try_from(self.next() % count).unwrap_or(0)
    }

    pub(crate) fn chance(&mut self, share: f64) -> bool {
        (self.below(1_000_000) as f64) < share * 1e6
    }

    pub(crate) fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    /// A word of a list with spaces between.
    pub(crate) fn word(&mut self, list: &'static str) -> &'static str {
        let count = list.split_whitespace().count();
        let at = self.below(count);
        list.split_whitespace().nth(at).unwrap_or_default()
    }

    /// A letter of a list without spaces.
    pub(crate) fn letter(&mut self, list: &str) -> char {
        let at = self.below(list.chars().count());
        list.chars().nth(at).unwrap_or('一')
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// `count` sentences of each language.
pub(crate) fn sentences(seed: u64, count: usize) -> Vec<Sentence> {
    let mut c = Chooser::new(seed);
    let mut all = Vec::with_capacity(2 * count);
    for _ in 0..count {
        all.push(english::sentence(&mut c));
        all.push(chinese::sentence(&mut c));
    }
    all
}

/// Ends the name within what fills a place: what comes after it is a title.
const TITLE: char = '\u{1}';

/// Fills a template: `{p}` and the like become names, marked as `Labelled` says; other braces stay.
fn fill(template: &str, mut value: impl FnMut(&str) -> (String, Option<usize>)) -> Sentence {
    let mut text = String::new();
    let mut names = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let is_place = after.as_bytes().get(1) == Some(&b'}') && after.is_char_boundary(1);
        if !is_place {
            text.push('{');
            rest = after;
            continue;
        }
        let (filled, kind) = value(&after[..1]);
        let start = text.chars().count();
        let (name, title) = filled.split_once(TITLE).unwrap_or((&filled, ""));
        text.push_str(name);
        if let Some(kind) = kind {
            names.push(Labelled { start, end: text.chars().count(), kind });
        }
        text.push_str(title);
        rest = &after[2..];
    }
    text.push_str(rest);
    Sentence { text, names }
}
