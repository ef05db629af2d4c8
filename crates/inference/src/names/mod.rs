//! People, organisations and places by a small head on the first layers of multilingual-e5-small.
//!
//! [`NameTagger`] is the model; [`Tag`] and [`Transitions`] are what its trainer shares with it. The head's
//! weights are built in; the encoder is the one that the catalog installs. It decides nothing about what is
//! done with a name.

mod head;
mod tagger;
mod tags;
#[cfg(test)]
mod tests;

pub use head::{FEATURE_LAYERS, HeadWeights, KERNEL, NameHead, neighbours};
pub use tagger::NameTagger;
pub use tags::{KINDS, TAGS, Tag, Transitions};
