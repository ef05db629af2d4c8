//! Calls on an engine: one request, one JSON value.

use nearside_types::{
    Answer, Cancel, ChatEvent, ConversationId, Failure, Message, Preview, SendRequest, Summary,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, channel};

use super::request::{AskRequest, CallEvent, Request};
use crate::engine::Engine;
use crate::error::Error;
use crate::task::{Approver, Said, Verdict};

impl Engine {
    /// Does one request.
    ///
    /// # Errors
    /// The request's failure.
    pub fn handle(
        &self,
        request: Request,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(CallEvent),
    ) -> Result<Value, Failure> {
        let nothing = |()| json!({});
        match request {
            Request::Conversations { query: None } => items(self.conversations()?),
            Request::Conversations { query: Some(query) } => {
                items(self.search_conversations(&query)?)
            }
            Request::Conversation { id } => value(&self.conversation(&id)?),
            Request::DeleteConversation { id } => self.delete_conversation(&id).map(nothing),
            Request::Ask(ask) => self.ask_request(&ask, cancel, on_event),
            Request::IndexAdd { path } => {
                let mut progress = |progress| on_event(CallEvent::Index { progress });
                items(self.library_add(&path, cancel, &mut progress)?)
            }
            Request::IndexStatus => items(self.library_status()?),
            Request::IndexRemove { path } => self.library_remove(&path).map(nothing),
            Request::IndexForget { path } => value(&self.library_forget(&path)?),
            Request::Search { query, limit } => items(self.library_search(&query, limit)?),
            Request::Ledger => items(self.ledger()?),
            Request::LedgerVerify => value(&self.verify_ledger()?),
            Request::LedgerExport { path } => self.export_ledger(&path).map(nothing),
            Request::OwnList => value(&self.own_list()?),
            Request::SetOwnList { list } => value(&self.set_own_list(*list)?),
            Request::Settings => value(&self.settings()),
            Request::SetSettings { patch } => value(&self.update_settings(*patch)?),
            Request::SetCloudKey { key } if key.is_empty() => self.clear_cloud_key().map(nothing),
            Request::SetCloudKey { key } => self.set_cloud_key(key.0).map(nothing),
            Request::ExportData { path, passphrase } => {
                self.export_data(&path, passphrase.0).map(nothing)
            }
            Request::ToggleDictation => self.headless().toggle_dictation().map(nothing),
        }
    }

    fn ask_request(
        &self,
        ask: &AskRequest,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(CallEvent),
    ) -> Result<Value, Failure> {
        let mut on_chat = |event: ChatEvent| on_event(CallEvent::Chat { event });
        let mut approver = ByHash(ask.approve.clone());
        let options = ask.options();
        let headless = &self.headless;
        if let Some(conversation) = &ask.conversation {
            let id = match conversation.as_str() {
                "new" => self.new_conversation()?.summary.id,
                id => ConversationId(id.to_owned()),
            };
            let files = ask.files.iter().map(|path| path.display().to_string()).collect();
            let request = SendRequest {
                conversation: id.clone(),
                text: ask.text.clone(),
                files,
                route: ask.route,
                model: ask.model.clone(),
                replaces: None,
                regenerates: None,
                continues: None,
            };
            let message = self.send_with(request, &options, cancel, &mut approver, &mut on_chat)?;
            return Ok(answer_of(message, &id));
        }
        let documents = headless.read(&ask.files, cancel, &mut on_chat)?;
        if ask.summary {
            let summary: Summary =
                headless.summarize(documents, &options, &mut approver, cancel, &mut on_chat)?;
            return value(&summary);
        }
        let said =
            [Said { role: nearside_types::Role::User, content: ask.text.clone(), documents }];
        let answer: Answer = headless.ask(&said, &options, &mut approver, cancel, &mut on_chat)?;
        value(&answer)
    }
}

/// A stored answer in the fields of `ask`, with its conversation.
fn answer_of(message: Message, conversation: &ConversationId) -> Value {
    let mut out = match message.footer {
        Some(footer) => serde_json::to_value(footer).unwrap_or_default(),
        None => json!({}),
    };
    if let Some(fields) = out.as_object_mut() {
        fields.shift_insert(0, "answer".to_owned(), json!(message.content));
        fields.insert("conversation".to_owned(), json!(conversation));
        fields.insert("message".to_owned(), json!(message.id));
        fields.insert("state".to_owned(), json!(message.state));
    }
    out
}

fn value(of: &impl Serialize) -> Result<Value, Failure> {
    Ok(serde_json::to_value(of).map_err(Error::from)?)
}

fn items<T: Serialize>(of: Vec<T>) -> Result<Value, Failure> {
    Ok(json!({ "items": value(&of)? }))
}

/// Approves the one body whose hash was given beforehand, and nothing else.
pub struct ByHash(pub Option<String>);

impl Approver for ByHash {
    fn ask(&mut self, preview: &Preview) -> Receiver<Verdict> {
        let (say, hear) = channel();
        let verdict = match &self.0 {
            Some(sha256) if sha256.trim().eq_ignore_ascii_case(&preview.sha256) => {
                Verdict::Send { sha256: preview.sha256.clone() }
            }
            _ => Verdict::Cancel,
        };
        // The receiver is returned below, so it is there.
        let _ = say.send(verdict);
        hear
    }
}
