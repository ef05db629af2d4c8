//! `Encoder`: tokens to hidden states, many texts in one tensor. It neither cuts text nor pools.

use std::path::Path;
use std::sync::Arc;

use burn::tensor::{Device, Tensor, TensorData};
use nearside_kernels::{Compute, LayerNorm, PackedShape, layer_norm};
use serde::Deserialize;

use super::layer::EncoderLayer;
use super::weights::{EncoderWeights, Table};
use crate::tokenizer::TokenId;
use crate::{Error, Result};

/// Sizes of an encoder, from `config.json`.
#[derive(Debug, Clone, PartialEq)]
pub struct EncoderSettings {
    pub width: usize,
    pub layers: usize,
    pub heads: usize,
    pub feed_forward: usize,
    /// Tokens that a text may have.
    pub longest: usize,
    pub norm_epsilon: f32,
}

/// An encoder with its weights in memory. Immutable; share it in an `Arc`.
#[derive(Debug)]
pub struct Encoder {
    settings: EncoderSettings,
    compute: Compute,
    device: Device,
    words: Table,
    positions: Table,
    /// The vector that every token of a first text has.
    kind: Vec<f32>,
    norm: Arc<LayerNorm>,
    layers: Vec<EncoderLayer>,
}

impl Encoder {
    /// Loads the first `layers` layers (all for `None`) from a folder with `config.json` and
    /// `model.safetensors`.
    ///
    /// # Errors
    /// When a file is missing, is not of the BERT family, or contradicts itself.
    pub fn load(folder: &Path, compute: Compute, layers: Option<usize>) -> Result<Self> {
        let mut settings = EncoderSettings::open(&folder.join("config.json"))?;
        if let Some(wanted) = layers {
            settings.layers = settings.layers.min(wanted);
        }
        let weights = EncoderWeights::open(&folder.join("model.safetensors"))?;
        let width = settings.width;
        let words = weights.table("embeddings.word_embeddings.weight", width)?;
        let positions = weights.table("embeddings.position_embeddings.weight", width)?;
        settings.longest = settings.longest.min(positions.rows());
        let mut kind = vec![0.0; width];
        weights.table("embeddings.token_type_embeddings.weight", width)?.read(0, &mut kind)?;
        let norm = weights.norm("embeddings.LayerNorm", width, settings.norm_epsilon)?;
        let layers = (0..settings.layers)
            .map(|index| EncoderLayer::load(&weights, &compute, &settings, index))
            .collect::<Result<Vec<_>>>()?;
        Ok(Self { settings, compute, device: Device::flex(), words, positions, kind, norm, layers })
    }

    #[must_use]
    pub fn settings(&self) -> &EncoderSettings {
        &self.settings
    }

    #[must_use]
    pub fn compute(&self) -> &Compute {
        &self.compute
    }

    /// Size of the vocabulary.
    #[must_use]
    pub fn vocabulary(&self) -> usize {
        self.words.rows()
    }

    /// Bytes of the repacked weights; the table of words is read from its file.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.layers.iter().map(EncoderLayer::bytes).sum()
    }

    /// The hidden states after the last layer, `[token][width]`, of texts one after another.
    ///
    /// # Errors
    /// When a text has more tokens than positions, or a token is not in the vocabulary.
    pub fn forward(&self, texts: &[&[TokenId]]) -> Result<Vec<f32>> {
        let mut last = Vec::new();
        self.forward_with(
            texts,
            &mut |layer, states| {
                if layer == self.layers.len() {
                    last = states;
                }
            },
            &|layer| layer == self.layers.len(),
        )?;
        Ok(last)
    }

    /// The same, handing out the states after the layers that `wanted` names: 0 is the embedding.
    ///
    /// # Errors
    /// As `forward`.
    pub fn forward_with(
        &self,
        texts: &[&[TokenId]],
        take: &mut dyn FnMut(usize, Vec<f32>),
        wanted: &dyn Fn(usize) -> bool,
    ) -> Result<()> {
        let lengths: Vec<usize> = texts.iter().map(|text| text.len()).collect();
        let rows = lengths.iter().sum();
        if rows == 0 {
            return Ok(());
        }
        if lengths.iter().any(|length| *length > self.settings.longest) {
            let (prompt, context) = (lengths.into_iter().max().unwrap_or(0), self.settings.longest);
            return Err(Error::ContextOverflow { prompt, context });
        }
        let EncoderSettings { width, heads, .. } = self.settings;
        let shape = Arc::new(PackedShape { heads, head_size: width / heads, lengths });
        let refused = |error: nearside_kernels::KernelError| Error::Unsupported(error.to_string());
        let x = TensorData::new(self.embed(texts)?, [rows, width]);
        let x = Tensor::<2>::from_data(x, &self.device);
        let mut x = layer_norm(&self.compute, x, &self.norm).map_err(refused)?;
        for index in 0..=self.layers.len() {
            if index > 0 {
                x = self.layers[index - 1].forward(&self.compute, x, &shape)?;
            }
            if wanted(index) {
                let states = x.clone().into_data().try_to_vec().map_err(|error| Error::Device {
                    why: format!("{error:?}").chars().take(120).collect(),
                })?;
                take(index, states);
            }
        }
        Ok(())
    }

    /// The states after several layers side by side, `[token][layers.len() * width]`.
    ///
    /// # Errors
    /// As `forward`, and when there is no such layer.
    pub fn features(&self, texts: &[&[TokenId]], layers: &[usize]) -> Result<Vec<f32>> {
        let width = self.settings.width;
        if layers.iter().any(|layer| *layer > self.layers.len()) {
            return Err(Error::Unsupported("the encoder has fewer layers".to_owned()));
        }
        let tokens: usize = texts.iter().map(|text| text.len()).sum();
        let mut out = vec![0.0; tokens * layers.len() * width];
        let mut take = |layer: usize, states: Vec<f32>| {
            for (part, _) in layers.iter().enumerate().filter(|(_, wanted)| **wanted == layer) {
                let rows = out.chunks_exact_mut(layers.len() * width);
                for (row, state) in rows.zip(states.chunks_exact(width)) {
                    row[part * width..(part + 1) * width].copy_from_slice(state);
                }
            }
        };
        self.forward_with(texts, &mut take, &|layer| layers.contains(&layer))?;
        Ok(out)
    }

    /// Sums of word, position and kind.
    fn embed(&self, texts: &[&[TokenId]]) -> Result<Vec<f32>> {
        let width = self.settings.width;
        let rows = texts.iter().map(|text| text.len()).sum::<usize>();
        let mut out = vec![0.0; rows * width];
        let mut position = vec![0.0; width];
        let places = texts.iter().flat_map(|text| text.iter().enumerate());
        for (row, (at, token)) in out.chunks_exact_mut(width).zip(places) {
            self.words.read(*token as usize, row)?;
            self.positions.read(at, &mut position)?;
            for ((x, position), kind) in row.iter_mut().zip(&position).zip(&self.kind) {
                *x += position + kind;
            }
        }
        Ok(out)
    }
}

#[derive(Deserialize)]
struct Config {
    model_type: String,
    hidden_act: String,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    max_position_embeddings: usize,
    layer_norm_eps: f32,
}

impl EncoderSettings {
    fn open(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path)
            .map_err(|source| Error::Open { path: path.display().to_string(), source })?;
        let config: Config = serde_json::from_slice(&bytes)
            .map_err(|_| Error::Metadata("config.json is not an encoder's".to_owned()))?;
        if config.model_type != "bert" || config.hidden_act != "gelu" {
            return Err(Error::Unsupported(
                "only encoders of the BERT family with GELU run here".into(),
            ));
        }
        let heads = config.num_attention_heads;
        let sound = heads > 0
            && config.hidden_size.is_multiple_of(heads)
            && (config.hidden_size / heads).is_multiple_of(16)
            && config.hidden_size.is_multiple_of(32)
            && config.intermediate_size.is_multiple_of(32)
            && config.intermediate_size > 0
            && (1..=64).contains(&config.num_hidden_layers)
            && config.hidden_size > 0
            && config.max_position_embeddings >= 2;
        if !sound {
            return Err(Error::Metadata("the sizes in config.json cannot be".to_owned()));
        }
        Ok(Self {
            width: config.hidden_size,
            layers: config.num_hidden_layers,
            heads,
            feed_forward: config.intermediate_size,
            longest: config.max_position_embeddings,
            norm_epsilon: config.layer_norm_eps,
        })
    }
}
