//! GGUF, tokenizer, chat template, decoder models on burn, KV cache and sampling.
//!
//! A model file is mapped and checked by [`gguf`], which also holds the vocabulary that [`tokenizer`] and
//! the chat template that [`template`] are built from. Nothing here downloads, opens a socket or keeps
//! anything on disk; which model to use is the catalog's business.

mod error;
pub mod gguf;
pub mod sampling;
pub mod stream;
pub mod template;
pub mod tokenizer;

pub use error::{Error, Result};
