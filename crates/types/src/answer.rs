//! Answers: the text, and everything that is true about how it came to be.

use crate::{Citation, Coverage, Decision, EntityCount, FileOutcome, Notice, UserText};

wire! {
    /// Token counts of one generation.
    #[derive(Copy, Eq, Default)]
    pub struct Tokens {
        pub prompt: u64,
        /// Prompt tokens whose keys and values were still in the cache.
        pub reused: u64,
        pub generated: u64,
    }

    #[derive(Copy, Default)]
    pub struct Timings {
        pub load_ms: f64,
        pub prefill_ms: f64,
        pub first_token_ms: f64,
        pub decode_tokens_per_s: f64,
    }

    /// What left the machine for this answer.
    #[derive(Eq)]
    pub struct OutboundSummary {
        pub destination: String,
        pub bytes: u64,
        /// Of the exact body that was sent.
        pub sha256: String,
        pub entities: Vec<EntityCount>,
    }

    /// Money, where a price is known.
    pub struct Cost {
        pub currency: String,
        pub amount: f64,
    }

    /// The result of `ask`.
    pub struct Answer {
        pub answer: UserText,
        pub route: Decision,
        /// The model and the device that answered, e.g. `smollm2-135m` on `cpu`.
        pub model: String,
        pub device: String,
        pub tokens: Tokens,
        pub timings: Timings,
        pub citations: Vec<Citation>,
        pub coverage: Option<Coverage>,
        pub files: Vec<FileOutcome>,
        pub outbound: Option<OutboundSummary>,
        pub cost: Option<Cost>,
        /// Said to the user with the answer: a fallback to the CPU, earlier turns left out …
        pub notices: Vec<Notice>,
    }

    /// The result of `summarize`.
    pub struct Summary {
        pub summary: UserText,
        pub coverage: Coverage,
        pub files: Vec<FileOutcome>,
        pub model: String,
        pub device: String,
        pub route: Decision,
        pub tokens: Tokens,
        pub timings: Timings,
        pub outbound: Option<OutboundSummary>,
        pub cost: Option<Cost>,
        pub notices: Vec<Notice>,
    }
}
