//! Splits a text into sentences for the name model: at line ends, at sentence marks of both writings, and
//! where one grows too long. It cuts; it judges nothing, and every character belongs to one sentence.

use std::ops::Range;

/// Code points in a sentence at most; a longer one is cut at a space or a comma.
const LONGEST: usize = 320;

/// Short forms whose full stop ends no sentence.
const SHORT_FORMS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "rev", "hon", "gen", "col", "lt", "sgt",
    "capt", "messrs", "mt", "no", "vs", "etc", "inc", "ltd", "co", "corp", "dept", "e.g", "i.e",
    "u.s", "u.k", "ph.d",
];

/// A stretch of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub(crate) bytes: Range<usize>,
    /// The code point of the text at which it begins.
    pub(crate) first: usize,
}

/// Cuts a text into sentences that together are the text.
pub(crate) fn split(text: &str) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut first = 0;
    let mut length = 0;
    // The last place in this sentence where it may be cut: byte behind it, and code points up to there.
    let mut soft: Option<(usize, usize)> = None;
    let mut cut = |start: &mut usize, first: &mut usize, end: usize, length: usize| {
        sentences.push(Sentence { bytes: *start..end, first: *first });
        *start = end;
        *first += length;
    };
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        length += 1;
        if ends_here(text, start, at, end, character) {
            cut(&mut start, &mut first, end, length);
            length = 0;
            soft = None;
            continue;
        }
        if matches!(character, ' ' | '\t' | ',' | '，' | '、' | '；' | ';' | '|') {
            soft = Some((end, length));
        }
        if length >= LONGEST {
            let (byte, count) = soft.take().unwrap_or((end, length));
            cut(&mut start, &mut first, byte, count);
            length -= count;
        }
    }
    if start < text.len() {
        cut(&mut start, &mut first, text.len(), length);
    }
    sentences
}

fn ends_here(text: &str, start: usize, at: usize, end: usize, character: char) -> bool {
    match character {
        '\n' | '。' | '！' | '？' => true,
        '!' | '?' => text[end..].starts_with(char::is_whitespace),
        '.' => {
            // An initial or a short form goes on: "J. Smith", "Dr. Lee".
            let word = text[start..at].rsplit([' ', '(', '"', '\'']).next().unwrap_or("");
            text[end..].starts_with(char::is_whitespace)
                && word.chars().count() > 1
                && !SHORT_FORMS.iter().any(|s| s.eq_ignore_ascii_case(word))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sentences() {
        let check = |text: &str, expected: &[&str]| {
            let cut: Vec<&str> = split(text).into_iter().map(|s| &text[s.bytes]).collect();
            assert_eq!(cut, expected);
        };
        check(
            "Ask Dr. Lee. He knows J. Smith! Really?",
            &["Ask Dr. Lee.", " He knows J. Smith!", " Really?"],
        );
        check("问张伟。他知道！好\n行", &["问张伟。", "他知道！", "好\n", "行"]);
        check("a.b 3.5", &["a.b 3.5"]);
        check("", &[]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "[\\PC\n]{0,900}") {
            let mut at = 0;
            for sentence in split(&text) {
                prop_assert_eq!(sentence.bytes.start, at);
                prop_assert_eq!(sentence.first, text[..at].chars().count());
                let part = &text[sentence.bytes.clone()];
                prop_assert!(!part.is_empty() && part.chars().count() <= LONGEST);
                at = sentence.bytes.end;
            }
            prop_assert_eq!(at, text.len());
        }
    }
}
