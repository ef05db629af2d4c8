//! Events: what a running job tells the window or the command line while it runs.

use crate::UserText;
use crate::{Coverage, Decision, Failure, FileOutcome, Message, MessageId, Preview};

wire! {
    /// From one `message_send`, in order; `Finished` or `Failed` is the last.
    #[serde(tag = "event", rename_all = "snake_case")]
    pub enum ChatEvent {
        /// The question as stored, and the id under which the answer grows.
        Started { question: Message, answer: MessageId },
        /// A file was opened; its chip can show the state.
        File { outcome: FileOutcome },
        /// Reading or summarising goes on.
        Progress { stage: Stage, done: u32, total: u32 },
        /// Where it will run.
        Routed { decision: Decision },
        /// The cloud is needed: show this, and answer with `approval_send` or `approval_cancel`.
        Approval { preview: Preview },
        /// More of the answer. Never half a character.
        Text { text: UserText },
        /// Counted while a long document is read.
        Coverage { coverage: Coverage },
        /// The finished answer as stored, also when stopped or truncated.
        Finished { message: Message },
        /// It broke off; `message` keeps what was written, if anything was.
        Failed { failure: Failure, message: Option<Message> },
    }

    #[derive(Copy, Eq)]
    #[serde(rename_all = "snake_case")]
    pub enum Stage {
        LoadingModel,
        ReadingFile,
        /// Prompt tokens through the model.
        Prefill,
        SummarisingPart,
        Merging,
        Sending,
    }

    /// From one `model_fetch`, in order; `Done`, `Paused` or `Failed` is the last.
    #[serde(tag = "event", rename_all = "snake_case")]
    pub enum DownloadEvent {
        Started { name: String, source: String, done: u64, total: u64 },
        Progress { name: String, done: u64, total: u64, bytes_per_s: f64 },
        Verifying { name: String },
        Converting { name: String },
        Done { name: String },
        Paused { name: String, done: u64 },
        Failed { name: String, failure: Failure },
    }

    /// Sent to every window at any time.
    #[serde(tag = "event", rename_all = "snake_case")]
    pub enum AppEvent {
        ConversationsChanged,
        SettingsChanged,
        ModelsChanged,
        LedgerChanged,
        LibraryChanged,
        /// A tray or palette command for the window.
        Navigate { page: String },
        NewConversation,
        /// From the shortcut or the tray: start dictating, or end what listens and write it down.
        VoiceToggle,
        /// Something the user should know now, e.g. a lost device.
        Notice { code: String, text: String },
    }
}
