//! Composes: conversations, tasks, jobs, the local socket.
//!
//! [`Headless`] answers, summarises, redacts and lists without a vault and keeps nothing; [`Engine`] adds an
//! opened data folder. Both block: a caller gives each call a thread, and stops it with `Cancel`. The model
//! is held by one keeper and lent to one answer at a time. Nothing here opens a connection (that is `cloud`)
//! or knows a window.

pub mod attach;
pub mod bench;
mod conversations;
mod data;
mod document;
mod encoder;
mod engine;
mod error;
mod far;
mod headless;
mod keeper;
mod lock;
mod models;
mod place;
mod prompt;
mod prompts;
mod reading;
mod routing;
mod run;
mod send;
mod serving;
mod settings;
mod shelf;
mod source;
mod task;
#[cfg(test)]
mod testing;
mod text;
mod voice;

pub use data::{erase_data, restore_data};
pub use document::Document;
pub use engine::{Engine, EngineOptions, SystemClock};
pub use error::Error;
pub use far::{FarEnd, FarSide};
pub use headless::{Headless, HeadlessOptions, no_window, restore};
pub use keeper::{Keeper, Lease, ModelSource};
pub use lock::HELD;
pub use nearside_privacy::PseudonymMap;
pub use nearside_vault::{
    AskPassphrase, KeySource, Keychain, MemoryKeychain, OsKeychain, PassphrasePurpose, Secret,
    is_set_up,
};
pub use place::DataPlace;
pub use reading::{EXTRACT_WORKER, serve_extract_worker};
pub use routing::CONTEXT;
pub use serving::{fresh_token, serve};
pub use settings::read_settings;
pub use task::{Approver, Said, TaskOptions, Verdict};
pub use voice::{Recorded, Recording, Sound, save_transcript, transcribe_options};
