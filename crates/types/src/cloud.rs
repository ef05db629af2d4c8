//! The far side as the settings describe it.

use crate::Failure;

wire! {
    /// An OpenAI-compatible endpoint. The key is never here: it lives in the keychain under `name`.
    #[derive(Eq)]
    pub struct Provider {
        pub name: String,
        /// e.g. `https://api.example.com/v1`.
        pub base_url: String,
        pub model: String,
        /// Tokens that the far model can read and write together.
        pub context_length: u32,
        /// Per million tokens, in `currency`, where the user entered a price.
        pub price_in: Option<String>,
        pub price_out: Option<String>,
        pub currency: Option<String>,
        pub has_key: bool,
    }

    /// The outcome of "Test connection".
    #[derive(Eq)]
    pub struct ProviderCheck {
        pub reachable: bool,
        pub models: Vec<String>,
        pub message: String,
        /// Why it is not reachable.
        pub failure: Option<Failure>,
    }
}
