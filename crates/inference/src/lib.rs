//! GGUF, tokenizer, chat template, decoder and encoder models on burn, KV cache and sampling.
//!
//! A model file is mapped and checked by [`gguf`], which also holds the vocabulary that [`tokenizer`] and
//! the chat template that [`template`] are built from. Nothing here downloads, opens a socket or keeps
//! anything on disk; which model to use is the catalog's business.

#![recursion_limit = "256"]

pub mod bench;
mod constraint;
pub mod device;
pub mod encoder;
mod error;
pub mod gguf;
mod kv_cache;
pub mod model;
pub mod names;
pub mod sampling;
pub mod session;
pub mod speculation;
pub mod stream;
pub mod template;
pub mod tokenizer;

pub use error::{Error, Result};
pub use kv_cache::KvCache;
pub use session::{LoadOptions, LocalModel};
