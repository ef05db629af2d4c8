//! The text of dropped files, kept sealed with the message: a later question reads the same pages, even
//! when the file has moved, and its prompt begins with the same words.

use nearside_types::{Extracted, MessageId, UserText};
use rusqlite::params;

use super::Conversations;
use crate::document::Document;
use crate::error::Error;

impl Conversations {
    /// Keeps the documents of a message.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn keep_documents(
        &self,
        id: &MessageId,
        documents: &[Document],
    ) -> Result<(), Error> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        for (position, document) in documents.iter().enumerate() {
            transaction.execute(
                "INSERT OR REPLACE INTO document (message, position, name, extracted)
                 VALUES (?1, ?2, ?3, ?4)",
                params![
                    id.0,
                    i64::try_from(position).unwrap_or(i64::MAX),
                    document.name.0,
                    serde_json::to_string(&document.extracted)?
                ],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// The documents of a message, in the order in which they were dropped.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn documents(&self, id: &MessageId) -> Result<Vec<Document>, Error> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(
            "SELECT name, extracted FROM document WHERE message = ?1 ORDER BY position",
        )?;
        let rows = statement
            .query_map([&id.0], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
        rows.map(|row| {
            let (name, extracted) = row?;
            let extracted: Extracted = serde_json::from_str(&extracted)?;
            Ok(Document { name: UserText(name), extracted })
        })
        .collect()
    }
}
