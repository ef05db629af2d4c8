//! One model behind the API: requests wait for each other, since two at once would only halve the speed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use nearside_serve::{Backend, Embedded, ServedModel};
use nearside_types::{
    Cancel, EmbedderRole, Failure, FailureKind, GenerateOptions, Generation, TextModel,
    TokenLogprob, TranscribeOptions, Transcript, Turn,
};

pub(crate) struct Single {
    served: ServedModel,
    // Held for a whole answer: the model's cache belongs to one conversation at a time.
    model: Mutex<Box<dyn TextModel>>,
}

impl Single {
    pub(crate) fn new(model: Box<dyn TextModel>) -> Self {
        let served = ServedModel {
            name: model.name().to_owned(),
            context_length: Some(model.context_length()),
        };
        Self { served, model: Mutex::new(model) }
    }

    /// Waits for its turn.
    fn hold(
        &self,
        model: &str,
        cancel: &Cancel,
    ) -> Result<MutexGuard<'_, Box<dyn TextModel>>, Failure> {
        if model != self.served.name {
            let sentence = format!("This node serves `{}` only.", self.served.name);
            return Err(Failure::new(FailureKind::ModelMissing, sentence));
        }
        let held = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        if cancel.is_cancelled() {
            return Err(Failure::new(FailureKind::Cancelled, "Stopped."));
        }
        Ok(held)
    }
}

impl Backend for Single {
    fn models(&self) -> Vec<ServedModel> {
        vec![self.served.clone()]
    }

    fn chat(
        &self,
        model: &str,
        turns: &[Turn],
        options: &GenerateOptions,
        cancel: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        self.hold(model, cancel)?.generate(turns, options, cancel, &mut |_, _| {}, on_text)
    }

    fn complete(
        &self,
        model: &str,
        text: &str,
        options: &GenerateOptions,
        cancel: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        self.hold(model, cancel)?.complete(text, options, cancel, on_text)
    }

    fn score(
        &self,
        model: &str,
        text: &str,
        top: usize,
        cancel: &Cancel,
    ) -> Result<Vec<TokenLogprob>, Failure> {
        self.hold(model, cancel)?.score(text, top, cancel)
    }

    fn embed(&self, _: &str, _: EmbedderRole, _: &[&str]) -> Result<Embedded, Failure> {
        Err(Failure::new(FailureKind::ModelMissing, "This node embeds nothing."))
    }

    fn transcribe(
        &self,
        _: &str,
        _: Vec<u8>,
        _: TranscribeOptions,
        _: &Cancel,
    ) -> Result<Transcript, Failure> {
        Err(Failure::new(FailureKind::ModelMissing, "This node hears nothing."))
    }
}
