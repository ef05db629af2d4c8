//! `Layer`: one block of a decoder, attention and gated feed-forward, each normalised before and added to
//! the residual stream after.

use std::sync::{Arc, Mutex};

use burn::tensor::Tensor;
use nearside_kernels::{
    Compute, HeadShape, KvLayer, Projection, RotaryTable, cached_attention, project, project_add,
    project_gated,
};

use super::settings::DecoderSettings;
use super::weights::{Weights, refused};
use crate::Result;

#[derive(Debug)]
pub(super) struct Layer {
    heads: HeadShape,
    /// Query, key and value in one.
    attention_in: Arc<Projection>,
    attention_out: Arc<Projection>,
    /// Gate and up in one.
    feed_forward_in: Arc<Projection>,
    feed_forward_out: Arc<Projection>,
}

impl Layer {
    pub(super) fn load(
        weights: &Weights<'_>,
        index: usize,
        settings: &DecoderSettings,
    ) -> Result<Self> {
        let DecoderSettings { width, feed_forward, heads, .. } = *settings;
        let name = |part: &str| format!("blk.{index}.{part}");
        let (queries, keys) = (heads.heads * heads.head_size, heads.kv_heads * heads.head_size);
        let (q, k, v) = (name("attn_q"), name("attn_k"), name("attn_v"));
        let (gate, up) = (name("ffn_gate"), name("ffn_up"));
        Ok(Self {
            heads,
            attention_in: weights.projection(
                Some(&name("attn_norm")),
                width,
                &[(&q, queries), (&k, keys), (&v, keys)],
            )?,
            attention_out: weights.projection(None, queries, &[(&name("attn_output"), width)])?,
            feed_forward_in: weights.projection(
                Some(&name("ffn_norm")),
                width,
                &[(&gate, feed_forward), (&up, feed_forward)],
            )?,
            feed_forward_out: weights.projection(
                None,
                feed_forward,
                &[(&name("ffn_down"), width)],
            )?,
        })
    }

    /// `[token, width]` to the same; appends keys and values to `cache`.
    pub(super) fn forward(
        &self,
        compute: &Compute,
        x: Tensor<2>,
        rotary: &Arc<RotaryTable>,
        cache: &Arc<Mutex<KvLayer>>,
    ) -> Result<Tensor<2>> {
        let fused = project(compute, x.clone(), &self.attention_in).map_err(refused)?;
        let mixed = cached_attention(compute, fused, self.heads, rotary, cache).map_err(refused)?;
        let x = project_add(compute, mixed, x, &self.attention_out).map_err(refused)?;
        let hidden = project_gated(compute, x.clone(), &self.feed_forward_in).map_err(refused)?;
        project_add(compute, hidden, x, &self.feed_forward_out).map_err(refused)
    }

    pub(super) fn bytes(&self) -> usize {
        [&self.attention_in, &self.attention_out, &self.feed_forward_in, &self.feed_forward_out]
            .into_iter()
            .map(|projection| projection.linear().bytes())
            .sum()
    }
}
