//! Prompt lookup: where the latest tokens have stood before, what followed them then is guessed to follow
//! again, and several guesses are computed in one pass over the weights (Saxena 2023; Yang et al. 2023,
//! "Inference with Reference"). It samples nothing. The session draws each token from the model's own logits
//! and drops what was computed after a wrong guess; since a token's logits have the same bits alone as among
//! others, an answer is the same with and without.
//!
//! Whether a guess pays is a pure function of how often guesses were right and of what passes have cost in
//! this answer. Guesses that were not used are scored as well, which costs nothing.

use std::collections::VecDeque;

use crate::tokenizer::TokenId;
use crate::{Error, Result};

/// Latest tokens that must have stood before.
const SHORTEST: usize = 2;
/// A longer repetition is not looked for.
const LONGEST: usize = 8;
/// Most tokens of a guess.
const MOST: usize = 7;
/// A pass must promise this much more than one token at a time: the promise is an estimate.
const MARGIN: f64 = 1.15;
/// What a guess is taken to cost, as part of a pass for one token, until one was measured.
const ASSUMED_ROW: f64 = 0.5;
/// Weight of the newest observation.
const NEWEST: f64 = 0.15;

/// When to guess.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Speculation {
    /// Where it is likely to be faster.
    #[default]
    Auto,
    Off,
    /// Wherever there is something to guess: for tests and measurements.
    Always,
}

impl Speculation {
    /// As the variable `NEARSIDE_SPECULATION` gives it; empty is `Auto`.
    ///
    /// # Errors
    /// When the word is another.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "" | "auto" => Ok(Self::Auto),
            "off" => Ok(Self::Off),
            "always" => Ok(Self::Always),
            _ => {
                let why =
                    format!("NEARSIDE_SPECULATION={name} is not known; use auto, off or always");
                Err(Error::Environment(why))
            }
        }
    }
}

/// Tokens that may come next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Guess {
    /// How many tokens had stood before.
    matched: usize,
    tokens: VecDeque<TokenId>,
}

impl Guess {
    /// What followed the longest repetition of the end of `tokens`, the latest of several; at most `most`.
    pub(crate) fn of(tokens: &[TokenId], most: usize) -> Self {
        let mut best = (0, 0);
        for end in (SHORTEST..tokens.len()).rev() {
            let before = tokens[..end].iter().rev();
            let longest = before.zip(tokens.iter().rev()).take(LONGEST);
            let matched = longest.take_while(|(a, b)| a == b).count();
            if matched > best.0 {
                best = (matched, end);
                if matched == LONGEST {
                    break;
                }
            }
        }
        let (matched, end) = best;
        if matched < SHORTEST {
            return Self::default();
        }
        let tokens = tokens[end..].iter().take(most.min(MOST)).copied().collect();
        Self { matched, tokens }
    }

    /// The first `count` tokens.
    pub(crate) fn first(&self, count: usize) -> impl Iterator<Item = TokenId> {
        self.tokens.iter().take(count).copied()
    }

    /// Whether `token` is the next one guessed, noted in `odds`; nothing where nothing was guessed.
    pub(crate) fn meets(&mut self, token: TokenId, odds: &mut Odds) -> Option<bool> {
        let guessed = self.tokens.pop_front()?;
        let right = guessed == token;
        odds.note_guess(self.matched, right);
        self.matched += 1;
        Some(right)
    }
}

/// What guesses have brought and passes have cost. Belongs to one answer.
#[derive(Debug, Clone)]
pub(crate) struct Odds {
    mode: Speculation,
    /// How often a guess was right, by the length of the repetition.
    right: [f64; LONGEST + 1],
    /// Milliseconds of a pass for one token; 0 before the first.
    single: f64,
    /// Milliseconds that each further token of a pass costs.
    row: Option<f64>,
}

impl Odds {
    pub(crate) fn new(mode: Speculation) -> Self {
        // Longer repetitions are better signs; the answer soon corrects these.
        let right = [0.0, 0.0, 0.3, 0.4, 0.5, 0.6, 0.6, 0.7, 0.7];
        Self { mode, right, single: 0.0, row: None }
    }

    /// How many tokens of the guess are worth computing, 0 where it is none.
    pub(crate) fn worth(&self, guess: &Guess) -> usize {
        let available = guess.tokens.len();
        match self.mode {
            Speculation::Off => return 0,
            Speculation::Always => return available,
            Speculation::Auto if self.single <= 0.0 => return 0,
            Speculation::Auto => {}
        }
        let row = self.row.unwrap_or(ASSUMED_ROW * self.single);
        let (mut best, mut promise) = (0, MARGIN / self.single);
        // Tokens that a pass is expected to bring: its own, and each guess if all before it are right.
        let (mut tokens, mut chance, mut cost) = (1.0, 1.0, self.single);
        for index in 0..available {
            chance *= self.right[(guess.matched + index).min(LONGEST)];
            tokens += chance;
            cost += row;
            if tokens / cost > promise {
                (best, promise) = (index + 1, tokens / cost);
            }
        }
        best
    }

    fn note_guess(&mut self, matched: usize, right: bool) {
        let place = &mut self.right[matched.min(LONGEST)];
        *place += NEWEST * (f64::from(u8::from(right)) - *place);
    }

    /// Notes what a pass over `tokens` took.
    #[expect(clippy::cast_precision_loss, reason = "a handful")]
    pub(crate) fn note_pass(&mut self, tokens: usize, ms: f64) {
        if tokens > 1 {
            let row = ((ms - self.single) / (tokens - 1) as f64).max(0.0);
            self.row = Some(self.row.map_or(row, |known| known + NEWEST * (row - known)));
        } else if self.single > 0.0 {
            self.single += NEWEST * (ms - self.single);
        } else {
            self.single = ms;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tokens: &[TokenId], matched: usize, guessed: &[TokenId]) {
        let guess = Guess::of(tokens, MOST);
        assert_eq!(guess.matched, matched, "{tokens:?}");
        assert_eq!(guess.first(MOST).collect::<Vec<_>>(), guessed, "{tokens:?}");
    }

    #[test]
    fn guesses_what_followed_the_longest_and_latest_repetition() {
        check(&[], 0, &[]);
        check(&[1], 0, &[]);
        check(&[1, 2, 3], 0, &[]);
        // One token alone is no sign.
        check(&[1, 2, 9, 1], 0, &[]);
        check(&[1, 2, 3, 4, 1, 2], 2, &[3, 4, 1, 2]);
        check(&[1, 2, 3, 1, 2, 4, 1, 2], 2, &[4, 1, 2]);
        check(&[5, 1, 2, 3, 7, 1, 2, 4, 5, 1, 2], 3, &[3, 7, 1, 2, 4, 5, 1]);
        // A run repeats itself.
        check(&[6, 6, 6], 2, &[6]);
    }

    fn odds(mode: Speculation, right: f64, single: f64, row: f64) -> Odds {
        Odds { mode, right: [right; LONGEST + 1], single, row: Some(row) }
    }

    #[test]
    fn computes_guesses_where_they_pay() {
        let guess = Guess { matched: 3, tokens: (0..4).collect() };
        let check = |odds: Odds, worth| assert_eq!(odds.worth(&guess), worth, "{odds:?}");
        check(odds(Speculation::Auto, 0.9, 10.0, 2.0), 4);
        check(odds(Speculation::Auto, 0.5, 10.0, 1.0), 2);
        check(odds(Speculation::Auto, 0.1, 10.0, 2.0), 0);
        check(odds(Speculation::Auto, 0.9, 10.0, 10.0), 0);
        check(odds(Speculation::Auto, 0.9, 0.0, 2.0), 0);
        check(odds(Speculation::Off, 1.0, 10.0, 0.0), 0);
        check(odds(Speculation::Always, 0.0, 10.0, 10.0), 4);
        assert_eq!(odds(Speculation::Always, 1.0, 1.0, 0.0).worth(&Guess::default()), 0);
    }

    #[test]
    fn learns_from_guesses_and_passes() {
        let mut odds = Odds::new(Speculation::Auto);
        odds.note_pass(1, 10.0);
        odds.note_pass(3, 14.0);
        assert_eq!((odds.single, odds.row), (10.0, Some(2.0)));
        let mut guess = Guess { matched: 2, tokens: [7, 8].into() };
        let before = odds.right;
        assert_eq!(guess.meets(7, &mut odds), Some(true));
        assert_eq!(guess.meets(9, &mut odds), Some(false));
        assert_eq!(guess.meets(9, &mut odds), None);
        assert!(odds.right[2] > before[2] && odds.right[3] < before[3]);
    }
}
