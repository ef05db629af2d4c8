//! Tasks: answering and summarising, on this machine or through the gate. A task keeps nothing; storing a
//! conversation around it is `send`'s.

mod approval;
mod compose;
mod local;
mod remote;
mod summary;
mod verified;

#[cfg(test)]
mod tests;

use nearside_types::{
    Citation, Coverage, DeviceChoice, Failure, FinishReason, GenerateOptions, Notice, Provider,
    Role, RouteChoice, Timings, Tokens, Turn, UserText,
};

use nearside_vault::Secret;

pub use approval::{Approver, Verdict};
pub(crate) use compose::{Composed, compose, far_turns};
pub(crate) use local::{Place, answer_locally, summarise_locally};
pub(crate) use remote::{Far, FarOutcome, answer_remotely};
pub(crate) use summary::{nothing_readable, summarise_without_model};

use crate::document::Document;

/// One turn, with the documents that were dropped with it.
#[derive(Debug, Clone)]
pub struct Said {
    pub role: Role,
    pub content: UserText,
    pub documents: Vec<Document>,
}

impl Said {
    /// A question without files.
    #[must_use]
    pub fn user(text: impl Into<UserText>) -> Self {
        Self { role: Role::User, content: text.into(), documents: Vec::new() }
    }
}

/// How a task is to run.
#[derive(Debug)]
pub struct TaskOptions {
    pub route: RouteChoice,
    pub model: Option<String>,
    pub device: DeviceChoice,
    pub max_tokens: usize,
    pub temperature: f32,
    pub seed: u64,
    /// A provider for this task only, instead of the settings'.
    pub provider: Option<Provider>,
    /// Its key, instead of the stored one.
    pub api_key: Option<Secret<String>>,
}

impl Default for TaskOptions {
    fn default() -> Self {
        Self {
            route: RouteChoice::Auto,
            model: None,
            device: DeviceChoice::Auto,
            max_tokens: 512,
            temperature: 0.0,
            seed: 0,
            provider: None,
            api_key: None,
        }
    }
}

impl TaskOptions {
    /// Sampling for an answer. A slight penalty keeps small models from going round in circles.
    fn generate(&self) -> GenerateOptions {
        GenerateOptions {
            max_tokens: self.max_tokens,
            temperature: self.temperature,
            repetition_penalty: 1.05,
            seed: self.seed,
            ..GenerateOptions::default()
        }
    }
}

/// What a task wrote, and all that is true about it. `failure` says why it broke off; the text up to there
/// is kept.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) finish: Option<FinishReason>,
    pub(crate) model: String,
    pub(crate) device: String,
    pub(crate) tokens: Tokens,
    pub(crate) timings: Timings,
    pub(crate) citations: Vec<Citation>,
    pub(crate) coverage: Option<Coverage>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) failure: Option<Failure>,
}

/// All documents of a task, in the order of the turns.
pub(crate) fn documents(said: &[Said]) -> Vec<Document> {
    said.iter().flat_map(|turn| turn.documents.iter().cloned()).collect()
}

/// The last thing that the user said.
pub(crate) fn question(said: &[Said]) -> &str {
    said.iter().rev().find(|turn| turn.role == Role::User).map_or("", |turn| &turn.content)
}

/// Whether the last question asks for a summary of its documents rather than for something in them: it
/// says nothing but that, or the file was dropped without a word.
pub(crate) fn asks_for_summary(said: &[Said]) -> bool {
    let Some(last) = said.last().filter(|turn| turn.role == Role::User) else { return false };
    if !said.iter().any(|turn| turn.documents.iter().any(Document::is_readable)) {
        return false;
    }
    let text = last.content.trim().to_lowercase();
    if text.is_empty() {
        return !last.documents.is_empty();
    }
    const WORDS: [&str; 9] =
        ["summar", "tl;dr", "tldr", "总结", "概括", "摘要", "总括", "概述", "小结"];
    text.chars().count() <= 80 && WORDS.iter().any(|word| text.contains(word))
}

fn turn(role: Role, content: impl Into<UserText>) -> Turn {
    Turn { role, content: content.into() }
}
