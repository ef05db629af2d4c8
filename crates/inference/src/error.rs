//! `Error`: everything that can go wrong in this crate, each with a sentence that says what to do.
//!
//! No message quotes a prompt, an answer or any other content of the user's; names and numbers that come
//! out of a model file are shown shortened and escaped.

use nearside_types::{Failure, FailureKind};

/// This crate's errors. They become a [`Failure`] at the edge.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is not there, or may not be read.
    #[error("{path} cannot be opened ({source}); check the path and that you may read it")]
    Open { path: String, source: std::io::Error },
    /// The bytes are not a GGUF that this version reads; nothing of it was used.
    #[error("this model file cannot be used: {0}; fetch the model again or choose another file")]
    Gguf(String),
    /// Valid GGUF, but a key that is needed is missing or holds something else.
    #[error("this model file's metadata is not usable: {0}; choose another model")]
    Metadata(String),
    /// The vocabulary is of a kind that this version does not read, or contradicts itself.
    #[error("this model's tokenizer cannot be used: {0}; choose another model")]
    Tokenizer(String),
    /// The chat template is broken, or refuses the turns.
    #[error("this model's chat template failed: {0}")]
    Template(String),
    /// The form that an answer must have is not one that can be followed.
    #[error("the form asked of the answer cannot be followed: {0}")]
    Constraint(String),
    /// An architecture or tensor layout that this version cannot run.
    #[error("this model cannot be run: {0}; choose another model")]
    Unsupported(String),
    /// The engine to compare with is not there.
    #[error(
        "llama.cpp cannot be started to compare with; make a Python environment, run \
         `pip install xllamacpp` in it, and set NEARSIDE_BENCH_PYTHON to its python; or run \
         `npm install node-llama-cpp` in a folder and set NEARSIDE_BENCH_NODE to it"
    )]
    NoRival,
    /// The prompt and one more token do not fit.
    #[error(
        "the prompt has {prompt} tokens, and this model takes {context} with the answer; \
         shorten it or choose a model with a longer context"
    )]
    ContextOverflow { prompt: usize, context: usize },
    /// The device failed in a way that the CPU may survive.
    #[error("the device failed: {why}")]
    Device { why: String },
    /// A variable of the environment that is not one of its words.
    #[error("{0}")]
    Environment(String),
    /// No token could be chosen, because the logits are not numbers.
    #[error("the model computed no usable probabilities; verify the model file")]
    NotANumber,
    /// The user stopped the work.
    #[error("stopped")]
    Cancelled,
}

/// Results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (kind, code) = match &error {
            Error::Open { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                (FailureKind::NotFound, "model_file_missing")
            }
            Error::Open { .. } => (FailureKind::Internal, "model_file_unreadable"),
            Error::Gguf(_) => (FailureKind::NothingReadable, "model_file_damaged"),
            Error::Metadata(_) | Error::Tokenizer(_) | Error::Unsupported(_) => {
                (FailureKind::Usage, "model_unsupported")
            }
            Error::NoRival => (FailureKind::NotFound, "other_engine_missing"),
            Error::Template(_) => (FailureKind::Usage, "template_failed"),
            Error::Constraint(_) => (FailureKind::Usage, "constraint_failed"),
            Error::ContextOverflow { .. } => (FailureKind::Usage, "context_overflow"),
            Error::Device { .. } => (FailureKind::Internal, "device_failed"),
            Error::Environment(_) => (FailureKind::Usage, ""),
            Error::NotANumber => (FailureKind::Internal, "not_a_number"),
            Error::Cancelled => (FailureKind::Cancelled, "cancelled"),
        };
        let failure = Failure::coded(kind, code, error.to_string());
        match error {
            Error::ContextOverflow { prompt, context } => {
                failure.with("prompt", prompt).with("context", context)
            }
            _ => failure,
        }
    }
}
