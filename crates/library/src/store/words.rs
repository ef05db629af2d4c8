//! The words under which a passage is found, for passages and questions alike.
//!
//! SQLite's tokenizers know no Chinese words, and its trigram one misses those of two characters. So text is
//! cut here first: runs of Han, kana and hangul into overlapping pairs, all else into runs of letters and
//! digits, everything NFKC, in small letters and without diacritics. The last character of a run stands
//! alone too, so that a search for one character finds each place as the beginning of a pair.

use crate::text::script::is_wide;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    /// Of a script that writes without blanks; then it is one or two characters.
    pub wide: bool,
    /// Runs that stood together without a blank share a number, such as the parts of `gen-itgc`.
    pub group: usize,
}

/// The words of a text as one line for the index.
#[must_use]
pub(super) fn line(text: &str) -> String {
    let words = runs(text).into_iter().flat_map(|run| {
        let count = run.characters.len();
        let wide = run.wide;
        let mut words = run.words();
        if wide && count > 1 {
            words.extend(run.characters.last().map(char::to_string));
        }
        words
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The words of a question.
#[must_use]
pub(super) fn of_question(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for run in runs(text) {
        let (wide, group) = (run.wide, run.group);
        words.extend(run.words().into_iter().map(|text| Word { text, wide, group }));
    }
    words
}

struct Run {
    characters: Vec<char>,
    wide: bool,
    group: usize,
}

impl Run {
    fn words(&self) -> Vec<String> {
        if self.wide && self.characters.len() > 1 {
            self.characters.windows(2).map(|pair| pair.iter().collect()).collect()
        } else {
            vec![self.characters.iter().collect()]
        }
    }
}

fn runs(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let (mut open, mut group) = (false, 0);
    let mut add = |c: char, open: &mut bool, group: usize| {
        let wide = is_wide(c);
        match runs.last_mut() {
            Some(run) if *open && run.wide == wide => run.characters.push(c),
            _ => runs.push(Run { characters: vec![c], wide, group }),
        }
        *open = true;
    };
    let mut before = ' ';
    for c in text.nfkd() {
        if is_combining_mark(c) && !is_wide(before) {
            // A diacritic; a voicing mark of kana is part of its letter and is composed again below.
            continue;
        }
        before = c;
        if c.is_alphanumeric() || is_combining_mark(c) {
            for c in c.to_lowercase() {
                add(c, &mut open, group);
            }
        } else {
            open = false;
            if c.is_whitespace()
                || !matches!(c, '-' | '_' | '.' | '/' | ':' | '@' | '+' | '\'' | '#')
            {
                group += 1;
            }
        }
    }
    for run in &mut runs {
        if run.wide {
            run.characters = run.characters.iter().copied().nfc().collect();
        }
    }
    runs
}
