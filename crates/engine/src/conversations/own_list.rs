//! The user's own list of what is always hidden and what never. It names people and projects, so it lies in the
//! sealed database rather than in the plain settings. What a good list is, `nearside_privacy::tidy` decides.

use nearside_types::OwnList;
use rusqlite::OptionalExtension;

use super::Conversations;
use crate::error::Error;

impl Conversations {
    /// The list, empty where none was kept.
    ///
    /// # Errors
    /// When the database cannot be read, or what it holds is not a list: a gate must not go without it.
    pub(crate) fn own_list(&self) -> Result<OwnList, Error> {
        let stored: Option<String> =
            self.lock().query_row("SELECT list FROM own_list", [], |row| row.get(0)).optional()?;
        Ok(stored.map(|text| serde_json::from_str(&text)).transpose()?.unwrap_or_default())
    }

    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn keep_own_list(&self, list: &OwnList) -> Result<(), Error> {
        self.lock().execute(
            "INSERT OR REPLACE INTO own_list (id, list) VALUES (1, ?1)",
            [serde_json::to_string(list)?],
        )?;
        Ok(())
    }
}
