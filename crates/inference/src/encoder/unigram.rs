//! SentencePiece's unigram tokenizer (Kudo 2018) as XLM-R uses it: the cut of each word whose pieces are
//! together the likeliest, by Viterbi. It samples nothing.

use super::normalise::{Aligned, compatible};
use super::tokenizer::EncodedText;
use super::trie::Trie;

/// What stands for a space, at the beginning of each word.
const SPACE: char = '\u{2581}';
/// How much less likely than the rarest piece an unknown character is.
const UNKNOWN_PENALTY: f64 = 10.0;

#[derive(Debug)]
pub(super) struct Unigram {
    trie: Trie,
    scores: Vec<f64>,
    unknown: u32,
    unknown_score: f64,
}

impl Unigram {
    /// `vocabulary` is (piece, logarithm of its likelihood); pieces that `is_control` names never match text.
    pub(super) fn new(
        vocabulary: &[(String, f64)],
        unknown: u32,
        is_control: impl Fn(u32) -> bool,
    ) -> Self {
        let pieces = vocabulary
            .iter()
            .zip(0..)
            .filter(|(_, id)| !is_control(*id))
            .map(|((piece, _), id)| (piece.as_bytes(), id))
            .collect();
        let scores: Vec<f64> = vocabulary.iter().map(|(_, score)| *score).collect();
        let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
        Self { trie: Trie::new(pieces), scores, unknown, unknown_score: lowest - UNKNOWN_PENALTY }
    }

    pub(super) fn encode(&self, text: &str, out: &mut EncodedText) {
        let mut letters = compatible(text);
        for aligned in &mut letters {
            if aligned.letter == ' ' {
                aligned.letter = SPACE;
            }
        }
        if letters.first().is_some_and(|first| first.letter != SPACE) {
            letters.insert(0, Aligned { letter: SPACE, start: 0, end: 0 });
        }
        let mut work = Work::default();
        let mut from = 0;
        while from < letters.len() {
            let rest = &letters[from + 1..];
            let len = 1 + rest.iter().take_while(|aligned| aligned.letter != SPACE).count();
            self.word(&letters[from..from + len], &mut work, out);
            from += len;
        }
    }

    fn word(&self, letters: &[Aligned], work: &mut Work, out: &mut EncodedText) {
        work.load(letters);
        for at in 0..letters.len() {
            let (from, reached) = (work.offsets[at], work.best[at].score);
            let single = work.offsets[at + 1] - from;
            let mut has_single = false;
            let best = &mut work.best;
            let letter_at = &work.letter_at;
            self.trie.prefixes(&work.bytes[from..], |len, piece| {
                has_single |= len == single;
                // Pieces are whole characters, so their ends are.
                let Some(to) = letter_at[from + len] else { return };
                let score = reached + self.scores[piece as usize];
                best[to].improve(score, at, piece);
            });
            if !has_single {
                best[at + 1].improve(reached + self.unknown_score, at, self.unknown);
            }
        }
        // Backwards along the best cut; unknown characters side by side are one token.
        work.pieces.clear();
        let mut end = letters.len();
        while end > 0 {
            let Step { from, piece, .. } = work.best[end];
            match work.pieces.last_mut() {
                Some((start, _, last)) if piece == self.unknown && *last == self.unknown => {
                    *start = from;
                }
                _ => work.pieces.push((from, end, piece)),
            }
            end = from;
        }
        for (from, to, piece) in work.pieces.iter().rev() {
            // The space that a word begins with is no part of what the token names.
            let named =
                letters[*from..*to].iter().skip(usize::from(letters[*from].letter == SPACE));
            let start = named.clone().next().map_or(letters[*to - 1].end, |first| first.start);
            out.push(*piece, start, letters[*to - 1].end);
        }
    }
}

/// The best way to a place in a word.
#[derive(Debug, Clone, Copy)]
struct Step {
    score: f64,
    from: usize,
    piece: u32,
}

impl Step {
    fn improve(&mut self, score: f64, from: usize, piece: u32) {
        if score > self.score {
            *self = Self { score, from, piece };
        }
    }
}

/// Room that words share.
#[derive(Default)]
struct Work {
    bytes: Vec<u8>,
    /// Byte at which each letter begins, and the end.
    offsets: Vec<usize>,
    /// The letter that begins at a byte.
    letter_at: Vec<Option<usize>>,
    best: Vec<Step>,
    /// (from letter, to letter, piece), last first.
    pieces: Vec<(usize, usize, u32)>,
}

impl Work {
    fn load(&mut self, letters: &[Aligned]) {
        self.bytes.clear();
        self.offsets.clear();
        self.letter_at.clear();
        let mut room = [0; 4];
        for (index, aligned) in letters.iter().enumerate() {
            self.offsets.push(self.bytes.len());
            self.letter_at.push(Some(index));
            let bytes = aligned.letter.encode_utf8(&mut room).as_bytes();
            self.bytes.extend_from_slice(bytes);
            self.letter_at.resize(self.bytes.len(), None);
        }
        self.offsets.push(self.bytes.len());
        self.letter_at.push(Some(letters.len()));
        let nothing = Step { score: f64::NEG_INFINITY, from: 0, piece: 0 };
        self.best.clear();
        self.best.resize(letters.len() + 1, nothing);
        self.best[0].score = 0.0;
    }
}
