//! `Engine`: an opened data folder: conversations, settings, the library and the ledger, over the rooms
//! that keep nothing. One process holds a data folder at a time; others attach to it (see `attach`).

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use nearside_cloud::{Ledger, LocalOnly};
use nearside_library::Library;
use nearside_types::{
    Cancel, Clock, Conversation, ConversationId, ConversationSummary, DownloadEvent, Failure,
    MessageId, ModelInfo, OwnList, Settings, SettingsPatch,
};
use nearside_vault::{KeySource, Vault};

use crate::conversations::{Conversations, MIGRATIONS};
use crate::far::{CloudSide, runtime};
use crate::headless::Headless;
use crate::lock::DataLock;
use crate::routing::tokens_said;
use crate::settings::SettingsFile;

/// How to open a data folder.
pub struct EngineOptions {
    pub data_dir: PathBuf,
    pub key_source: KeySource,
    pub clock: Arc<dyn Clock>,
}

impl EngineOptions {
    /// With the system's clock and keychain.
    #[must_use]
    pub fn new(data_dir: PathBuf, key_source: KeySource) -> Self {
        Self { data_dir, key_source, clock: Arc::new(SystemClock) }
    }
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> i64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// An opened data folder.
pub struct Engine {
    pub(crate) headless: Arc<Headless>,
    pub(crate) vault: Vault,
    pub(crate) conversations: Conversations,
    // Two connections: indexing holds its own for a whole run, and a search does not wait for it.
    pub(crate) library: Mutex<Library>,
    pub(crate) library_reading: Mutex<Library>,
    pub(crate) ledger: Arc<Ledger>,
    settings: SettingsFile,
    local_only: LocalOnly,
    runtime: Arc<tokio::runtime::Runtime>,
    // Dropped last: while it is held, no other process opens the folder.
    _lock: DataLock,
}

impl Engine {
    /// Opens the folder, or makes it. The headless rooms take the folder's settings.
    ///
    /// # Errors
    /// `Refused` with code `data_folder_held` when another process holds it, or the vault's reason.
    pub fn open(options: EngineOptions, headless: Arc<Headless>) -> Result<Self, Failure> {
        let lock = DataLock::take(&options.data_dir)?;
        let vault = Vault::open(&options.data_dir, options.key_source)?;
        let database = vault.database("conversations", MIGRATIONS)?;
        let conversations = Conversations::open(database, Arc::clone(&options.clock))?;
        let engine = Self {
            library: Mutex::new(Library::open(&vault)?),
            library_reading: Mutex::new(Library::open(&vault)?),
            ledger: Arc::new(Ledger::open(&vault, options.clock)?),
            settings: SettingsFile::open(&options.data_dir),
            local_only: LocalOnly::new(true),
            runtime: runtime()?,
            headless,
            vault,
            conversations,
            _lock: lock,
        };
        engine.headless.set_own_list(engine.conversations.own_list()?);
        engine.take_up(engine.settings.get());
        Ok(engine)
    }

    /// Makes settings hold: for the next task, and at once for whatever connects.
    fn take_up(&self, settings: Settings) {
        self.headless.set_far(Arc::new(self.cloud_side(&settings)));
        self.headless.set_settings(settings);
    }

    fn cloud_side(&self, settings: &Settings) -> CloudSide {
        CloudSide::new(&self.vault, &self.ledger, &self.local_only, settings, &self.runtime)
    }

    /// Fetches a model, with its ledger entries. `Cancelled` is a pause.
    ///
    /// # Errors
    /// The last source's, when none works.
    pub fn fetch_model(
        &self,
        name: &str,
        asked_by_user: bool,
        cancel: &Cancel,
        on_event: &mut (dyn FnMut(DownloadEvent) + Send),
    ) -> Result<ModelInfo, Failure> {
        let connector = self.cloud_side(&self.settings()).connector;
        self.headless.fetch_through(name, &connector, asked_by_user, cancel, on_event)
    }

    /// The rooms that keep nothing.
    #[must_use]
    pub fn headless(&self) -> &Arc<Headless> {
        &self.headless
    }

    #[must_use]
    pub fn data_dir(&self) -> &Path {
        self.vault.folder()
    }

    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings.get()
    }

    /// Changes settings, on disk and for the next task.
    ///
    /// # Errors
    /// When the file cannot be written; the settings then stay.
    pub fn update_settings(&self, patch: SettingsPatch) -> Result<Settings, Failure> {
        let next = self.settings.patch(patch)?;
        self.take_up(next.clone());
        Ok(next)
    }

    /// What is always hidden from a cloud, and what never is.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn own_list(&self) -> Result<OwnList, Failure> {
        Ok(self.conversations.own_list()?)
    }

    /// Keeps another list and returns it as it is kept; it holds from the next request on.
    ///
    /// # Errors
    /// `Usage` when a name cannot be on a list; the list then stays.
    pub fn set_own_list(&self, list: OwnList) -> Result<OwnList, Failure> {
        let list = nearside_privacy::tidy(list)?;
        self.conversations.keep_own_list(&list)?;
        self.headless.set_own_list(list.clone());
        Ok(list)
    }

    /// All conversations, pinned first, then the latest.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn conversations(&self) -> Result<Vec<ConversationSummary>, Failure> {
        Ok(self.conversations.list()?)
    }

    /// # Errors
    /// `NotFound`.
    pub fn conversation(&self, id: &ConversationId) -> Result<Conversation, Failure> {
        let mut conversation = self.conversations.get(id)?;
        if let Some(last) = conversation.messages.last() {
            conversation.tokens = tokens_said(&self.said(&last.id)?);
        }
        Ok(conversation)
    }

    /// # Errors
    /// When the database cannot be written.
    pub fn new_conversation(&self) -> Result<Conversation, Failure> {
        Ok(Conversation { summary: self.conversations.create()?, messages: Vec::new(), tokens: 0 })
    }

    /// # Errors
    /// `NotFound`.
    pub fn rename_conversation(&self, id: &ConversationId, title: &str) -> Result<(), Failure> {
        Ok(self.conversations.rename(id, title)?)
    }

    /// # Errors
    /// `NotFound`.
    pub fn pin_conversation(&self, id: &ConversationId, pinned: bool) -> Result<(), Failure> {
        Ok(self.conversations.pin(id, pinned)?)
    }

    /// # Errors
    /// `NotFound`.
    pub fn delete_conversation(&self, id: &ConversationId) -> Result<(), Failure> {
        Ok(self.conversations.delete(id)?)
    }

    /// Conversations that hold every word of `query`, with the words around a hit.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn search_conversations(&self, query: &str) -> Result<Vec<ConversationSummary>, Failure> {
        Ok(self.conversations.search(query)?)
    }

    /// Shows the branch through `message`, to its latest end.
    ///
    /// # Errors
    /// `NotFound`, also for a message of another conversation.
    pub fn show_branch(
        &self,
        id: &ConversationId,
        message: &MessageId,
    ) -> Result<Conversation, Failure> {
        if self.conversations.conversation_of(message)? != *id {
            return Err(Failure::not_found("This message belongs to another conversation."));
        }
        self.conversations.select(message)?;
        self.conversation(id)
    }

    /// A new conversation that begins as the branch up to `message`.
    ///
    /// # Errors
    /// `NotFound`, also for a message of another conversation.
    pub fn fork_conversation(
        &self,
        id: &ConversationId,
        message: &MessageId,
    ) -> Result<Conversation, Failure> {
        let copy = self.conversations.fork(id, message)?;
        self.conversation(&copy)
    }
}
