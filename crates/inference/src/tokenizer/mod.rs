//! `Tokenizer`: text to tokens and back, built from the vocabulary that a GGUF file carries.
//!
//! Byte-level BPE (`tokenizer.ggml.model` = `gpt2`) with the pre-tokenizers of SmolLM, Qwen2, Llama 3 and
//! GPT-2; other kinds are refused by name. Text is taken as it is: no normalisation, nothing trimmed, no
//! space added in front. What a text spells is not what it means: a control token comes out only of text
//! that the caller declares to be a template's, see [`Specials`].

mod byte_text;
mod classes;
mod merges;
pub mod sample;
mod specials;
mod split;
#[cfg(test)]
pub(crate) mod tests;
mod vocabulary;

use std::collections::HashMap;

use crate::gguf::GgufFile;
use crate::stream::Utf8Stream;
use crate::template::Prompt;
use crate::{Error, Result};

use byte_text::ByteText;
use classes::Classes;
use merges::{Merges, NONE, Scratch};
pub use specials::Specials;
use specials::{Part, SpecialTexts};
use split::Style;
pub use vocabulary::TokenKind;
use vocabulary::Vocabulary;

/// A token: the row of the embedding table that it stands for.
pub type TokenId = u32;

/// A model's tokenizer. Immutable; share it in an `Arc`.
pub struct Tokenizer {
    vocabulary: Vocabulary,
    specials: SpecialTexts,
    merges: Merges,
    style: Style,
    classes: Classes,
    /// The token of each byte.
    byte_tokens: [TokenId; 256],
    /// For models that take a whole word as its token before they merge (llama3's `ignore_merges`).
    whole_words: HashMap<Box<[u8]>, TokenId>,
    add_bos: bool,
}

impl Tokenizer {
    /// # Errors
    /// [`Error::Metadata`] when the file carries no vocabulary, [`Error::Tokenizer`] when it is of a kind
    /// that is not read or contradicts itself.
    pub fn from_gguf(file: &GgufFile) -> Result<Self> {
        let model: &str = file.need("tokenizer.ggml.model")?;
        if model != "gpt2" {
            return Err(Error::Tokenizer(format!(
                "it is of the kind {:?}, and byte-level BPE (\"gpt2\") is what is read",
                shortened(model)
            )));
        }
        Self::cutting_by(file, file.get("tokenizer.ggml.pre")?.unwrap_or("gpt-2"))
    }

    /// The tokenizer with the pre-tokenizer of this name.
    fn cutting_by(file: &GgufFile, pre: &str) -> Result<Self> {
        let style = Style::named(pre).ok_or_else(|| {
            Error::Tokenizer(format!(
                "it cuts words by {:?}, which is not known; smollm, qwen2, llama-bpe and gpt-2 are",
                shortened(pre)
            ))
        })?;
        let letters = ByteText::new();
        let (vocabulary, texts) = Vocabulary::read(file, &letters)?;
        let is_llama3 = style == Style::Llama3 { longest_number: 3 };

        // Control tokens are left out: no merge and no whole word may ever become one.
        let spelled: HashMap<&str, TokenId> = (0..)
            .zip(&texts)
            .filter(|(id, _)| {
                !matches!(
                    vocabulary.kind(*id),
                    Some(TokenKind::Control | TokenKind::Unknown | TokenKind::Unused)
                )
            })
            .map(|(id, text)| (*text, id))
            .collect();
        let mut byte_tokens = [NONE; 256];
        for byte in 0..=u8::MAX {
            let letter = letters.letter(byte);
            let mut room = [0; 4];
            let text: &str = letter.encode_utf8(&mut room);
            byte_tokens[usize::from(byte)] = spelled.get(text).copied().unwrap_or(NONE);
        }
        let whole_words = if is_llama3 {
            spelled.values().map(|id| (vocabulary.piece(*id).into(), *id)).collect()
        } else {
            HashMap::new()
        };
        let add_bos = file.get("tokenizer.ggml.add_bos_token")?.unwrap_or(is_llama3);
        Ok(Self {
            merges: read_merges(file, &spelled)?,
            specials: SpecialTexts::new(&vocabulary)?,
            vocabulary,
            style,
            classes: Classes::new()?,
            byte_tokens,
            whole_words,
            add_bos,
        })
    }

    /// Number of tokens; every id is smaller.
    #[must_use]
    pub fn vocab_size(&self) -> usize {
        self.vocabulary.len()
    }

    /// The tokens of a text, with no token added in front or behind.
    #[must_use]
    pub fn encode(&self, text: &str, specials: Specials) -> Vec<TokenId> {
        // Three bytes a token is what dense scripts come to; it only saves growing.
        let mut tokens = Vec::with_capacity(text.len() / 3 + 1);
        let mut scratch = Scratch::default();
        self.specials.parts(text, specials, |part| match part {
            Part::Token(id) => tokens.push(id),
            Part::Text(text) => self.encode_text(text, &mut scratch, &mut tokens),
        });
        tokens
    }

    /// The tokens of a rendered prompt, with the model's token for the beginning where it wants one.
    /// Control tokens come from the template's own text only, never from what the turns say.
    #[must_use]
    pub fn encode_prompt(&self, prompt: &Prompt) -> Vec<TokenId> {
        let mut tokens = Vec::with_capacity(prompt.guarded().len() / 3 + 1);
        let mut scratch = Scratch::default();
        self.specials.parts(prompt.guarded(), Specials::All, |part| match part {
            Part::Token(id) => tokens.push(id),
            Part::Text(text) => {
                self.encode_text(&prompt.without_guards(text), &mut scratch, &mut tokens);
            }
        });
        if self.add_bos
            && let Some(bos) = self.vocabulary.bos
            && tokens.first() != Some(&bos)
        {
            tokens.insert(0, bos);
        }
        tokens
    }

    /// Tokens that the text takes as somebody's words.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        self.encode(text, Specials::Never).len()
    }

    fn encode_text(&self, text: &str, scratch: &mut Scratch, tokens: &mut Vec<TokenId>) {
        self.style.words(&self.classes, text, |word| {
            if let Some(id) = self.whole_words.get(word.as_bytes()) {
                tokens.push(*id);
                return;
            }
            scratch.tokens.clear();
            scratch.tokens.extend(word.bytes().map(|byte| self.byte_tokens[usize::from(byte)]));
            self.merges.merge(scratch, tokens);
        });
    }

    /// The text of tokens; control tokens are left out, bytes that are no UTF-8 become U+FFFD.
    #[must_use]
    pub fn decode(&self, tokens: &[TokenId]) -> String {
        let mut text = String::new();
        let mut stream = Utf8Stream::default();
        for id in tokens {
            stream.push(self.shown_piece(*id), &mut text);
        }
        stream.finish(&mut text);
        text
    }

    /// The bytes of a token, of control tokens the spelling. Empty for an unknown id.
    #[must_use]
    pub fn piece(&self, id: TokenId) -> &[u8] {
        self.vocabulary.piece(id)
    }

    /// The bytes that a reader sees of a token: none of control tokens.
    #[must_use]
    pub fn shown_piece(&self, id: TokenId) -> &[u8] {
        match self.vocabulary.kind(id) {
            None | Some(TokenKind::Control | TokenKind::Unknown | TokenKind::Unused) => &[],
            Some(_) => self.vocabulary.piece(id),
        }
    }

    #[must_use]
    pub fn kind(&self, id: TokenId) -> Option<TokenKind> {
        self.vocabulary.kind(id)
    }

    /// The special token that is spelled like this.
    #[must_use]
    pub fn special(&self, spelling: &str) -> Option<TokenId> {
        let ids = self.specials.ids().iter();
        ids.copied().find(|id| self.piece(*id) == spelling.as_bytes())
    }

    /// The spellings of all special tokens.
    pub(crate) fn special_spellings(&self) -> impl Iterator<Item = (TokenKind, &str)> {
        self.specials
            .ids()
            .iter()
            .filter_map(|id| Some((self.kind(*id)?, std::str::from_utf8(self.piece(*id)).ok()?)))
    }

    /// Whether the model has finished when it chooses this token.
    #[must_use]
    pub fn ends_generation(&self, id: TokenId) -> bool {
        self.vocabulary.ends_generation.binary_search(&id).is_ok()
    }

    /// Every token that ends a generation, sorted.
    #[must_use]
    pub fn end_tokens(&self) -> &[TokenId] {
        &self.vocabulary.ends_generation
    }

    /// The token that begins a text.
    #[must_use]
    pub fn bos(&self) -> Option<TokenId> {
        self.vocabulary.bos
    }

    /// The token that ends a text.
    #[must_use]
    pub fn eos(&self) -> Option<TokenId> {
        self.vocabulary.eos
    }

    /// The token that ends a turn, where the file declares one of its own.
    #[must_use]
    pub fn eot(&self) -> Option<TokenId> {
        self.vocabulary.eot
    }

    /// Whether prompts start with [`Self::bos`].
    #[must_use]
    pub fn adds_bos(&self) -> bool {
        self.add_bos
    }
}

impl std::fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tokenizer({} tokens, {:?})", self.vocab_size(), self.style)
    }
}

/// The rules of `tokenizer.ggml.merges`, each two spellings with a space between. Rules that name a
/// spelling which is no token can never apply and are left out.
fn read_merges(file: &GgufFile, spelled: &HashMap<&str, TokenId>) -> Result<Merges> {
    let rules: Vec<&str> = file.need("tokenizer.ggml.merges")?;
    let mut merges = Merges::with_capacity(rules.len());
    let mut joined = String::new();
    for (rank, rule) in (0..).zip(&rules) {
        // The alphabet has no space, so the first one that is not at the start is the separator.
        let separator = rule.char_indices().skip(1).find(|(_, letter)| *letter == ' ');
        let Some((at, _)) = separator else {
            return Err(Error::Tokenizer(format!("its merge rule {rank} is not two tokens")));
        };
        let (left, right) = (&rule[..at], &rule[at + 1..]);
        joined.clear();
        joined.push_str(left);
        joined.push_str(right);
        let ids = (spelled.get(left), spelled.get(right), spelled.get(joined.as_str()));
        if let (Some(left), Some(right), Some(becomes)) = ids {
            merges.add((*left, *right), rank, *becomes);
        }
    }
    Ok(merges)
}

/// A name out of the file, short enough for a message.
fn shortened(name: &str) -> String {
    name.chars().take(40).collect()
}
