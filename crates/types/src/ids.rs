//! Ids: opaque, sortable by time, never made from content.

macro_rules! id {
    ($(#[$doc:meta] $name:ident),* $(,)?) => {$(
        #[$doc]
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// A fresh ULID.
            #[must_use]
            #[expect(clippy::new_without_default, reason = "two defaults would not be equal")]
            pub fn new() -> Self {
                Self(ulid::Ulid::generate().to_string())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

id! {
    /// A conversation.
    ConversationId,
    /// A message of a conversation.
    MessageId,
    /// A request that waits for the user's approval.
    PreviewId,
    /// A long job: a download, an indexing run.
    JobId,
}
