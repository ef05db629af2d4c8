//! The conversations: a sealed database of message trees. This store is its only reader and writer.
//!
//! A message names the one it follows; two children of one parent are branches, and a conversation shows
//! the branch that ends in its head. Nothing is overwritten by editing or regenerating: the old branch
//! stays. The store knows nothing of models, routes or files on disk.

mod documents;
mod fork;
mod messages;
mod own_list;
mod pseudonyms;
mod search;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard};

use nearside_types::{Clock, Conversation, ConversationId, ConversationSummary, UserText};
use nearside_vault::Database;
use rusqlite::{OptionalExtension, Row, params};

pub(crate) use messages::NewMessage;

use crate::error::Error;

/// Migrations, oldest first, for `vault`; a released one never changes.
pub(crate) const MIGRATIONS: &[&str] = &[
    "
CREATE TABLE conversation (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    renamed INTEGER NOT NULL DEFAULT 0,
    pinned INTEGER NOT NULL DEFAULT 0,
    updated_ms INTEGER NOT NULL,
    head TEXT,
    route TEXT
) STRICT;
CREATE TABLE message (
    id TEXT PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversation(id) ON DELETE CASCADE,
    parent TEXT REFERENCES message(id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    files TEXT NOT NULL,
    state TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    footer TEXT
) STRICT;
CREATE INDEX message_by_parent ON message(conversation, parent);
CREATE TABLE document (
    message TEXT NOT NULL REFERENCES message(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    extracted TEXT NOT NULL,
    PRIMARY KEY (message, position)
) STRICT;
CREATE TABLE pseudonym (
    conversation TEXT PRIMARY KEY REFERENCES conversation(id) ON DELETE CASCADE,
    map TEXT NOT NULL
) STRICT;
",
    "
CREATE TABLE own_list (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    list TEXT NOT NULL
) STRICT;
",
];

/// Longest title made from a first message, in characters.
const TITLE: usize = 48;

/// The store.
pub(crate) struct Conversations {
    // A std mutex: SQLite calls are short, and no lock is held over an await or a model.
    connection: Mutex<Database>,
    clock: Arc<dyn Clock>,
}

impl Conversations {
    /// Takes the migrated database over. Answers that were being written when the program died become
    /// stopped; their text is kept.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn open(connection: Database, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.execute("UPDATE message SET state = 'stopped' WHERE state = 'streaming'", [])?;
        Ok(Self { connection: Mutex::new(connection), clock })
    }

    fn lock(&self) -> MutexGuard<'_, Database> {
        // A panic elsewhere cannot leave SQLite between two statements of a transaction.
        self.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Starts an empty conversation.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn create(&self) -> Result<ConversationSummary, Error> {
        let summary = ConversationSummary {
            id: ConversationId::new(),
            title: UserText::default(),
            pinned: false,
            updated_ms: self.clock.now_ms(),
            route: None,
            snippet: None,
        };
        self.lock().execute(
            "INSERT INTO conversation (id, title, updated_ms) VALUES (?1, '', ?2)",
            params![summary.id.0, summary.updated_ms],
        )?;
        Ok(summary)
    }

    /// All conversations, pinned first, then the latest.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn list(&self) -> Result<Vec<ConversationSummary>, Error> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(
            "SELECT id, title, pinned, updated_ms, route FROM conversation
             ORDER BY pinned DESC, updated_ms DESC, id DESC",
        )?;
        let rows = statement.query_map([], summary)?;
        rows.map(|row| row.map_err(Error::from)).collect()
    }

    /// One conversation along its current branch. Its tokens are counted by the engine.
    ///
    /// # Errors
    /// `Missing` when there is none with this id.
    pub(crate) fn get(&self, id: &ConversationId) -> Result<Conversation, Error> {
        let summary = self.summary(id)?;
        let messages = match self.head(id)? {
            Some(head) => self.path(&head)?,
            None => Vec::new(),
        };
        Ok(Conversation { summary, messages, tokens: 0 })
    }

    /// # Errors
    /// `Missing` when there is none with this id.
    pub(crate) fn summary(&self, id: &ConversationId) -> Result<ConversationSummary, Error> {
        self.lock()
            .query_row(
                "SELECT id, title, pinned, updated_ms, route FROM conversation WHERE id = ?1",
                [&id.0],
                summary,
            )
            .optional()?
            .ok_or(Error::Missing { what: "conversation" })
    }

    /// # Errors
    /// `Missing` when there is none with this id.
    pub(crate) fn rename(&self, id: &ConversationId, title: &str) -> Result<(), Error> {
        let title: String = title.trim().chars().take(200).collect();
        self.change("UPDATE conversation SET title = ?2, renamed = 1 WHERE id = ?1", id, title)
    }

    /// # Errors
    /// `Missing` when there is none with this id.
    pub(crate) fn pin(&self, id: &ConversationId, pinned: bool) -> Result<(), Error> {
        self.change("UPDATE conversation SET pinned = ?2 WHERE id = ?1", id, pinned)
    }

    /// Deletes a conversation with all its branches, and gives the space back to the disk.
    ///
    /// # Errors
    /// `Missing` when there is none with this id.
    pub(crate) fn delete(&self, id: &ConversationId) -> Result<(), Error> {
        let connection = self.lock();
        let deleted = connection.execute("DELETE FROM conversation WHERE id = ?1", [&id.0])?;
        if deleted == 0 {
            return Err(Error::Missing { what: "conversation" });
        }
        // Freed pages are overwritten and leave the file, and the log with the old pages is emptied.
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); VACUUM;")?;
        connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?;
        Ok(())
    }

    fn change(
        &self,
        sql: &str,
        id: &ConversationId,
        value: impl rusqlite::ToSql,
    ) -> Result<(), Error> {
        match self.lock().execute(sql, params![id.0, value])? {
            0 => Err(Error::Missing { what: "conversation" }),
            _ => Ok(()),
        }
    }

    /// Notes what a conversation is now about: its time, its route, and a title while the user gave none.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn touch(
        &self,
        id: &ConversationId,
        route: Option<nearside_types::Route>,
        question: Option<&str>,
    ) -> Result<(), Error> {
        let connection = self.lock();
        connection.execute(
            "UPDATE conversation SET updated_ms = ?2, route = coalesce(?3, route) WHERE id = ?1",
            params![id.0, self.clock.now_ms(), route.map(|route| word(&route)).transpose()?],
        )?;
        if let Some(question) = question {
            connection.execute(
                "UPDATE conversation SET title = ?2 WHERE id = ?1 AND renamed = 0 AND title = ''",
                params![id.0, title_of(question)],
            )?;
        }
        Ok(())
    }
}

/// The first line of a question, cut at a word where there are words.
fn title_of(question: &str) -> String {
    let line = question.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
    if line.chars().count() <= TITLE {
        return line.to_owned();
    }
    let cut: String = line.chars().take(TITLE).collect();
    let at_word = cut.rsplit_once(' ').map_or(cut.as_str(), |(head, _)| head);
    format!("{at_word}…")
}

fn summary(row: &Row<'_>) -> rusqlite::Result<ConversationSummary> {
    let route: Option<String> = row.get(4)?;
    Ok(ConversationSummary {
        id: ConversationId(row.get(0)?),
        title: UserText(row.get(1)?),
        pinned: row.get(2)?,
        updated_ms: row.get(3)?,
        route: route.and_then(|route| from_word(&route).ok()),
        snippet: None,
    })
}

/// The wire word of a plain enum.
fn word(value: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    match serde_json::to_value(value)? {
        serde_json::Value::String(word) => Ok(word),
        other => Ok(other.to_string()),
    }
}

fn from_word<T: serde::de::DeserializeOwned>(word: &str) -> Result<T, serde_json::Error> {
    serde_json::from_value(serde_json::Value::String(word.to_owned()))
}
