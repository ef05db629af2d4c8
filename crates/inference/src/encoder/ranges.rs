//! `Ranges`: a Unicode category as sorted ranges, from regex-syntax's tables.

use regex_syntax::hir::{Class, HirKind};

use crate::{Error, Result};

#[derive(Debug)]
pub(super) struct Ranges(Vec<(char, char)>);

impl Ranges {
    /// `pattern` is a class such as `\p{P}`.
    pub(super) fn new(pattern: &str) -> Result<Self> {
        let parsed = regex_syntax::parse(pattern);
        let Ok(HirKind::Class(Class::Unicode(set))) = parsed.as_ref().map(|hir| hir.kind()) else {
            return Err(Error::Tokenizer("the Unicode tables are missing".to_owned()));
        };
        Ok(Self(set.iter().map(|range| (range.start(), range.end())).collect()))
    }

    pub(super) fn contains(&self, letter: char) -> bool {
        let after = self.0.partition_point(|range| range.0 <= letter);
        after.checked_sub(1).is_some_and(|at| letter <= self.0[at].1)
    }
}
