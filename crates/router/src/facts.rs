//! What the router is told. Counts and kinds only: the text itself is read by `Features` before, and no
//! content is kept here.

use nearside_types::{EntityCount, EntityType, RouteChoice};
use serde::{Deserialize, Serialize};

use crate::Features;

/// What kind of work is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// A question or a request in words.
    #[default]
    Chat,
    /// A question about files of this machine.
    AskFiles,
    /// Splits by itself: the local context does not limit it.
    Summarize,
    Translate,
    Rewrite,
    Code,
    /// Works on the sound of this machine and has no far form.
    Transcribe,
}

/// The request.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Request {
    pub choice: RouteChoice,
    pub task: TaskKind,
    /// Tokens of the prompt as the local template renders it, files included.
    pub prompt_tokens: u64,
    /// Tokens that the answer may take.
    pub answer_tokens: u64,
    /// What was found in it, by type.
    pub entities: Vec<EntityCount>,
    pub features: Features,
}

/// The local model that would answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalModel {
    pub name: String,
    /// Tokens of prompt and answer together.
    pub context_length: u64,
    /// In millions; 500 is half a billion.
    pub parameters_millions: u64,
}

/// The machine now.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceFacts {
    /// None where no local model is installed.
    pub model: Option<LocalModel>,
    /// Whether the network is up.
    pub online: bool,
    /// Percent when on battery.
    pub battery: Option<u8>,
}

/// The far model that is set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloudModel {
    pub name: String,
    pub context_length: u64,
}

/// What the user has set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyFacts {
    /// Nothing leaves.
    pub local_only: bool,
    pub cloud: Option<CloudModel>,
    /// Kinds whose presence keeps a request here, even masked.
    pub never: Vec<EntityType>,
    /// Kinds of work that can be split between both ends.
    pub joint: Vec<TaskKind>,
}
