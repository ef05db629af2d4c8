//! `Embedding`: the rows of tokens, decoded from the mapped file when they are looked up. Only the pages of
//! tokens that occur are ever read.

use burn::tensor::{Device, Tensor, TensorData};
use nearside_kernels::{GgmlType, dequantize};

use super::weights::{Weights, refused};
use crate::gguf::SharedBytes;
use crate::tokenizer::TokenId;
use crate::{Error, Result};

#[derive(Debug)]
pub(super) struct Embedding {
    bytes: SharedBytes,
    kind: GgmlType,
    width: usize,
    tokens: usize,
}

impl Embedding {
    pub(super) fn load(weights: &Weights<'_>, name: &str, width: usize) -> Result<Self> {
        let (tokens, kind) = weights.table(name, width)?;
        let bytes = weights
            .file
            .shared_bytes(name)
            .ok_or_else(|| Error::Metadata(format!("the tensor {name} is missing")))?;
        Ok(Self { bytes, kind, width, tokens })
    }

    /// Size of the vocabulary.
    pub(super) fn tokens(&self) -> usize {
        self.tokens
    }

    /// `[token, width]`.
    pub(super) fn rows(&self, tokens: &[TokenId], device: &Device) -> Result<Tensor<2>> {
        let row_bytes = self.bytes.len() / self.tokens;
        let mut values = vec![0.0; tokens.len() * self.width];
        for (token, row) in tokens.iter().zip(values.chunks_exact_mut(self.width)) {
            let token = *token as usize;
            if token >= self.tokens {
                return Err(Error::Tokenizer(format!("it has no row for token {token}")));
            }
            let bytes = &self.bytes[token * row_bytes..(token + 1) * row_bytes];
            dequantize(self.kind, bytes, row).map_err(refused)?;
        }
        Ok(Tensor::from_data(TensorData::new(values, [tokens.len(), self.width]), device))
    }
}
