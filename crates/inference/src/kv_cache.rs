//! `KvCache`: keys and values of all layers with the tokens they belong to, so that a prompt that begins as
//! the last one did is not computed again. It lives in memory; keeping blocks on disk is not its business.

use std::sync::{Arc, Mutex, PoisonError};

use nearside_kernels::{HeadShape, KvLayer};

use crate::tokenizer::TokenId;

/// The cache of one session.
#[derive(Debug)]
pub struct KvCache {
    layers: Vec<Arc<Mutex<KvLayer>>>,
    tokens: Vec<TokenId>,
}

impl KvCache {
    #[must_use]
    pub fn new(layers: usize, heads: HeadShape) -> Self {
        let layer = || Arc::new(Mutex::new(KvLayer::new(heads.kv_heads, heads.head_size)));
        Self { layers: (0..layers).map(|_| layer()).collect(), tokens: Vec::new() }
    }

    /// Tokens held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Bytes of keys and values in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.layers.iter().map(|l| l.lock().unwrap_or_else(PoisonError::into_inner).bytes()).sum()
    }

    /// Keeps what `prompt` shares with the tokens held, but leaves at least its last token to compute, and
    /// forgets the rest. Returns how many tokens are kept.
    pub fn reuse(&mut self, prompt: &[TokenId]) -> usize {
        let most = prompt.len().saturating_sub(1);
        let shared = self.tokens.iter().zip(&prompt[..most]).take_while(|(a, b)| a == b).count();
        self.truncate(shared);
        shared
    }

    /// Forgets tokens from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.tokens.truncate(len);
        for layer in &self.layers {
            layer.lock().unwrap_or_else(PoisonError::into_inner).truncate(len);
        }
    }

    pub(crate) fn layers(&self) -> &[Arc<Mutex<KvLayer>>] {
        &self.layers
    }

    /// Notes tokens whose keys and values every layer has taken in.
    pub(crate) fn extend(&mut self, tokens: &[TokenId]) {
        self.tokens.extend_from_slice(tokens);
    }
}
