//! `Decoder`: llama and qwen2 models from tokens to logits, one chunk at a time, over a KV cache that the
//! caller owns. It does not decide how long a chunk is, and neither samples nor stops.

use std::sync::Arc;

use burn::tensor::{Device, Tensor};
use nearside_kernels::{Compute, Projection, RotaryTable, project};

use super::embedding::Embedding;
use super::layer::Layer;
use super::settings::DecoderSettings;
use super::weights::{Weights, refused};
use crate::gguf::GgufFile;
use crate::kv_cache::KvCache;
use crate::tokenizer::TokenId;
use crate::{Error, Result};

/// A decoder with its weights in memory.
#[derive(Debug)]
pub struct Decoder {
    settings: DecoderSettings,
    compute: Compute,
    device: Device,
    embedding: Embedding,
    layers: Vec<Layer>,
    /// The last norm and the output matrix, which may be the embedding's.
    output: Arc<Projection>,
}

impl Decoder {
    /// Repacks the weights of `file` for the processor that `compute` stands for.
    ///
    /// # Errors
    /// When the architecture is not known, or tensors are missing or do not fit the metadata.
    pub fn load(file: &GgufFile, compute: Compute, device: Device) -> Result<Self> {
        let mut settings = DecoderSettings::from_gguf(file)?;
        let norm_epsilon = settings.norm_epsilon;
        let weights = Weights { file, compute: &compute, device: &device, norm_epsilon };
        let divisors = "rope_freqs.weight";
        if file.tensor(divisors).is_some() {
            settings.rotary.divisors = weights.vector(divisors, settings.rotary.dimensions / 2)?;
        }
        let embedding = Embedding::load(&weights, "token_embd.weight", settings.width)?;
        let layers = (0..settings.layers)
            .map(|index| Layer::load(&weights, index, &settings))
            .collect::<Result<Vec<_>>>()?;
        let tied = file.tensor("output.weight").is_none();
        let name = if tied { "token_embd" } else { "output" };
        let output = weights.projection(
            Some("output_norm"),
            settings.width,
            &[(name, embedding.tokens())],
        )?;
        Ok(Self { settings, compute, device, embedding, layers, output })
    }

    #[must_use]
    pub fn settings(&self) -> &DecoderSettings {
        &self.settings
    }

    /// Size of the vocabulary; logits have one entry each.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        self.embedding.tokens()
    }

    /// Bytes of the repacked weights.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.layers.iter().map(Layer::bytes).sum::<usize>() + self.output.linear().bytes()
    }

    /// An empty cache for this model.
    #[must_use]
    pub fn new_cache(&self) -> KvCache {
        KvCache::new(self.settings.layers, self.settings.heads)
    }

    /// Runs `tokens` after those in `cache` and keeps them there: the residual stream, `[token, width]`.
    ///
    /// # Errors
    /// When a token is not in the vocabulary; the cache is then as it was.
    pub fn advance(&self, tokens: &[TokenId], cache: &mut KvCache) -> Result<Tensor<2>> {
        let mut x = self.embedding.rows(tokens, &self.device)?;
        let rotary = RotaryTable::new(&self.settings.rotary, cache.len(), tokens.len());
        let rotary = Arc::new(rotary);
        for (layer, kv) in self.layers.iter().zip(cache.layers()) {
            match layer.forward(&self.compute, x, &rotary, kv) {
                Ok(next) => x = next,
                Err(error) => {
                    cache.truncate(cache.len());
                    return Err(error);
                }
            }
        }
        cache.extend(tokens);
        Ok(x)
    }

    /// Logits of the rows of a residual stream, `[token][vocabulary]`.
    ///
    /// # Errors
    /// When `hidden` is not one of this model's.
    pub fn logits(&self, hidden: Tensor<2>) -> Result<Vec<f32>> {
        let logits = project(&self.compute, hidden, &self.output).map_err(refused)?;
        let values = logits.try_into_data().map_err(|error| failed(&format!("{error:?}")))?;
        values.try_to_vec().map_err(|error| failed(&format!("{error:?}")))
    }

    /// Waits until the device has done what it was given.
    ///
    /// # Errors
    /// `Device` when it could not.
    pub fn sync(&self) -> Result<()> {
        self.device.sync().map_err(|error| failed(&format!("{error:?}")))
    }

    /// Logits after each of the last `count` of `tokens`, `[token][vocabulary]`.
    ///
    /// # Errors
    /// As `advance`.
    pub fn last_logits(
        &self,
        tokens: &[TokenId],
        count: usize,
        cache: &mut KvCache,
    ) -> Result<Vec<f32>> {
        let hidden = self.advance(tokens, cache)?;
        let first = tokens.len().saturating_sub(count);
        self.logits(hidden.slice([first..tokens.len(), 0..self.settings.width]))
    }
}

/// A device's complaint, with what people know it by.
fn failed(said: &str) -> Error {
    let why = if said.contains("poisoned") || said.contains("lost") || said.contains("Destroyed") {
        "the device was lost".to_owned()
    } else if said.to_lowercase().contains("memory") {
        "its memory is full".to_owned()
    } else {
        said.split(['\n', '\\']).next().unwrap_or_default().chars().take(120).collect()
    };
    Error::Device { why }
}
