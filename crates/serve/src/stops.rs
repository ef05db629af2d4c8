//! Stop sequences: an answer ends before the first of them. Text that may be the beginning of one is held back
//! until it is known. It searches text, not tokens, so a sequence is found wherever tokens break.

/// Sequences and the text that is not given out yet.
pub(crate) struct Stops {
    sequences: Vec<String>,
    held: String,
    met: bool,
}

impl Stops {
    pub(crate) fn new(sequences: Vec<String>) -> Self {
        Self { sequences, held: String::new(), met: false }
    }

    /// Whether a sequence was met; nothing comes after it.
    pub(crate) fn met(&self) -> bool {
        self.met
    }

    /// Takes new text and returns what is certain.
    pub(crate) fn push(&mut self, text: &str) -> String {
        if self.met {
            return String::new();
        }
        self.held.push_str(text);
        let places = self.sequences.iter().filter_map(|sequence| self.held.find(sequence.as_str()));
        if let Some(place) = places.min() {
            self.met = true;
            self.held.truncate(place);
            return std::mem::take(&mut self.held);
        }
        // The longest end that a sequence begins with stays.
        let begins = |at: &usize| {
            self.sequences.iter().any(|sequence| sequence.starts_with(&self.held[*at..]))
        };
        let kept = self.held.char_indices().map(|(at, _)| at).find(begins);
        let rest = self.held.split_off(kept.unwrap_or(self.held.len()));
        std::mem::replace(&mut self.held, rest)
    }

    /// What was held back when the answer ended by itself.
    pub(crate) fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sequences: &[&str], pieces: &[&str], given: &str, met: bool) {
        let mut stops = Stops::new(sequences.iter().map(|s| (*s).to_owned()).collect());
        let mut text: String = pieces.iter().map(|piece| stops.push(piece)).collect();
        text += &stops.finish();
        assert_eq!((text.as_str(), stops.met()), (given, met), "{sequences:?} {pieces:?}");
    }

    #[test]
    fn ends_before_the_first_sequence_wherever_pieces_break() {
        check(&[], &["a", "b"], "ab", false);
        check(&["END"], &["one ", "E", "N", "D two", " three"], "one ", true);
        check(&["END"], &["one E", "N"], "one EN", false);
        check(&["\n\n", "。"], &["你好", "。再见\n\n"], "你好", true);
        check(&["ab", "b"], &["xab"], "x", true);
        check(&["aab"], &["aa", "ab"], "a", true);
    }
}
