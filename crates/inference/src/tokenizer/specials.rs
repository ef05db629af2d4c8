//! `SpecialTexts`: finds the tokens that are written out in a text, such as `<|im_end|>`.
//!
//! Whether they may be found is the caller's decision for each text: see [`Specials`].

use aho_corasick::{AhoCorasick, MatchKind};

use crate::{Error, Result};

use super::TokenId;
use super::vocabulary::{TokenKind, Vocabulary};

/// Which tokens may be recognised by their spelling in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Specials {
    /// None: the text is somebody's words. Whatever it spells, it becomes ordinary pieces of text.
    Never,
    /// Those that a model writes as part of its text, such as `<tool_call>`, but none that rule turns.
    UserDefined,
    /// All. Only for text that we or the model's own template wrote.
    All,
}

/// A part of a text.
pub(super) enum Part<'t> {
    Text(&'t str),
    Token(TokenId),
}

pub(super) struct SpecialTexts {
    all: Finder,
    user_defined: Finder,
}

/// The longest token that starts furthest left wins.
struct Finder {
    automaton: Option<AhoCorasick>,
    ids: Vec<TokenId>,
}

impl Finder {
    fn new(vocabulary: &Vocabulary, ids: Vec<TokenId>) -> Result<Self> {
        if ids.is_empty() {
            return Ok(Self { automaton: None, ids });
        }
        let texts = ids.iter().map(|id| vocabulary.piece(*id));
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(texts)
            .map_err(|_| Error::Tokenizer("its special tokens are too many".to_owned()))?;
        Ok(Self { automaton: Some(automaton), ids })
    }
}

impl SpecialTexts {
    pub(super) fn new(vocabulary: &Vocabulary) -> Result<Self> {
        let ids = |wanted: fn(TokenKind) -> bool| {
            let all = 0..u32::try_from(vocabulary.len()).unwrap_or(u32::MAX);
            all.filter(|id| vocabulary.kind(*id).is_some_and(wanted))
                .filter(|id| !vocabulary.piece(*id).is_empty())
                .collect()
        };
        Ok(Self {
            all: Finder::new(vocabulary, ids(TokenKind::is_literal))?,
            user_defined: Finder::new(vocabulary, ids(|kind| kind == TokenKind::UserDefined))?,
        })
    }

    /// The ids of every token that is found by its spelling.
    pub(super) fn ids(&self) -> &[TokenId] {
        &self.all.ids
    }

    /// Cuts the text at the tokens that it spells.
    pub(super) fn parts<'t>(&self, text: &'t str, which: Specials, mut part: impl FnMut(Part<'t>)) {
        let finder = match which {
            Specials::Never => None,
            Specials::UserDefined => Some(&self.user_defined),
            Specials::All => Some(&self.all),
        };
        let mut start = 0;
        if let Some(Finder { automaton: Some(automaton), ids }) = finder {
            for found in automaton.find_iter(text) {
                if found.start() > start {
                    part(Part::Text(&text[start..found.start()]));
                }
                part(Part::Token(ids[found.pattern().as_usize()]));
                start = found.end();
            }
        }
        if start < text.len() {
            part(Part::Text(&text[start..]));
        }
    }
}
