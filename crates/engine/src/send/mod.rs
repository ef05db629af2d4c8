//! Sending a message: the question and the answer are stored first, then the task runs, and what it writes
//! is kept every half second; so a crash, a stop or a lost device leaves the question and the words so far.

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use nearside_types::{
    Cancel, ChatEvent, ConversationId, Failure, FailureKind, FinishReason, Footer, Message,
    MessageId, MessageState, Role, Route, SendRequest,
};

use crate::conversations::NewMessage;
use crate::engine::Engine;
use crate::headless::Done;
use crate::run::Job;
use crate::task::{Approver, Said, TaskOptions};

/// How often a growing answer is written down.
const CHECKPOINT: Duration = Duration::from_millis(500);

/// What a request comes down to.
struct Opened {
    question: Message,
    answer: MessageId,
    /// What the answer says already, when it goes on.
    before: String,
    /// Files that were not read yet.
    unread: Vec<PathBuf>,
}

impl Engine {
    /// Stores a question and its answer while it is written. Events come in order; the last is `Finished`
    /// or `Failed`.
    ///
    /// # Errors
    /// The failure of the last event, or one before anything was stored, without an event.
    pub fn send(
        &self,
        request: SendRequest,
        cancel: &Cancel,
        approver: &mut dyn Approver,
        on_event: &mut dyn FnMut(ChatEvent),
    ) -> Result<(), Failure> {
        let settings = self.settings();
        #[expect(clippy::cast_precision_loss, reason = "at most 2000")]
        let options = TaskOptions {
            route: request.route,
            model: request.model.clone(),
            device: settings.device,
            max_tokens: usize::try_from(settings.max_tokens).unwrap_or(1024),
            temperature: settings.temperature_milli as f32 / 1000.0,
            seed: u64::from_le_bytes(*fresh_seed().first_chunk().unwrap_or(&[0; 8])),
            provider: None,
            api_key: None,
        };
        self.send_with(request, &options, cancel, approver, on_event).map(|_| ())
    }

    /// `send` with other options than the settings', returning the stored answer.
    ///
    /// # Errors
    /// As `send`.
    pub fn send_with(
        &self,
        request: SendRequest,
        options: &TaskOptions,
        cancel: &Cancel,
        approver: &mut dyn Approver,
        on_event: &mut dyn FnMut(ChatEvent),
    ) -> Result<Message, Failure> {
        let opened = self.open_request(&request)?;
        on_event(ChatEvent::Started {
            question: opened.question.clone(),
            answer: opened.answer.clone(),
        });
        let mut text = opened.before.clone();
        let mut saved = Instant::now();
        let mut disk: Result<(), Failure> = Ok(());
        let done = self.run_request(&request, &opened, options, cancel, approver, &mut |event| {
            if let ChatEvent::Text { text: more } = &event {
                text.push_str(more);
                if saved.elapsed() >= CHECKPOINT {
                    disk =
                        self.conversations.checkpoint(&opened.answer, &text).map_err(Failure::from);
                    saved = Instant::now();
                }
            }
            on_event(event);
        });
        disk?;
        self.close(&request.conversation, &opened, text, done, on_event)
    }

    /// Stores what the request adds, before anything can fail slowly.
    fn open_request(&self, request: &SendRequest) -> Result<Opened, Failure> {
        let store = &self.conversations;
        let conversation = &request.conversation;
        store.summary(conversation)?;
        let mine = |id: &MessageId, role: Role| -> Result<Message, Failure> {
            let message = store.message(id)?;
            if store.conversation_of(id)? != *conversation || message.role != role {
                return Err(Failure::usage("This message cannot be taken up like that."));
            }
            Ok(message)
        };
        if let Some(id) = &request.continues {
            let answer = mine(id, Role::Assistant)?;
            let question = self.question_of(&answer)?;
            store.select(&answer.id)?;
            store.reopen(&answer.id)?;
            let before = answer.content.0;
            return Ok(Opened { question, answer: answer.id, before, unread: Vec::new() });
        }
        let (question, unread) = if let Some(id) = &request.regenerates {
            (self.question_of(&mine(id, Role::Assistant)?)?, Vec::new())
        } else {
            let parent = match &request.replaces {
                Some(id) => mine(id, Role::User)?.parent,
                None => store.head(conversation)?,
            };
            let question = store.add(&NewMessage {
                conversation,
                parent: parent.as_ref(),
                role: Role::User,
                content: &request.text,
                files: &request.files,
                state: MessageState::Complete,
            })?;
            (question, request.files.iter().map(PathBuf::from).collect())
        };
        let answer = store.add(&NewMessage {
            conversation,
            parent: Some(&question.id),
            role: Role::Assistant,
            content: "",
            files: &[],
            state: MessageState::Streaming,
        })?;
        store.touch(conversation, None, Some(&title(&question)))?;
        Ok(Opened { question, answer: answer.id, before: String::new(), unread })
    }

    fn question_of(&self, answer: &Message) -> Result<Message, Failure> {
        let parent = answer
            .parent
            .as_ref()
            .ok_or_else(|| Failure::usage("This answer follows no question."))?;
        Ok(self.conversations.message(parent)?)
    }

    fn run_request(
        &self,
        request: &SendRequest,
        opened: &Opened,
        options: &TaskOptions,
        cancel: &Cancel,
        approver: &mut dyn Approver,
        on_event: &mut dyn FnMut(ChatEvent),
    ) -> Result<Done, Failure> {
        if !opened.unread.is_empty() {
            let documents = self.headless.read(&opened.unread, cancel, on_event)?;
            self.conversations.keep_documents(&opened.question.id, &documents)?;
        }
        let mut said = self.said(&opened.question.id)?;
        if !opened.before.is_empty() {
            said.push(Said {
                role: Role::Assistant,
                content: opened.before.as_str().into(),
                documents: Vec::new(),
            });
        }
        let mut map = self.conversations.pseudonyms(&request.conversation)?;
        let known = map.len();
        let job = Job { said: &said, options, summary: false, without_model: true };
        let done = self.headless.run(&job, &mut map, approver, cancel, on_event);
        if map.len() != known {
            self.conversations.keep_pseudonyms(&request.conversation, &map)?;
        }
        done
    }

    /// The branch up to a message, as a model hears it.
    pub(crate) fn said(&self, question: &MessageId) -> Result<Vec<Said>, Failure> {
        let mut said: Vec<Said> = Vec::new();
        for message in self.conversations.path(question)? {
            // An answer that failed before its first word says nothing.
            if message.role == Role::Assistant && message.content.trim().is_empty() {
                continue;
            }
            let documents = self.conversations.documents(&message.id)?;
            match said.last_mut() {
                // Templates want the roles to alternate.
                Some(last) if last.role == message.role => {
                    last.content.0.push_str("\n\n");
                    last.content.0.push_str(&message.content);
                    last.documents.extend(documents);
                }
                _ => said.push(Said { role: message.role, content: message.content, documents }),
            }
        }
        Ok(said)
    }

    fn close(
        &self,
        conversation: &ConversationId,
        opened: &Opened,
        text: String,
        done: Result<Done, Failure>,
        on_event: &mut dyn FnMut(ChatEvent),
    ) -> Result<Message, Failure> {
        let store = &self.conversations;
        let (state, footer, failure) = match done {
            Ok(done) => {
                let failure = done.written.failure.clone();
                let state = match (&failure, done.written.finish) {
                    (Some(_), _) => MessageState::Failed,
                    (None, Some(FinishReason::Cancelled)) => MessageState::Stopped,
                    (None, Some(FinishReason::Length)) => MessageState::Truncated,
                    (None, _) => MessageState::Complete,
                };
                (state, Some(footer(done)), failure)
            }
            Err(failure) if failure.kind == FailureKind::Cancelled => {
                (MessageState::Stopped, None, None)
            }
            Err(failure) => (MessageState::Failed, None, Some(failure)),
        };
        let route: Option<Route> = footer.as_ref().and_then(|footer| footer.route.chosen);
        let message = store.finish(&opened.answer, &text, state, footer.as_ref())?;
        store.touch(conversation, route, None)?;
        match failure {
            None => {
                on_event(ChatEvent::Finished { message: message.clone() });
                Ok(message)
            }
            Some(failure) => {
                on_event(ChatEvent::Failed { failure: failure.clone(), message: Some(message) });
                Err(failure)
            }
        }
    }
}

fn footer(done: Done) -> Footer {
    let written = done.written;
    Footer {
        model: written.model,
        device: written.device,
        route: done.decision,
        tokens: written.tokens,
        timings: written.timings,
        citations: written.citations,
        coverage: written.coverage,
        files: done.files,
        outbound: done.outbound,
        cost: done.cost,
        notices: written.notices,
    }
}

/// The question, or the first file's name where a file was dropped without a word.
fn title(question: &Message) -> String {
    if !question.content.trim().is_empty() {
        return question.content.0.clone();
    }
    question
        .files
        .first()
        .map(|path| crate::reading::name_of(std::path::Path::new(path)).0)
        .unwrap_or_default()
}

/// An id is as random as a seed has to be.
fn fresh_seed() -> Vec<u8> {
    MessageId::new().0.into_bytes().into_iter().rev().collect()
}
