//! Messages: adding to the tree, growing an answer, and walking the branches.

use nearside_types::{ConversationId, Footer, Message, MessageId, MessageState, Role, UserText};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Conversations, from_word, word};
use crate::error::Error;

/// A message to be added.
pub(crate) struct NewMessage<'a> {
    pub(crate) conversation: &'a ConversationId,
    pub(crate) parent: Option<&'a MessageId>,
    pub(crate) role: Role,
    pub(crate) content: &'a str,
    pub(crate) files: &'a [String],
    pub(crate) state: MessageState,
}

const COLUMNS: &str = "id, parent, role, content, files, state, created_ms, footer";

impl Conversations {
    /// Adds a message and makes it the head of its conversation.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn add(&self, new: &NewMessage<'_>) -> Result<Message, Error> {
        let mut message = Message {
            id: MessageId::new(),
            parent: new.parent.cloned(),
            branches: Vec::new(),
            role: new.role,
            content: new.content.into(),
            files: new.files.to_vec(),
            state: new.state,
            created_ms: self.clock.now_ms(),
            footer: None,
        };
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        transaction.execute(
            "INSERT INTO message (id, conversation, parent, role, content, files, state, created_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                message.id.0,
                new.conversation.0,
                message.parent.as_ref().map(|id| &id.0),
                word(&message.role)?,
                message.content.0,
                serde_json::to_string(&message.files)?,
                word(&message.state)?,
                message.created_ms
            ],
        )?;
        transaction.execute(
            "UPDATE conversation SET head = ?2, updated_ms = ?3 WHERE id = ?1",
            params![new.conversation.0, message.id.0, message.created_ms],
        )?;
        message.branches = siblings(&transaction, &message.id)?;
        transaction.commit()?;
        Ok(message)
    }

    /// Keeps what an answer says so far.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn checkpoint(&self, id: &MessageId, content: &str) -> Result<(), Error> {
        self.lock()
            .prepare_cached("UPDATE message SET content = ?2 WHERE id = ?1")?
            .execute(params![id.0, content])?;
        Ok(())
    }

    /// Takes a finished answer up again, so that a crash while it goes on is noticed.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn reopen(&self, id: &MessageId) -> Result<(), Error> {
        self.lock()
            .execute("UPDATE message SET state = 'streaming' WHERE id = ?1", params![id.0])?;
        Ok(())
    }

    /// Writes the end of an answer.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(crate) fn finish(
        &self,
        id: &MessageId,
        content: &str,
        state: MessageState,
        footer: Option<&Footer>,
    ) -> Result<Message, Error> {
        self.lock().execute(
            "UPDATE message SET content = ?2, state = ?3, footer = ?4 WHERE id = ?1",
            params![id.0, content, word(&state)?, footer.map(serde_json::to_string).transpose()?],
        )?;
        self.message(id)
    }

    /// # Errors
    /// `Missing` when there is none with this id.
    pub(crate) fn message(&self, id: &MessageId) -> Result<Message, Error> {
        let connection = self.lock();
        let mut statement =
            connection.prepare_cached(&format!("SELECT {COLUMNS} FROM message WHERE id = ?1"))?;
        let mut message: Message = statement
            .query_row([&id.0], |row| Ok(read(row)))
            .optional()?
            .ok_or(Error::Missing { what: "message" })??;
        message.branches = siblings(&connection, id)?;
        Ok(message)
    }

    /// The last message of the current branch.
    ///
    /// # Errors
    /// `Missing` when there is no such conversation.
    pub(crate) fn head(&self, id: &ConversationId) -> Result<Option<MessageId>, Error> {
        let head: Option<Option<String>> = self
            .lock()
            .query_row("SELECT head FROM conversation WHERE id = ?1", [&id.0], |row| row.get(0))
            .optional()?;
        Ok(head.ok_or(Error::Missing { what: "conversation" })?.map(MessageId))
    }

    /// From the first message to `end`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn path(&self, end: &MessageId) -> Result<Vec<Message>, Error> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(&format!(
            "WITH RECURSIVE branch (depth, {COLUMNS}) AS (
                SELECT 0, {COLUMNS} FROM message WHERE id = ?1
                UNION ALL
                SELECT depth + 1, {} FROM branch JOIN message AS up ON up.id = branch.parent
            ) SELECT {COLUMNS} FROM branch ORDER BY depth DESC",
            COLUMNS.split(", ").map(|c| format!("up.{c}")).collect::<Vec<_>>().join(", ")
        ))?;
        let rows = statement.query_map([&end.0], |row| Ok(read(row)))?;
        let mut path: Vec<Message> = rows.map(|row| row?).collect::<Result<_, Error>>()?;
        for message in &mut path {
            message.branches = siblings(&connection, &message.id)?;
        }
        Ok(path)
    }

    /// The conversation that a message belongs to.
    ///
    /// # Errors
    /// `Missing` when there is no such message.
    pub(crate) fn conversation_of(&self, id: &MessageId) -> Result<ConversationId, Error> {
        self.lock()
            .query_row("SELECT conversation FROM message WHERE id = ?1", [&id.0], |row| row.get(0))
            .optional()?
            .map(ConversationId)
            .ok_or(Error::Missing { what: "message" })
    }

    /// Shows the branch through `id`, to its latest end.
    ///
    /// # Errors
    /// `Missing` when there is none with this id.
    pub(crate) fn select(&self, id: &MessageId) -> Result<ConversationId, Error> {
        let connection = self.lock();
        let conversation: String = connection
            .query_row("SELECT conversation FROM message WHERE id = ?1", [&id.0], |row| row.get(0))
            .optional()?
            .ok_or(Error::Missing { what: "message" })?;
        let mut end = id.0.clone();
        let mut child = connection.prepare_cached(
            "SELECT id FROM message WHERE parent = ?1 ORDER BY created_ms DESC, id DESC LIMIT 1",
        )?;
        while let Some(next) = child.query_row([&end], |row| row.get(0)).optional()? {
            end = next;
        }
        connection.execute(
            "UPDATE conversation SET head = ?2 WHERE id = ?1",
            params![conversation, end],
        )?;
        Ok(ConversationId(conversation))
    }
}

/// The messages that follow the same one as `id`, itself included, oldest first: the branches there.
fn siblings(connection: &Connection, id: &MessageId) -> Result<Vec<MessageId>, Error> {
    let mut statement = connection.prepare_cached(
        "SELECT other.id FROM message AS one JOIN message AS other
         ON other.conversation = one.conversation AND other.parent IS one.parent
         WHERE one.id = ?1 ORDER BY other.created_ms, other.id",
    )?;
    let found = statement.query_map([&id.0], |row| row.get(0).map(MessageId))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// All but the branches.
fn read(row: &Row<'_>) -> Result<Message, Error> {
    let (role, files, state): (String, String, String) = (row.get(2)?, row.get(4)?, row.get(5)?);
    let footer: Option<String> = row.get(7)?;
    Ok(Message {
        id: MessageId(row.get(0)?),
        parent: row.get::<_, Option<String>>(1)?.map(MessageId),
        branches: Vec::new(),
        role: from_word(&role)?,
        content: UserText(row.get(3)?),
        files: serde_json::from_str(&files)?,
        state: from_word(&state)?,
        created_ms: row.get(6)?,
        footer: footer.map(|footer| serde_json::from_str(&footer)).transpose()?,
    })
}
