//! Forking: a conversation that begins as a copy of one branch of another. The copies have ids of their own,
//! so that either conversation can be deleted without the other.

use nearside_types::{ConversationId, MessageId};
use rusqlite::params;

use super::Conversations;
use crate::error::Error;

impl Conversations {
    /// Copies the branch up to `end` with its documents and pseudonyms into a new conversation.
    ///
    /// # Errors
    /// `Missing` when `from` has no such message.
    pub(crate) fn fork(
        &self,
        from: &ConversationId,
        end: &MessageId,
    ) -> Result<ConversationId, Error> {
        if self.conversation_of(end)? != *from {
            return Err(Error::Missing { what: "message" });
        }
        let path = self.path(end)?;
        let (copy, now) = (ConversationId::new(), self.clock.now_ms());
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        transaction.execute(
            "INSERT INTO conversation (id, title, renamed, updated_ms, route)
             SELECT ?1, title, renamed, ?3, route FROM conversation WHERE id = ?2",
            params![copy.0, from.0, now],
        )?;
        transaction.execute(
            "INSERT INTO pseudonym (conversation, map)
             SELECT ?1, map FROM pseudonym WHERE conversation = ?2",
            params![copy.0, from.0],
        )?;
        let mut parent: Option<MessageId> = None;
        for message in path {
            let id = MessageId::new();
            transaction.execute(
                "INSERT INTO message (id, conversation, parent, role, content, files, state, created_ms, footer)
                 SELECT ?1, ?2, ?3, role, content, files, state, created_ms, footer
                 FROM message WHERE id = ?4",
                params![id.0, copy.0, parent.map(|id| id.0), message.id.0],
            )?;
            transaction.execute(
                "INSERT INTO document (message, position, name, extracted)
                 SELECT ?1, position, name, extracted FROM document WHERE message = ?2",
                params![id.0, message.id.0],
            )?;
            parent = Some(id);
        }
        transaction.execute(
            "UPDATE conversation SET head = ?2 WHERE id = ?1",
            params![copy.0, parent.map(|id| id.0)],
        )?;
        transaction.commit()?;
        Ok(copy)
    }
}
