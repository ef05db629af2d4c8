//! Conversations: turns as a model sees them, and messages as a person sees them.

use crate::{
    Citation, ConversationId, Cost, Coverage, Decision, FileOutcome, MessageId, Notice,
    OutboundSummary, Route, RouteChoice, Timings, Tokens, UserText,
};

wire! {
    #[derive(Copy, Eq, Hash)]
    #[serde(rename_all = "snake_case")]
    pub enum Role {
        System,
        User,
        Assistant,
    }

    /// One turn as a chat template sees it.
    #[derive(Eq)]
    pub struct Turn {
        pub role: Role,
        pub content: UserText,
    }

    /// How an answer ended.
    #[derive(Copy, Eq)]
    #[serde(rename_all = "snake_case")]
    pub enum MessageState {
        /// Written to its end.
        Complete,
        /// Being written now.
        Streaming,
        /// The user pressed Stop; what was written is kept.
        Stopped,
        /// The length limit ended it; Continue goes on.
        Truncated,
        /// It broke off; the partial text is kept.
        Failed,
    }

    /// What is shown under an answer.
    pub struct Footer {
        pub model: String,
        pub device: String,
        pub route: Decision,
        pub tokens: Tokens,
        pub timings: Timings,
        pub citations: Vec<Citation>,
        pub coverage: Option<Coverage>,
        pub files: Vec<FileOutcome>,
        pub outbound: Option<OutboundSummary>,
        pub cost: Option<Cost>,
        pub notices: Vec<Notice>,
    }

    /// A message of a conversation.
    pub struct Message {
        pub id: MessageId,
        /// The message it answers or follows; a branch is two children of one parent.
        pub parent: Option<MessageId>,
        /// All that follow the same message, itself among them, oldest first: the branches here. Where it
        /// stands alone, only itself.
        pub branches: Vec<MessageId>,
        pub role: Role,
        pub content: UserText,
        /// Paths of the files dropped with it.
        pub files: Vec<String>,
        pub state: MessageState,
        /// Milliseconds since 1970 UTC.
        pub created_ms: i64,
        pub footer: Option<Footer>,
    }

    /// A row in the list of conversations.
    pub struct ConversationSummary {
        pub id: ConversationId,
        pub title: UserText,
        pub pinned: bool,
        pub updated_ms: i64,
        /// Where its latest answer ran; the list shows it as a disc.
        pub route: Option<Route>,
        /// Where a search hit, the words around it.
        pub snippet: Option<UserText>,
    }

    /// A conversation along its current branch, oldest message first.
    pub struct Conversation {
        pub summary: ConversationSummary,
        pub messages: Vec<Message>,
        /// About how many tokens the branch makes, with its documents: what the next question takes along.
        pub tokens: u64,
    }

    /// Sends a message, or does an answer again.
    pub struct SendRequest {
        pub conversation: ConversationId,
        pub text: UserText,
        pub files: Vec<String>,
        pub route: RouteChoice,
        pub model: Option<String>,
        /// Replace this earlier user message: edit and resend. The old branch stays.
        #[serde(default)]
        pub replaces: Option<MessageId>,
        /// Answer this assistant message's question again; `text` and `files` are ignored.
        #[serde(default)]
        pub regenerates: Option<MessageId>,
        /// Go on writing this truncated or stopped answer; `text` and `files` are ignored.
        #[serde(default)]
        pub continues: Option<MessageId>,
    }
}
