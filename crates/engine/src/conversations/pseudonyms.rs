//! The pseudonym map of each conversation: a value keeps its placeholder in every later turn. It is content,
//! and lies in the sealed database with the messages.

use std::collections::BTreeMap;

use nearside_privacy::PseudonymMap;
use nearside_types::{ConversationId, UserText};
use rusqlite::{OptionalExtension, params};

use super::Conversations;
use crate::error::Error;

impl Conversations {
    /// The map, empty where nothing was masked yet.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn pseudonyms(&self, id: &ConversationId) -> Result<PseudonymMap, Error> {
        let stored: Option<String> = self
            .lock()
            .query_row("SELECT map FROM pseudonym WHERE conversation = ?1", [&id.0], |row| {
                row.get(0)
            })
            .optional()?;
        let entries: BTreeMap<String, UserText> =
            stored.map(|text| serde_json::from_str(&text)).transpose()?.unwrap_or_default();
        Ok(PseudonymMap::from_entries(entries))
    }

    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn keep_pseudonyms(
        &self,
        id: &ConversationId,
        map: &PseudonymMap,
    ) -> Result<(), Error> {
        self.lock().execute(
            "INSERT OR REPLACE INTO pseudonym (conversation, map) VALUES (?1, ?2)",
            params![id.0, serde_json::to_string(&map.entries())?],
        )?;
        Ok(())
    }
}
