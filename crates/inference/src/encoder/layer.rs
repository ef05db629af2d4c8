//! `EncoderLayer`: attention and feed-forward, each added to its input and normalised after (Devlin et al.
//! 2018).

use std::sync::Arc;

use burn::tensor::Tensor;
use nearside_kernels::{
    Compute, LayerNorm, PackedShape, Projection, gelu, layer_norm, packed_attention, project,
    project_add,
};

use super::model::EncoderSettings;
use super::weights::EncoderWeights;
use crate::{Error, Result};

#[derive(Debug)]
pub(super) struct EncoderLayer {
    /// Query, key and value in one.
    attention_in: Arc<Projection>,
    attention_out: Arc<Projection>,
    attention_norm: Arc<LayerNorm>,
    feed_forward_in: Arc<Projection>,
    feed_forward_out: Arc<Projection>,
    feed_forward_norm: Arc<LayerNorm>,
}

impl EncoderLayer {
    pub(super) fn load(
        weights: &EncoderWeights,
        compute: &Compute,
        settings: &EncoderSettings,
        index: usize,
    ) -> Result<Self> {
        let EncoderSettings { width, feed_forward, norm_epsilon, .. } = *settings;
        let name = |part: &str| format!("encoder.layer.{index}.{part}");
        let inputs = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        let one = |part: &str, rows: usize, columns: usize| {
            weights.linear(compute, &[name(part)], rows, columns)
        };
        Ok(Self {
            attention_in: weights.linear(compute, &inputs, width, width)?,
            attention_out: one("attention.output.dense", width, width)?,
            attention_norm: weights.norm(
                &name("attention.output.LayerNorm"),
                width,
                norm_epsilon,
            )?,
            feed_forward_in: one("intermediate.dense", feed_forward, width)?,
            feed_forward_out: one("output.dense", width, feed_forward)?,
            feed_forward_norm: weights.norm(&name("output.LayerNorm"), width, norm_epsilon)?,
        })
    }

    pub(super) fn bytes(&self) -> usize {
        [&self.attention_in, &self.attention_out, &self.feed_forward_in, &self.feed_forward_out]
            .map(|projection| projection.linear().bytes())
            .iter()
            .sum()
    }

    pub(super) fn forward(
        &self,
        compute: &Compute,
        x: Tensor<2>,
        shape: &Arc<PackedShape>,
    ) -> Result<Tensor<2>> {
        let run = || {
            let fused = project(compute, x.clone(), &self.attention_in)?;
            let mixed = packed_attention(compute, fused, shape)?;
            let x = project_add(compute, mixed, x, &self.attention_out)?;
            let x = layer_norm(compute, x, &self.attention_norm)?;
            let inner = gelu(compute, project(compute, x.clone(), &self.feed_forward_in)?)?;
            let x = project_add(compute, inner, x, &self.feed_forward_out)?;
            layer_norm(compute, x, &self.feed_forward_norm)
        };
        run().map_err(|error| Error::Unsupported(error.to_string()))
    }
}
