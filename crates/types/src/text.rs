//! `UserText`: content that belongs to the user and must not reach a log, a panic message or `Debug`.
//!
//! It is not encryption and does not zero memory; keys and passwords use `vault::Secret` instead.

use std::fmt;

/// A user's own words, or words read from a user's file. `Debug` tells only the length.
///
/// ```
/// let text = nearside_types::UserText::from("call 13800138000");
/// assert_eq!(format!("{text:?}"), "UserText(16 chars)");
/// ```
#[derive(
    Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct UserText(pub String);

impl fmt::Debug for UserText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UserText({} chars)", self.0.chars().count())
    }
}

impl From<String> for UserText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for UserText {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl std::ops::Deref for UserText {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for UserText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
