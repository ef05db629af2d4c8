//! The traits through which sibling crates meet. Implementations live in the rooms, fakes in `test-kit`.

use crate::{Cancel, EntityType, Failure, Notice, Timings, Tokens, Turn};

/// How to sample. `temperature` 0 is greedy.
#[derive(Debug, Clone, PartialEq)]
pub struct GenerateOptions {
    pub max_tokens: usize,
    pub temperature: f32,
    /// 0 keeps all.
    pub top_k: usize,
    pub top_p: f32,
    pub min_p: f32,
    /// 1.0 is none.
    pub repetition_penalty: f32,
    pub seed: u64,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self {
            max_tokens: 512,
            temperature: 0.0,
            top_k: 40,
            top_p: 0.95,
            min_p: 0.05,
            repetition_penalty: 1.0,
            seed: 0,
        }
    }
}

/// Why a generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishReason {
    /// The model said so.
    Stop,
    /// `max_tokens` or the context was used up.
    Length,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    pub tokens: Tokens,
    pub timings: Timings,
    pub finish: FinishReason,
    /// Said to the user: a fallback to the CPU …
    pub notices: Vec<Notice>,
}

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
