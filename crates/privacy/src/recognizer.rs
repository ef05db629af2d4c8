//! What a recognizer is: a candidate pattern, a check, and the words around it that make it more or less
//! likely. Each family of recognizers is one file in `recognizers/`, a table of these values.
//!
//! Patterns run on the normalised text with the linear-time `regex` crate. Scores follow Presidio's idea:
//! a checksum settles a matter, a weak shape needs a word of context.

use std::ops::Range;

use nearside_types::EntityType;

/// Reported from this score on.
pub(crate) const THRESHOLD: u8 = 50;

/// When a pattern is worth running at all: decided for all recognizers by one pass over the text.
#[derive(Clone, Copy)]
pub(crate) enum Trigger {
    Always,
    /// At least this many ASCII digits near one another; the pattern runs only there.
    Digits(usize),
    /// A long run of signs without a space, as keys, hashes and addresses are; the pattern runs only there.
    Run,
    /// One of these stands somewhere in the text, in any case.
    Words(&'static [&'static str]),
    /// One of the context words stands in the text.
    Context,
}

/// What may not touch a candidate on either side.
#[derive(Clone, Copy)]
pub(crate) enum Edges {
    /// ASCII letters and digits, `_` beside a letter; a decimal point or comma with a digit behind it.
    Word,
    /// Digits, and a decimal point or comma with a digit behind it.
    Digit,
    /// The pattern sees to it.
    Free,
}

/// A candidate in the normalised text.
pub(crate) struct Candidate<'t> {
    pub(crate) whole: &'t str,
    pub(crate) range: Range<usize>,
}

impl<'t> Candidate<'t> {
    pub(crate) fn text(&self) -> &'t str {
        &self.whole[self.range.clone()]
    }
    pub(crate) fn before(&self) -> &'t str {
        &self.whole[..self.range.start]
    }
    pub(crate) fn after(&self) -> &'t str {
        &self.whole[self.range.end..]
    }
    /// The values of its ASCII digits.
    pub(crate) fn digits(&self) -> Vec<u32> {
        self.text().bytes().filter(u8::is_ascii_digit).map(|b| u32::from(b - b'0')).collect()
    }
    /// Its ASCII letters and digits, upper-cased.
    pub(crate) fn compact(&self) -> String {
        self.text()
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_uppercase())
            .collect()
    }
}

/// What a check says of a candidate.
pub(crate) enum Verdict {
    No,
    /// The shape is right; the recognizer's scores apply.
    Plausible,
    /// Settled, with the reason that the user sees.
    Sure(&'static str),
    /// As `Sure` or `Plausible`, for a part of the candidate only.
    Part {
        range: Range<usize>,
        sure: bool,
        why: &'static str,
    },
}

impl Verdict {
    pub(crate) fn sure_if(holds: bool, why: &'static str) -> Self {
        if holds { Self::Sure(why) } else { Self::No }
    }
    pub(crate) fn plausible_if(holds: bool) -> Self {
        if holds { Self::Plausible } else { Self::No }
    }
}

/// One recognizer. The entity is the pattern's first group where it has one; with an empty pattern, the
/// trigger words themselves are the candidates.
pub(crate) struct Recognizer {
    pub(crate) name: &'static str,
    pub(crate) kind: EntityType,
    pub(crate) pattern: &'static str,
    pub(crate) trigger: Trigger,
    pub(crate) edges: Edges,
    pub(crate) check: fn(&Candidate<'_>) -> Verdict,
    /// Words near it, before or after, that speak for it.
    pub(crate) context: &'static [&'static str],
    /// Words just before it that speak against it, unless a word speaks for it from nearer.
    pub(crate) against: &'static [&'static str],
    /// Without and with context.
    pub(crate) score: u8,
    pub(crate) in_context: u8,
    /// With `Trigger::Words` and `Trigger::Context`: bytes before and after such a word in which the pattern is
    /// looked for. Absent: the whole text for words, the reach of context for context.
    pub(crate) reach: Option<(usize, usize)>,
    /// The score of a `Sure` verdict without context; some checksums are too weak to stand alone.
    pub(crate) when_sure: u8,
}

impl Recognizer {
    /// The common case: a shape of digits whose checksum settles it.
    pub(crate) const BASE: Self = Self {
        name: "",
        kind: EntityType::NationalId,
        pattern: "",
        trigger: Trigger::Always,
        edges: Edges::Word,
        check: |_| Verdict::Plausible,
        context: &[],
        against: &[],
        score: 60,
        in_context: 85,
        when_sure: 95,
        reach: None,
    };
}
