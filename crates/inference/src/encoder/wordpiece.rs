//! BERT's WordPiece tokenizer (Wu et al. 2016; Devlin et al. 2018), uncased: cleaned, lower-cased, without
//! accents, cut at white space and punctuation, then the longest known pieces from the left.

use unicode_normalization::UnicodeNormalization;

use super::normalise::Aligned;
use super::ranges::Ranges;
use super::tokenizer::EncodedText;
use super::trie::Trie;
use crate::Result;

/// Longer words are unknown as a whole.
const LONGEST_WORD: usize = 100;

#[derive(Debug)]
pub(super) struct WordPiece {
    first: Trie,
    /// Pieces within a word, without their `##`.
    later: Trie,
    unknown: u32,
    lowercase: bool,
    other: Ranges,
    punctuation: Ranges,
    marks: Ranges,
}

impl WordPiece {
    pub(super) fn new(
        vocabulary: &[(String, u32)],
        unknown: u32,
        lowercase: bool,
        is_control: impl Fn(u32) -> bool,
    ) -> Result<Self> {
        let mut first = Vec::new();
        let mut later = Vec::new();
        for (piece, id) in vocabulary.iter().filter(|(_, id)| !is_control(*id)) {
            match piece.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => later.push((rest.as_bytes(), *id)),
                _ => first.push((piece.as_bytes(), *id)),
            }
        }
        Ok(Self {
            first: Trie::new(first),
            later: Trie::new(later),
            unknown,
            lowercase,
            other: Ranges::new(r"\p{C}")?,
            punctuation: Ranges::new(r"\p{P}")?,
            marks: Ranges::new(r"\p{Mn}")?,
        })
    }

    pub(super) fn encode(&self, text: &str, out: &mut EncodedText) {
        let mut word = Vec::new();
        for aligned in self.clean(text) {
            let Aligned { letter, .. } = aligned;
            let is_mark = letter.is_ascii_punctuation() || self.punctuation.contains(letter);
            if letter == ' ' || is_mark || is_ideograph(letter) {
                self.word(&word, out);
                word.clear();
                if letter != ' ' {
                    self.word(&[aligned], out);
                }
            } else {
                word.push(aligned);
            }
        }
        self.word(&word, out);
    }

    /// The letters that count, lower-cased and without accents; every white space is a space.
    fn clean(&self, text: &str) -> Vec<Aligned> {
        let mut out = Vec::with_capacity(text.len());
        for (letter, start) in text.chars().zip(0_u32..) {
            let mut push = |letter| out.push(Aligned { letter, start, end: start + 1 });
            if letter.is_whitespace() {
                push(' ');
            } else if letter == '\u{fffd}' || self.other.contains(letter) {
            } else if self.lowercase {
                for plain in letter.nfd().filter(|c| !self.marks.contains(*c)) {
                    plain.to_lowercase().for_each(&mut push);
                }
            } else {
                push(letter);
            }
        }
        out
    }

    fn word(&self, letters: &[Aligned], out: &mut EncodedText) {
        let (Some(first), Some(last)) = (letters.first(), letters.last()) else { return };
        let mut unknown = || out.push(self.unknown, first.start, last.end);
        if letters.len() > LONGEST_WORD {
            return unknown();
        }
        let text: String = letters.iter().map(|aligned| aligned.letter).collect();
        let mut pieces = Vec::new();
        let mut from = 0;
        while from < text.len() {
            let trie = if from == 0 { &self.first } else { &self.later };
            let mut longest = None;
            trie.prefixes(&text.as_bytes()[from..], |len, piece| longest = Some((len, piece)));
            let Some((len, piece)) = longest else { return unknown() };
            pieces.push((from, from + len, piece));
            from += len;
        }
        let letter_of = |byte: usize| text[..byte].chars().count();
        for (from, to, piece) in pieces {
            let (start, end) = (letters[letter_of(from)].start, letters[letter_of(to) - 1].end);
            out.push(piece, start, end);
        }
    }
}

/// The blocks that BERT cuts character by character.
fn is_ideograph(letter: char) -> bool {
    matches!(letter,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b73f}' | '\u{2b740}'..='\u{2b81f}' | '\u{2b820}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}
