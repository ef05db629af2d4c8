//! Transcripts: what was said in a recording, when and by whom, and how a transcription is asked for.

use crate::{UserText, Warning};

wire! {
    /// Which characters Chinese is written in.
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum ChineseScript {
        #[default]
        Simplified,
        Traditional,
    }

    /// How a recording is to be written down.
    #[derive(Eq, Default)]
    #[serde(default)]
    pub struct TranscribeOptions {
        /// An ISO 639-1 code such as `en` or `zh`; none lets each stretch of speech decide for itself.
        pub language: Option<String>,
        pub script: ChineseScript,
        /// Names and terms that are likely to be said, as they are to be spelled.
        pub vocabulary: Vec<UserText>,
        /// Write English, whatever is spoken.
        pub translate: bool,
    }

    /// A stretch of speech.
    pub struct TranscriptSegment {
        /// Seconds from the start of the recording.
        pub start: f64,
        pub end: f64,
        /// `S1`, `S2` …, in the order in which they are first heard; none where they were not told apart.
        pub speaker: Option<String>,
        pub text: UserText,
    }

    /// The result of `transcribe`.
    #[derive(Default)]
    pub struct Transcript {
        pub text: UserText,
        /// The ISO 639-1 code of the language that most of it is in; none where nobody speaks.
        pub language: Option<String>,
        pub segments: Vec<TranscriptSegment>,
        /// Nobody speaks in the recording; the text is empty.
        pub no_speech: bool,
        /// How long the recording is.
        pub seconds: f64,
        pub warnings: Vec<Warning>,
    }

    /// How far a transcription has come, in seconds of the recording.
    #[derive(Copy, Default)]
    pub struct TranscribeProgress {
        pub done: f64,
        /// None where the file does not say how long it is.
        pub total: Option<f64>,
    }

    /// What was dictated so far.
    #[derive(Eq, Default)]
    pub struct LiveTranscript {
        /// Never changes but by growing.
        pub committed: UserText,
        /// Heard after it, and may still change.
        pub tentative: UserText,
    }
}
