//! What a server needs of whoever computes. Calls block; the server gives each its own thread.

use nearside_types::{
    Cancel, EmbedderRole, Failure, GenerateOptions, Generation, TokenLogprob, TranscribeOptions,
    Transcript, Turn,
};

/// A model as `/v1/models` lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedModel {
    pub name: String,
    /// Tokens that prompt and answer may take together, where known without loading it.
    pub context_length: Option<usize>,
}

/// Vectors of unit length, one a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    pub vectors: Vec<Vec<f32>>,
    /// Of all texts together.
    pub tokens: usize,
}

pub trait Backend: Send + Sync + 'static {
    fn models(&self) -> Vec<ServedModel>;

    /// Writes the next assistant turn. Waits for its turn where one model serves many.
    ///
    /// # Errors
    /// `ModelMissing` for a name that is not served, `Usage` when the prompt does not fit.
    fn chat(
        &self,
        model: &str,
        turns: &[Turn],
        options: &GenerateOptions,
        cancel: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure>;

    /// Goes on writing a plain text.
    ///
    /// # Errors
    /// As `chat`.
    fn complete(
        &self,
        model: &str,
        text: &str,
        options: &GenerateOptions,
        cancel: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure>;

    /// How likely the model finds each token of a text.
    ///
    /// # Errors
    /// As `chat`.
    fn score(
        &self,
        model: &str,
        text: &str,
        top: usize,
        cancel: &Cancel,
    ) -> Result<Vec<TokenLogprob>, Failure>;

    /// The vectors of texts.
    ///
    /// # Errors
    /// `ModelMissing` for a name that is not served.
    fn embed(&self, model: &str, role: EmbedderRole, texts: &[&str]) -> Result<Embedded, Failure>;

    /// What is said in a sound file.
    ///
    /// # Errors
    /// `ModelMissing` where no speech model is installed, `NothingReadable` for bytes that are no sound.
    fn transcribe(
        &self,
        model: &str,
        sound: Vec<u8>,
        options: TranscribeOptions,
        cancel: &Cancel,
    ) -> Result<Transcript, Failure>;
}
