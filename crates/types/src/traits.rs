//! The traits through which sibling crates meet. Implementations live in the rooms, fakes in `test-kit`.

use crate::{Cancel, EntityType, Failure, GenerateOptions, Generation, TokenLogprob, Turn};

/// A language model that is ready to run.
pub trait TextModel: Send {
    /// The catalog's name.
    fn name(&self) -> &str;
    /// `cpu`, or the adapter's name.
    fn device(&self) -> &str;
    /// Tokens that prompt and answer may take together.
    fn context_length(&self) -> usize;
    fn count_tokens(&self, text: &str) -> usize;
    /// Tokens of the turns as the model's chat template renders them, the answer's opening included.
    ///
    /// # Errors
    /// When the template refuses the turns.
    fn count_prompt(&self, turns: &[Turn]) -> Result<usize, Failure>;
    /// Writes the next assistant turn. If the last turn is the assistant's, it goes on writing that one.
    /// `on_text` gets whole characters only; `on_prefill` gets prompt tokens done and in all. Work ends
    /// within one token of a cancel.
    ///
    /// # Errors
    /// `Usage` with code `context_overflow` when prompt and one token do not fit, before any compute.
    fn generate(
        &mut self,
        turns: &[Turn],
        options: &GenerateOptions,
        cancel: &Cancel,
        on_prefill: &mut dyn FnMut(usize, usize),
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure>;
    /// Goes on writing a text that is no conversation: no chat template, and special tokens spelled in the
    /// text count as what they spell.
    ///
    /// # Errors
    /// As `generate`; `Usage` where the model answers conversations only.
    fn complete(
        &mut self,
        _text: &str,
        _options: &GenerateOptions,
        _cancel: &Cancel,
        _on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        Err(Failure::usage("This model answers conversations only."))
    }
    /// How likely the model finds each token of a text after those before it; the first has nothing before it
    /// and no figure. `top` likeliest tokens are listed beside each.
    ///
    /// # Errors
    /// `Cancelled`; `Usage` where the model cannot tell, or the text does not fit.
    fn score(
        &mut self,
        _text: &str,
        _top: usize,
        _cancel: &Cancel,
    ) -> Result<Vec<TokenLogprob>, Failure> {
        Err(Failure::usage("This model does not tell probabilities."))
    }
}

/// What a text is to be compared as: some models are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedderRole {
    /// What is looked for.
    Query,
    /// What may be found.
    Passage,
}

/// Turns texts into vectors of unit length.
pub trait Embedder: Send + Sync {
    fn dimensions(&self) -> usize;
    /// One vector a text, in the same order. A text beyond the model's length counts by its beginning.
    ///
    /// # Errors
    /// When the model fails on a text.
    fn embed(&self, role: EmbedderRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure>;
}

/// A name in a sentence. Offsets count code points of that sentence, `end` exclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Name {
    pub start: usize,
    pub end: usize,
    /// `Person`, `Org` or `Location`.
    pub kind: EntityType,
    /// 0 to 1.
    pub score: f32,
}

/// Finds names that no pattern can: people, organisations, places.
pub trait NameModel: Send + Sync {
    /// The names of each sentence, one list for each, in order. The caller splits a text into sentences of
    /// at most some hundred characters and leaves out those that can hold no name.
    ///
    /// # Errors
    /// When the model fails; the gate then refuses.
    fn names(&self, sentences: &[&str]) -> Result<Vec<Vec<Name>>, Failure>;
}

/// Seals small values under the user's key, for owners of data that have no database.
pub trait Seal: Send + Sync {
    /// `context` is authenticated and must be the same on opening.
    ///
    /// # Errors
    /// When the key is gone.
    fn seal(&self, context: &str, plain: &[u8]) -> Result<Vec<u8>, Failure>;
    /// # Errors
    /// When the key is wrong, the bytes were changed, or the context is another.
    fn open(&self, context: &str, sealed: &[u8]) -> Result<Vec<u8>, Failure>;
}

/// Keeps blocks of a KV cache beyond one process.
pub trait BlockStore: Send + Sync {
    fn get(&self, key: &[u8; 32]) -> Option<Vec<u8>>;
    /// # Errors
    /// When the disk is full.
    fn put(&self, key: [u8; 32], block: &[u8]) -> Result<(), Failure>;
}

/// The time, so that tests can choose it.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970 UTC.
    fn now_ms(&self) -> i64;
}

/// The machine's power, so that tests can pull the plug.
pub trait Power: Send + Sync {
    /// Percent when on battery, none on mains or where unknown.
    fn battery(&self) -> Option<u8>;
}
