//! `TextEmbedder`: texts to vectors of unit length, the mean of the hidden states (Reimers and Gurevych
//! 2019; for E5, Wang et al. 2024 with the words "query: " and "passage: " in front).

use std::path::Path;

use nearside_kernels::Compute;
use nearside_types::{Embedder, EmbedderRole, Failure};

use super::{EncodedText, Encoder, EncoderTokenizer, batches};
use crate::{Error, Result};

/// An encoder that embeds texts.
#[derive(Debug)]
pub struct TextEmbedder {
    encoder: Encoder,
    tokenizer: EncoderTokenizer,
    /// Whether the model was trained with the role in front of each text.
    named_roles: bool,
}

impl TextEmbedder {
    /// Loads the folder of an installed encoder. `named_roles` for the E5 family.
    ///
    /// # Errors
    /// When a file is missing or not usable.
    pub fn load(folder: &Path, compute: Compute, named_roles: bool) -> Result<Self> {
        let tokenizer = EncoderTokenizer::open(&folder.join("tokenizer.json"))?;
        let encoder = Encoder::load(folder, compute, None)?;
        if encoder.vocabulary() < tokenizer.vocab_size() {
            let (rows, tokens) = (encoder.vocabulary(), tokenizer.vocab_size());
            return Err(Error::Metadata(format!("it has {tokens} tokens but rows for {rows}")));
        }
        Ok(Self { encoder, tokenizer, named_roles })
    }

    #[must_use]
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    #[must_use]
    pub fn tokenizer(&self) -> &EncoderTokenizer {
        &self.tokenizer
    }

    /// The vectors of `texts`, in their order.
    ///
    /// # Errors
    /// When the model computes no numbers.
    pub fn vectors(&self, role: EmbedderRole, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let prefix = match role {
            _ if !self.named_roles => "",
            EmbedderRole::Query => "query: ",
            EmbedderRole::Passage => "passage: ",
        };
        let longest = self.encoder.settings().longest;
        let encoded: Vec<EncodedText> = texts
            .iter()
            .map(|text| self.tokenizer.encode(&format!("{prefix}{}", head(text, longest)), longest))
            .collect();
        let mut out = Vec::with_capacity(texts.len());
        for batch in batches(&encoded, |text| text.ids.len()) {
            let batch: Vec<&[u32]> = batch.iter().map(|text| &*text.ids).collect();
            let states = self.encoder.forward(&batch)?;
            let mut states = states.chunks_exact(self.encoder.settings().width);
            for text in batch {
                out.push(mean(states.by_ref().take(text.len()))?);
            }
        }
        Ok(out)
    }
}

/// As much of a text as can become `longest` tokens: no token of either tokenizer is longer than this.
fn head(text: &str, longest: usize) -> &str {
    const LONGEST_PIECE: usize = 128;
    let end = text.char_indices().nth(longest * LONGEST_PIECE).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// The mean of rows, scaled to unit length.
fn mean<'a>(rows: impl Iterator<Item = &'a [f32]>) -> Result<Vec<f32>> {
    let mut sum: Vec<f32> = Vec::new();
    for row in rows {
        sum.resize(row.len(), 0.0);
        for (sum, x) in sum.iter_mut().zip(row) {
            *sum += x;
        }
    }
    let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
    if !length.is_normal() {
        return Err(Error::NotANumber);
    }
    sum.iter_mut().for_each(|x| *x /= length);
    Ok(sum)
}

impl Embedder for TextEmbedder {
    fn dimensions(&self) -> usize {
        self.encoder.settings().width
    }

    fn embed(&self, role: EmbedderRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, Failure> {
        Ok(self.vectors(role, texts)?)
    }
}
