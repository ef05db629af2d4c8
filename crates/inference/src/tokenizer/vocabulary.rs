//! `Vocabulary`: the tokens of a model, their bytes and what kind they are.

use crate::gguf::GgufFile;
use crate::{Error, Result};

use super::TokenId;
use super::byte_text::ByteText;

/// Twice what the biggest vocabularies have; a file that claims more is not a language model.
const MOST_TOKENS: usize = 1 << 20;

/// Tokens that end a model's turn, by the names that model families give them. A file may declare further
/// ones by id.
const END_NAMES: [&str; 18] = [
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|eom_id|>",
    "<|EOT|>",
    "<|END_OF_TURN_TOKEN|>",
    "<｜end▁of▁sentence｜>",
    "<|fim_pad|>",
    "<|file_sep|>",
    "<|repo_name|>",
    "<EOT>",
    "<eos>",
    "</s>",
];

/// What a token is for, from `tokenizer.ggml.token_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A piece of text.
    Normal,
    /// Stands for what the vocabulary cannot spell.
    Unknown,
    /// Marks turns and ends: has a meaning, is never shown.
    Control,
    /// Text that is always one token where it is recognised, such as `<tool_call>`.
    UserDefined,
    Unused,
    Byte,
}

impl TokenKind {
    fn numbered(number: i32) -> Option<Self> {
        Some(match number {
            1 => Self::Normal,
            2 => Self::Unknown,
            3 => Self::Control,
            4 => Self::UserDefined,
            5 => Self::Unused,
            6 => Self::Byte,
            _ => return None,
        })
    }

    /// Whether the token's text is matched as it stands rather than spelled in the byte alphabet.
    pub(super) fn is_literal(self) -> bool {
        matches!(self, Self::Unknown | Self::Control | Self::UserDefined)
    }
}

pub(super) struct Vocabulary {
    /// The bytes of all tokens, one after the other.
    bytes: Vec<u8>,
    /// Where each token's bytes end.
    ends: Vec<u32>,
    kinds: Vec<TokenKind>,
    /// Tokens that end a generation, sorted.
    pub(super) ends_generation: Vec<TokenId>,
    pub(super) bos: Option<TokenId>,
    pub(super) eos: Option<TokenId>,
    pub(super) eot: Option<TokenId>,
}

impl Vocabulary {
    /// Also returns the tokens' texts as the file spells them.
    pub(super) fn read<'f>(file: &'f GgufFile, letters: &ByteText) -> Result<(Self, Vec<&'f str>)> {
        let texts: Vec<&str> = file.need("tokenizer.ggml.tokens")?;
        if texts.is_empty() || texts.len() > MOST_TOKENS {
            let count = texts.len();
            return Err(Error::Tokenizer(format!("it has {count} tokens")));
        }
        let mut kinds = read_kinds(file, texts.len())?;
        let mut vocabulary = Self {
            bytes: Vec::new(),
            ends: Vec::with_capacity(texts.len()),
            kinds: Vec::new(),
            ends_generation: Vec::new(),
            bos: special(file, "bos", texts.len())?,
            eos: special(file, "eos", texts.len())?,
            eot: special(file, "eot", texts.len())?,
        };
        let eom = special(file, "eom", texts.len())?;
        for (id, text) in (0..).zip(&texts) {
            if END_NAMES.contains(text) {
                vocabulary.ends_generation.push(id);
                // Some files declare these as ordinary text, and would show them.
                kinds[id as usize] = TokenKind::Control;
            }
            if kinds[id as usize].is_literal() {
                vocabulary.bytes.extend(text.as_bytes());
            } else {
                letters.spell_out(text, &mut vocabulary.bytes);
            }
            let end = u32::try_from(vocabulary.bytes.len());
            vocabulary.ends.push(end.map_err(|_| Error::Tokenizer("it is too big".to_owned()))?);
        }
        vocabulary
            .ends_generation
            .extend([vocabulary.eos, vocabulary.eot, eom].into_iter().flatten());
        vocabulary.ends_generation.sort_unstable();
        vocabulary.ends_generation.dedup();
        vocabulary.kinds = kinds;
        Ok((vocabulary, texts))
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of a token; empty for an id that the vocabulary does not have.
    pub(super) fn piece(&self, id: TokenId) -> &[u8] {
        let at = id as usize;
        let Some(end) = self.ends.get(at) else { return &[] };
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..*end as usize]
    }

    pub(super) fn kind(&self, id: TokenId) -> Option<TokenKind> {
        self.kinds.get(id as usize).copied()
    }
}

fn read_kinds(file: &GgufFile, count: usize) -> Result<Vec<TokenKind>> {
    let Some(numbers) = file.get::<Vec<i32>>("tokenizer.ggml.token_type")? else {
        return Ok(vec![TokenKind::Normal; count]);
    };
    if numbers.len() != count {
        let kinds = numbers.len();
        return Err(Error::Tokenizer(format!("it has {count} tokens and {kinds} token types")));
    }
    let kinds = numbers.into_iter().map(|number| {
        TokenKind::numbered(number)
            .ok_or_else(|| Error::Tokenizer(format!("it has a token of the unknown type {number}")))
    });
    kinds.collect()
}

/// The id under `tokenizer.ggml.<name>_token_id`.
fn special(file: &GgufFile, name: &str, count: usize) -> Result<Option<TokenId>> {
    let key = format!("tokenizer.ggml.{name}_token_id");
    let id = file.get::<u32>(&key)?;
    match id {
        Some(id) if id as usize >= count => {
            Err(Error::Tokenizer(format!("{key} is {id}, and there are {count} tokens")))
        }
        id => Ok(id),
    }
}
