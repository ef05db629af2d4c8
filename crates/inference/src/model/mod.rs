//! Decoder models: what the file says about one, its weights in memory, and the pass from tokens to logits.
//! They know tokens only as numbers; text, sampling and sessions are elsewhere.

mod decoder;
mod embedding;
mod layer;
mod settings;
mod weights;

pub use decoder::Decoder;
pub use settings::{Architecture, DecoderSettings};
