//! What was said in a recording.

use crate::{UserText, Warning};

wire! {
    pub struct Transcript {
        /// The whole text; empty when nobody spoke.
        pub text: UserText,
        /// ISO 639 code of the language that was heard, e.g. `zh`.
        pub language: String,
        pub segments: Vec<TranscriptSegment>,
        /// Nobody spoke: there is no text rather than an invented one.
        pub no_speech: bool,
        pub warnings: Vec<Warning>,
    }

    /// A sentence or so of one speaker.
    pub struct TranscriptSegment {
        /// Seconds from the beginning of the recording.
        pub start: f64,
        pub end: f64,
        /// Absent where speakers were not told apart.
        pub speaker: Option<String>,
        pub text: UserText,
    }
}
