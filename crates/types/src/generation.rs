//! One generation: how to choose tokens, what form the text must have, and what came of it.

use crate::{Notice, Timings, Tokens};

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
    /// The form that the whole text must have.
    pub constraint: Option<Constraint>,
    /// Tell how likely each token was, with this many likeliest ones beside it.
    pub logprobs: Option<usize>,
    /// What the model may call, each as OpenAI's `{"type": "function", "function": {…}}`.
    pub tools: Vec<serde_json::Value>,
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
            constraint: None,
            logprobs: None,
            tools: Vec::new(),
        }
    }
}

/// A form that a text must have. Tokens that would leave it cannot be chosen.
#[derive(Clone, PartialEq)]
pub enum Constraint {
    /// JSON that is valid under this schema (JSON Schema 2020-12, as far as llguidance takes it).
    JsonSchema(serde_json::Value),
    /// A match of this regular expression, from beginning to end.
    Regex(String),
    /// A context-free grammar in llguidance's form of Lark, from its rule `start`.
    Lark(String),
}

impl std::fmt::Debug for Constraint {
    /// The kind alone: a form can quote the user's words.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::JsonSchema(_) => "JsonSchema",
            Self::Regex(_) => "Regex",
            Self::Lark(_) => "Lark",
        })
    }
}

/// Why a generation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishReason {
    /// The model said so, or the text has all of its form.
    Stop,
    /// `max_tokens` or the context was used up.
    Length,
    Cancelled,
}

/// A token with how likely the model found it, before sampling changed anything.
#[derive(Clone, PartialEq)]
pub struct TokenLogprob {
    pub token: TokenText,
    /// Natural logarithm of its probability. None for a text's first token.
    pub logprob: Option<f32>,
    /// The likeliest tokens at this place, likeliest first.
    pub top: Vec<(TokenText, f32)>,
}

/// The bytes of a token, which may be half a character.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenText(pub Vec<u8>);

impl std::fmt::Debug for TokenLogprob {
    /// Without the token: it is part of an answer.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TokenLogprob({:?})", self.logprob)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    pub tokens: Tokens,
    pub timings: Timings,
    pub finish: FinishReason,
    /// Said to the user: a fallback to the CPU …
    pub notices: Vec<Notice>,
    /// One for each token of the text, where they were asked for.
    pub logprobs: Vec<TokenLogprob>,
}
