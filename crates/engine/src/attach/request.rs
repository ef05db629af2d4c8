//! Requests to an opened data folder: what the command line asks, here or through the socket.

use std::path::PathBuf;

use nearside_types::{
    ChatEvent, ConversationId, DeviceChoice, IndexProgress, OwnList, Provider, RouteChoice,
    SettingsPatch, UserText,
};
use serde::{Deserialize, Serialize};

use crate::task::TaskOptions;

/// One call. Paths are absolute, because the other process has another working folder.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum Request {
    Conversations {
        query: Option<UserText>,
    },
    Conversation {
        id: ConversationId,
    },
    DeleteConversation {
        id: ConversationId,
    },
    Ask(Box<AskRequest>),
    IndexAdd {
        path: PathBuf,
    },
    IndexStatus,
    IndexRemove {
        path: PathBuf,
    },
    IndexForget {
        path: PathBuf,
    },
    Search {
        query: UserText,
        limit: usize,
    },
    Ledger,
    LedgerVerify,
    LedgerExport {
        path: PathBuf,
    },
    OwnList,
    SetOwnList {
        list: Box<OwnList>,
    },
    Settings,
    SetSettings {
        patch: Box<SettingsPatch>,
    },
    /// Provider keys go to the vault; an empty one is forgotten.
    SetCloudKey {
        key: UserText,
    },
    ExportData {
        path: PathBuf,
        passphrase: UserText,
    },
    /// Start or stop dictation in the window of the process that holds the folder.
    ToggleDictation,
}

/// A question or a summary that needs the data folder: for a conversation, or because it was approved to
/// leave and must be in the ledger.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AskRequest {
    pub text: UserText,
    pub files: Vec<PathBuf>,
    /// Keep it in this conversation; `new` begins one.
    pub conversation: Option<String>,
    /// A summary of `files` rather than an answer.
    pub summary: bool,
    /// The hash of the body that may be sent.
    pub approve: Option<String>,
    /// A provider for this call only.
    pub provider: Option<Provider>,
    pub api_key: Option<UserText>,
    pub route: RouteChoice,
    pub model: Option<String>,
    pub device: DeviceChoice,
    pub max_tokens: usize,
    pub temperature: f32,
    pub seed: u64,
}

impl AskRequest {
    pub(crate) fn options(&self) -> TaskOptions {
        TaskOptions {
            route: self.route,
            model: self.model.clone(),
            device: self.device,
            max_tokens: self.max_tokens,
            temperature: self.temperature,
            seed: self.seed,
            provider: self.provider.clone(),
            api_key: self.api_key.clone().map(|key| nearside_vault::Secret::new(key.0)),
        }
    }
}

/// What a call tells while it runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CallEvent {
    Chat { event: ChatEvent },
    Index { progress: IndexProgress },
}
