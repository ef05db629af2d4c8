//! Encoders of the BERT family on burn with our kernels: multilingual-e5-small and MiniLM, from the folder
//! that the catalog installs (`config.json`, `model.safetensors`, `tokenizer.json`).
//!
//! [`EncoderTokenizer`] cuts text, [`Encoder`] turns tokens into hidden states, [`TextEmbedder`] makes unit
//! vectors of them. Many texts run as one tensor without padding. Nothing here downloads or trains.

mod batch;
mod embed;
mod layer;
mod model;
mod normalise;
mod quantise;
mod ranges;
#[cfg(test)]
mod tests;
mod tokenizer;
mod trie;
mod unigram;
mod weights;
mod wordpiece;

pub use batch::batches;
pub use embed::TextEmbedder;
pub use model::{Encoder, EncoderSettings};
pub use tokenizer::{EncodedText, EncoderTokenizer};
