//! `Failure`: what went wrong, as a tagged value the window can translate and the command line can turn
//! into one sentence and an exit status. Libraries keep their own error enums and convert at the edge.

use std::collections::BTreeMap;

wire! {
    /// The kinds of failure a caller can act on.
    #[derive(Copy, Eq)]
    #[serde(rename_all = "snake_case")]
    pub enum FailureKind {
        /// The request itself is wrong.
        Usage,
        /// A file, conversation, model or entry that does not exist.
        NotFound,
        /// The input was opened, and nothing in it could be read.
        NothingReadable,
        /// Policy, a missing approval or a locked vault refuses it.
        Refused,
        /// A model is needed that is not installed.
        ModelMissing,
        /// The other end could not be reached, or answered with an error.
        Network,
        /// The user stopped it.
        Cancelled,
        /// Anything else: a full disk, a broken database, a fault of ours.
        Internal,
    }

    /// A failure with one clear sentence that says what to do. The sentence never quotes user content.
    #[derive(Eq, thiserror::Error)]
    #[error("{message}")]
    pub struct Failure {
        pub kind: FailureKind,
        /// A stable word for the window's translations, such as `vault_locked`; empty when there is none.
        #[serde(default)]
        pub code: String,
        pub message: String,
        /// The figures and names of the sentence, for the window's own words for `code`.
        #[serde(default)]
        pub values: BTreeMap<String, String>,
    }
}

impl FailureKind {
    /// The exit status of the command line: a contract that other people's scripts rely on.
    #[must_use]
    pub fn exit_status(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::NotFound => 3,
            Self::NothingReadable => 4,
            Self::Refused => 5,
            Self::ModelMissing => 6,
            Self::Network => 7,
            Self::Cancelled => 130,
            Self::Internal => 1,
        }
    }
}

impl Failure {
    #[must_use]
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, code: String::new(), message: message.into(), values: BTreeMap::new() }
    }

    #[must_use]
    pub fn coded(kind: FailureKind, code: &str, message: impl Into<String>) -> Self {
        Self { kind, code: code.to_owned(), message: message.into(), values: BTreeMap::new() }
    }

    /// The same with one more figure or name of its sentence.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.values.insert(name.to_owned(), value.to_string());
        self
    }

    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Usage, message)
    }

    #[must_use]
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(FailureKind::NotFound, message)
    }

    #[must_use]
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Refused, message)
    }

    #[must_use]
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Internal, message)
    }
}
