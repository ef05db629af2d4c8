//! `EncoderTokenizer`: text to tokens with their places, from the `tokenizer.json` beside an encoder's
//! weights. Unigram (XLM-R) and WordPiece (BERT) are read; other kinds are refused by name. Control tokens
//! never come out of text: they are added around it.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use super::unigram::Unigram;
use super::wordpiece::WordPiece;
use crate::tokenizer::TokenId;
use crate::{Error, Result};

/// Larger files are not read: the vocabulary of XLM-R takes 9 MB.
const LARGEST_FILE: u64 = 64 * 1024 * 1024;

/// The tokens of a text, control tokens included, and the code points that each stands for, `end`
/// exclusive. A token that stands for none has an empty range.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EncodedText {
    pub ids: Vec<TokenId>,
    pub places: Vec<(u32, u32)>,
}

impl EncodedText {
    pub(super) fn push(&mut self, id: TokenId, start: u32, end: u32) {
        self.ids.push(id);
        self.places.push((start, end));
    }
}

/// An encoder's tokenizer. Immutable; share it in an `Arc`.
#[derive(Debug)]
pub struct EncoderTokenizer {
    kind: Kind,
    begin: TokenId,
    end: TokenId,
    vocabulary: usize,
}

#[derive(Debug)]
enum Kind {
    Unigram(Unigram),
    WordPiece(Box<WordPiece>),
}

impl EncoderTokenizer {
    /// # Errors
    /// [`Error::Open`] when the file cannot be read, [`Error::Tokenizer`] when it is not one of the kinds.
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |source| Error::Open { path: path.display().to_string(), source };
        if std::fs::metadata(path).map_err(failed)?.len() > LARGEST_FILE {
            return Err(Error::Tokenizer("its file is larger than any vocabulary".to_owned()));
        }
        Self::from_json(&std::fs::read(path).map_err(failed)?)
    }

    /// # Errors
    /// [`Error::Tokenizer`] when the bytes are not a tokenizer of the kinds that are read.
    pub fn from_json(json: &[u8]) -> Result<Self> {
        let refused = |what: &str| Error::Tokenizer(what.to_owned());
        let file: File = serde_json::from_slice(json)
            .map_err(|_| refused("it is not the JSON of a Unigram or WordPiece tokenizer"))?;
        let control: HashMap<&str, TokenId> = file
            .added_tokens
            .iter()
            .filter(|token| token.special)
            .map(|token| (token.content.as_str(), token.id))
            .collect();
        let is_control = |id: TokenId| control.values().any(|other| *other == id);
        let find = |names: [&str; 2]| {
            names
                .iter()
                .find_map(|name| control.get(name).copied())
                .ok_or_else(|| refused("it has no tokens for the beginning and the end of a text"))
        };
        let (kind, vocabulary) = match &file.model {
            Model::Unigram { unk_id, vocab } => {
                if vocab.iter().any(|(_, score)| !score.is_finite())
                    || *unk_id as usize >= vocab.len()
                {
                    return Err(refused("its scores or its unknown token are not usable"));
                }
                (Kind::Unigram(Unigram::new(vocab, *unk_id, is_control)), vocab.len())
            }
            Model::WordPiece { unk_token, vocab } => {
                let unknown =
                    *vocab.get(unk_token).ok_or_else(|| refused("its unknown token is missing"))?;
                let lowercase = file.normalizer.as_ref().and_then(|n| n.lowercase).unwrap_or(false);
                let pieces: Vec<(String, TokenId)> =
                    vocab.iter().map(|(piece, id)| (piece.clone(), *id)).collect();
                let rows = pieces.iter().map(|(_, id)| *id as usize + 1).max().unwrap_or(0);
                let kind = WordPiece::new(&pieces, unknown, lowercase, is_control)?;
                (Kind::WordPiece(Box::new(kind)), rows)
            }
        };
        Ok(Self { kind, begin: find(["<s>", "[CLS]"])?, end: find(["</s>", "[SEP]"])?, vocabulary })
    }

    /// Every token is smaller.
    #[must_use]
    pub fn vocab_size(&self) -> usize {
        self.vocabulary
    }

    /// The tokens of `text` between those for its beginning and its end, at most `longest` in all: what does
    /// not fit is left out at the end.
    #[must_use]
    pub fn encode(&self, text: &str, longest: usize) -> EncodedText {
        let mut out = EncodedText::default();
        out.push(self.begin, 0, 0);
        match &self.kind {
            Kind::Unigram(unigram) => unigram.encode(text, &mut out),
            Kind::WordPiece(wordpiece) => wordpiece.encode(text, &mut out),
        }
        let room = longest.max(2) - 1;
        out.ids.truncate(room);
        out.places.truncate(room);
        let last = out.places.last().map_or(0, |place| place.1);
        out.push(self.end, last, last);
        out
    }
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    normalizer: Option<Normalizer>,
    model: Model,
}

#[derive(Deserialize)]
struct AddedToken {
    id: TokenId,
    content: String,
    #[serde(default)]
    special: bool,
}

#[derive(Deserialize)]
struct Normalizer {
    lowercase: Option<bool>,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Model {
    Unigram { unk_id: TokenId, vocab: Vec<(String, f64)> },
    WordPiece { unk_token: String, vocab: HashMap<String, TokenId> },
}
