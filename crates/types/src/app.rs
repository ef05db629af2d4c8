//! The app itself: what the window shows about where it runs and whether the vault is open.

use crate::Failure;

wire! {
    #[derive(Eq)]
    pub struct AppInfo {
        pub version: String,
        /// `linux`, `macos` or `windows`.
        pub platform: String,
        /// The system's language, e.g. `zh-CN`.
        pub locale: String,
        pub data_dir: String,
        pub models_dir: String,
        /// Whether the desktop shows tray icons; without one, closing the window quits.
        pub tray: bool,
        /// Tokens that a local model holds, prompt and answer together.
        pub context: u64,
        /// What could not be had, e.g. a global shortcut that another program holds.
        pub notices: Vec<String>,
    }

    #[derive(Copy, Eq)]
    #[serde(rename_all = "snake_case")]
    pub enum VaultCondition {
        Open,
        /// There is no keychain: a passphrase opens it.
        NeedsPassphrase,
        /// There is no keychain and no vault yet: choose a passphrase.
        New,
        Failed,
    }

    #[derive(Eq)]
    pub struct VaultState {
        pub state: VaultCondition,
        /// Why it is not open.
        pub failure: Option<Failure>,
    }
}
