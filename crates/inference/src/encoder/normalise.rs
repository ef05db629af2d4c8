//! What the tokenizers do to text before they cut it, with the way back: each character that comes out
//! knows the code points of the input that it stands for.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// A character after normalisation and the code points it came from, `end` exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Aligned {
    pub(super) letter: char,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Compatibility composition (NFKC), then every run of white space as one space.
pub(super) fn compatible(text: &str) -> Vec<Aligned> {
    let mut out: Vec<Aligned> = Vec::with_capacity(text.len());
    let mut push = |letter: char, start: u32, end: u32| {
        if !letter.is_whitespace() {
            out.push(Aligned { letter, start, end });
        } else if let Some(last) = out.last_mut().filter(|last| last.letter == ' ') {
            last.end = end;
        } else {
            out.push(Aligned { letter: ' ', start, end });
        }
    };
    let mut cluster = String::new();
    let mut start = 0;
    let mut position = 0;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        position += 1;
        let more = letters.peek().is_some_and(|next| joins(*next));
        if cluster.is_empty() && letter.is_ascii() && !more {
            push(letter, start, position);
            start = position;
            continue;
        }
        cluster.push(letter);
        if !more {
            for normal in cluster.nfkc() {
                push(normal, start, position);
            }
            cluster.clear();
            start = position;
        }
    }
    out
}

/// Whether a character may change what stands before it.
fn joins(letter: char) -> bool {
    // Hangul vowels and final consonants compose with the syllable before them though they are no marks.
    !letter.is_ascii()
        && (canonical_combining_class(letter) != 0
            || is_combining_mark(letter)
            || ('\u{1160}'..='\u{11ff}').contains(&letter)
            || ('\u{ff9e}'..='\u{ff9f}').contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_out_is_nfkc_and_knows_where_it_was() {
        let text = "Ｚｏｅ\u{301}  ①\t한국 각 ｶﾞ ﬁn 张";
        let found = compatible(text);
        let whole: String = text.nfkc().collect();
        let words: Vec<&str> = whole.split_whitespace().collect();
        let letters: String = found.iter().map(|a| a.letter).collect();
        assert_eq!(letters, words.join(" "));
        let all: Vec<char> = text.chars().collect();
        for aligned in &found {
            let source: String = all[aligned.start as usize..aligned.end as usize].iter().collect();
            let normal: String = source.nfkc().collect();
            assert!(normal.contains(aligned.letter) || normal.trim().is_empty(), "{aligned:?}");
        }
    }
}
