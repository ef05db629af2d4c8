//! Where a text can hold numbers and keys at all: stretches with digits near one another, and long runs without
//! a space. Found in one pass, so that most patterns read a small part of the text.

use std::ops::Range;
use std::sync::OnceLock;

/// Bytes between two digits of one number at most: a country's letters, a month's name, separators.
const GAP: usize = 14;
/// Bytes around a stretch that belong to the candidate: letters, a country code, an extension.
const MARGIN: usize = 32;
/// A shorter run is a word.
const LONG: usize = 14;
/// More digits than any trigger asks for.
const MOST: usize = 24;

/// The stretches of one text.
pub(crate) struct Runs {
    length: usize,
    /// Byte ranges from the first digit to behind the last, with the number of digits.
    stretches: Vec<(Range<usize>, usize)>,
    /// The same, with no ASCII letter between two digits.
    bare: Vec<(Range<usize>, usize)>,
    long: Vec<Range<usize>>,
    digits: [OnceLock<Vec<Range<usize>>>; MOST],
    bare_digits: [OnceLock<Vec<Range<usize>>>; MOST],
    boundaries: Boundaries,
}

/// Which bytes begin no character, so that windows can be set on characters. Absent for ASCII.
struct Boundaries(Option<Vec<bool>>);

impl Boundaries {
    fn down(&self, mut at: usize) -> usize {
        if let Some(inside) = &self.0 {
            while inside.get(at).is_some_and(|i| *i) {
                at -= 1;
            }
        }
        at
    }
    fn up(&self, mut at: usize) -> usize {
        if let Some(inside) = &self.0 {
            while inside.get(at).is_some_and(|i| *i) {
                at += 1;
            }
        }
        at
    }
}

impl Runs {
    pub(crate) fn new(text: &str) -> Self {
        let mut stretches: Vec<(Range<usize>, usize)> = Vec::new();
        let mut bare: Vec<(Range<usize>, usize)> = Vec::new();
        let mut letter = false;
        let mut long = Vec::new();
        let mut run = 0;
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            if byte.is_ascii_digit() {
                match stretches.last_mut().filter(|(range, _)| at - range.end <= GAP) {
                    Some((range, digits)) => {
                        range.end = at + 1;
                        *digits += 1;
                    }
                    None => stretches.push((at..at + 1, 1)),
                }
                match bare.last_mut().filter(|(range, _)| !letter && at - range.end <= GAP) {
                    Some((range, digits)) => {
                        range.end = at + 1;
                        *digits += 1;
                    }
                    None => bare.push((at..at + 1, 1)),
                }
                letter = false;
            } else if byte.is_ascii_alphabetic() {
                letter = true;
            }
            if byte.is_ascii_graphic() {
                run += 1;
            } else {
                if run >= LONG {
                    long.push(at - run..at);
                }
                run = 0;
            }
        }
        if run >= LONG {
            long.push(bytes.len() - run..bytes.len());
        }
        let inside = (!text.is_ascii())
            .then(|| (0..bytes.len()).map(|at| !text.is_char_boundary(at)).collect());
        Self {
            length: bytes.len(),
            stretches,
            bare,
            long,
            digits: Default::default(),
            bare_digits: Default::default(),
            boundaries: Boundaries(inside),
        }
    }

    /// Where at least `least` digits stand near one another, with a margin; `letters` says whether letters may
    /// stand among them.
    pub(crate) fn digits(&self, least: usize, letters: bool) -> &[Range<usize>] {
        let least = least.min(MOST - 1);
        let (stretches, slots) =
            if letters { (&self.stretches, &self.digits) } else { (&self.bare, &self.bare_digits) };
        slots[least].get_or_init(|| {
            let mut windows: Vec<Range<usize>> = Vec::new();
            for (range, _) in stretches.iter().filter(|(_, digits)| *digits >= least) {
                let from = self.boundaries.down(range.start.saturating_sub(MARGIN));
                let to = self.boundaries.up((range.end + MARGIN).min(self.length));
                match windows.last_mut().filter(|w| w.end >= from) {
                    Some(last) => last.end = to,
                    None => windows.push(from..to),
                }
            }
            windows
        })
    }

    /// Runs of printable ASCII without a space.
    pub(crate) fn long(&self) -> &[Range<usize>] {
        &self.long
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches() {
        let text = "张伟的电话 138 0013 8000 and then much later on 7 or sk-abcdefghijklmnop";
        let runs = Runs::new(text);
        let of =
            |least| runs.digits(least, true).iter().map(|w| &text[w.clone()]).collect::<Vec<_>>();
        assert_eq!(of(12), Vec::<&str>::new());
        assert_eq!(of(11).len(), 1);
        assert!(of(11)[0].contains("138 0013 8000"));
        let hash = Runs::new("a1b2c3d4e5f6a7b8c9");
        assert_eq!((hash.digits(9, true).len(), hash.digits(2, false).len()), (1, 0));
        assert_eq!(
            runs.long().iter().map(|r| &text[r.clone()]).collect::<Vec<_>>(),
            ["sk-abcdefghijklmnop"]
        );
    }
}
