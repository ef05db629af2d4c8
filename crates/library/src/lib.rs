//! The library: every file read honestly, cut into passages, found again, and truly forgotten.
//!
//! [`extract`] turns a file into pages of text and exactly one status; [`worker`] runs it in a process of
//! its own, so that a hostile file can take down nothing else; [`chunk`] cuts pages into passages;
//! [`Library`] keeps them in a sealed database and searches them, by words and by vectors.
//!
//! It computes no vectors, knows no model (who reads pictures is handed in), opens no socket, and decides nothing about privacy.

mod chunking;
mod error;
mod extract;
mod kind;
mod limits;
mod store;
mod text;
pub mod worker;

pub use chunking::{Chunk, ChunkOptions, chunk};
pub use error::LibraryError;
pub use extract::{PictureReader, Source, extract, extract_with_pictures};
pub use kind::Kind;
pub use limits::Limits;
pub use store::{
    IndexOptions, IndexReport, IndexStatus, Library, MIGRATIONS, Passage, PendingPassage, Reader,
};
pub use text::decode::{Decoded, decode};
pub use text::script::{Script, estimated_tokens};
