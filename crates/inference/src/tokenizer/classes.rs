//! `Classes`: the general categories that pre-tokenizers tell apart, `\p{L}`, `\p{N}` and `\s`.
//!
//! The standard library's `is_alphabetic` is a wider property than `\p{L}` (it counts many combining
//! marks), so the ranges come from regex-syntax's tables.

use regex_syntax::hir::{Class as HirClass, HirKind};

use crate::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Letter,
    Number,
    White,
    /// Punctuation, symbols, marks, controls and what is not assigned.
    Other,
}

pub(super) struct Classes {
    ascii: [Class; 128],
    /// Sorted and apart: first and last character, and their class.
    ranges: Vec<(char, char, Class)>,
}

impl Classes {
    pub(super) fn new() -> Result<Self> {
        let mut ranges = Vec::new();
        for (pattern, class) in [(r"\p{L}", Class::Letter), (r"\p{N}", Class::Number)] {
            let parsed = regex_syntax::parse(pattern);
            let Ok(HirKind::Class(HirClass::Unicode(set))) = parsed.as_ref().map(|hir| hir.kind())
            else {
                return Err(Error::Tokenizer("the Unicode tables are missing".to_owned()));
            };
            ranges.extend(set.iter().map(|range| (range.start(), range.end(), class)));
        }
        ranges.sort_unstable_by_key(|range| range.0);
        let mut classes = Self { ascii: [Class::Other; 128], ranges };
        for code in 0..128_u8 {
            classes.ascii[usize::from(code)] = classes.search(char::from(code));
        }
        Ok(classes)
    }

    fn search(&self, letter: char) -> Class {
        let after = self.ranges.partition_point(|range| range.0 <= letter);
        match after.checked_sub(1).map(|at| self.ranges[at]) {
            Some((_, last, class)) if letter <= last => class,
            _ if letter.is_whitespace() => Class::White,
            _ => Class::Other,
        }
    }

    #[inline]
    pub(super) fn of(&self, letter: char) -> Class {
        match self.ascii.get(letter as usize) {
            Some(class) => *class,
            None => self.search(letter),
        }
    }
}
