//! Plain text work that needs no model: terms, sentences, passages of documents, key sentences, citations.
//!
//! All of it is pure and deterministic. It knows English and Chinese word shapes, not their grammar.

mod citations;
mod key_sentences;
mod passages;
mod sentences;
mod terms;

#[cfg(test)]
mod tests;

pub(crate) use citations::cite;
pub(crate) use key_sentences::{KeySentence, key_sentences};
pub(crate) use passages::{Passage, passages, rank};
pub(crate) use sentences::sentences;
#[cfg(test)]
use terms::is_stop_word;
pub(crate) use terms::{is_mostly_chinese, terms};
