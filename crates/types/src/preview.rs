//! The preview: what is about to leave, beside what it was made from.

use crate::{Action, PreviewId, Role, Span, UserText};

wire! {
    /// One outgoing message beside its original.
    pub struct PreviewBlock {
        pub role: Role,
        pub original: UserText,
        /// The text the cloud will see, placeholders included.
        pub outgoing: UserText,
        /// Offsets into `original`.
        pub spans: Vec<Span>,
    }

    /// A request that waits for approval. Nothing is ever sent on a timer.
    pub struct Preview {
        pub id: PreviewId,
        /// Host of the endpoint, e.g. `api.example.com`.
        pub destination: String,
        pub model: String,
        pub blocks: Vec<PreviewBlock>,
        /// The exact body that will be sent, as text.
        pub body: String,
        pub bytes: u64,
        pub sha256: String,
        /// Whether the name model looked for people; without it, rules alone did.
        pub name_model: bool,
        /// What is kept and, taken together, may still point at one person.
        pub leaks: Vec<Leak>,
    }

    /// Facts of one message that together may point at one person (Sweeney 2000).
    #[derive(Eq)]
    pub struct Leak {
        /// Index of the message.
        pub block: usize,
        /// Code points of the original, from the first fact to the last.
        pub start: usize,
        pub end: usize,
        /// What came together, in order, each once.
        pub facts: Vec<Fact>,
    }

    /// A kind of fact that narrows down who is meant.
    #[derive(Copy, Eq, PartialOrd, Ord, Hash)]
    #[serde(rename_all = "snake_case")]
    pub enum Fact {
        Role,
        Employer,
        Place,
        Age,
        Day,
        Group,
    }

    /// The user's choice for one entity: the value in all its places, in every block.
    #[derive(Eq)]
    pub struct EntityEdit {
        pub block: usize,
        /// Index into that block's `spans`.
        pub span: usize,
        pub action: Action,
        /// For `edit`: what to send instead.
        pub replacement: Option<String>,
    }
}

impl Fact {
    /// In English.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Role => "a role",
            Self::Employer => "an employer",
            Self::Place => "a place",
            Self::Age => "an age",
            Self::Day => "a day",
            Self::Group => "a nationality or group",
        }
    }
}
