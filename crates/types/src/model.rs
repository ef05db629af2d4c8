//! Models as the catalog shows them.

wire! {
    #[derive(Copy, Eq, Hash)]
    #[serde(rename_all = "snake_case")]
    pub enum ModelPurpose {
        Chat,
        Draft,
        Speech,
        Embedding,
        VoiceActivity,
        Ocr,
    }

    #[derive(Copy, Eq, Hash)]
    #[serde(rename_all = "snake_case")]
    pub enum ModelState {
        Available,
        /// A download was begun and waits; it resumes where it stopped.
        Partial,
        Downloading,
        Installed,
        /// On disk, but its hash is wrong.
        Broken,
    }

    /// Whether a model suits this machine.
    #[derive(Copy, Eq, Hash)]
    #[serde(rename_all = "snake_case")]
    pub enum Fit {
        Good,
        Tight,
        TooBig,
    }

    #[derive(Eq)]
    pub struct ModelInfo {
        pub name: String,
        pub title: String,
        pub purpose: ModelPurpose,
        /// Installed version, or the one that would be fetched.
        pub version: String,
        /// The version a rollback returns to.
        pub previous: Option<String>,
        /// Bytes on disk once installed.
        pub size: u64,
        pub sha256: String,
        pub licence: String,
        pub state: ModelState,
        /// Where it came from, or would come from first.
        pub source: String,
        /// Bytes already here, for a partial download.
        pub done: u64,
        pub languages: Vec<String>,
        pub fit: Fit,
        pub recommended: bool,
        /// The file, once installed.
        pub path: Option<String>,
    }
}
