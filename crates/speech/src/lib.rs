//! Speech: sound files and microphones in, transcripts out, all on this machine.
//!
//! It opens no socket, fetches no model and stores nothing: models are named by path.

mod error;

pub use error::{Error, Result};
