//! `KernelOps` for burn's CubeCL backend. Shapes were checked by the wrappers; nothing here waits for the
//! device, so an error of the device shows when a caller reads values.

use std::sync::{Arc, Mutex, PoisonError};

use burn::tensor::{DType, Shape};
use burn_cubecl::CubeBackend;
use burn_cubecl::cubecl::server::Handle;
use burn_cubecl::kernel::into_contiguous_aligned;
use burn_cubecl::tensor::CubeTensor;

use super::kv::DeviceKv;
use super::launch::{self, Rows};
use super::matrix::numbers;
use crate::ops::{KernelOps, Projection};
use crate::{Compute, HeadShape, KvLayer, RotaryTable};

/// What a projection has on the device beside its matrices.
pub(crate) struct Uploaded {
    norm: Option<Handle>,
    bias: Option<Handle>,
}

/// Rows of `columns` numbers as a tensor beside `like`.
fn tensor(like: &CubeTensor, handle: Handle, rows: usize, columns: usize) -> CubeTensor {
    CubeTensor::new_contiguous(
        like.client.clone(),
        like.device.clone(),
        Shape::from([rows, columns]),
        handle,
        DType::F32,
    )
}

/// `norm(x) · weightsᵀ + bias + residual` as a buffer.
fn products(
    x: &CubeTensor,
    residual: Option<&CubeTensor>,
    weights: &Projection,
) -> (Handle, usize) {
    let client = &x.client;
    let linear = weights.linear();
    let tokens = x.meta.shape()[0];
    let uploaded = weights.uploaded.get_or_init(|| Uploaded {
        norm: weights.norm().map(|norm| numbers(client, &norm.weight)),
        bias: linear.bias.as_deref().map(|bias| numbers(client, bias)),
    });
    let input = match (weights.norm(), &uploaded.norm) {
        (Some(norm), Some(weight)) => {
            let sizes = (tokens, linear.columns());
            launch::normalise(client, &x.handle, weight, sizes, norm.epsilon)
        }
        _ => x.handle.clone(),
    };
    let out = client.empty(4 * tokens * linear.rows());
    let rows = Rows {
        x: &input,
        tokens,
        out: &out,
        out_columns: linear.rows(),
        bias: uploaded.bias.as_ref(),
        residual: residual.map(|residual| &residual.handle),
    };
    let mut from = 0;
    for part in &linear.parts {
        // The wrappers let only weights of this device come here.
        if let Some(matrix) = &part.device {
            launch::product(client, &rows, matrix, from);
        }
        from += part.rows();
    }
    (out, tokens)
}

impl KernelOps for CubeBackend {
    fn project(x: CubeTensor, weights: Arc<Projection>, _: Compute) -> CubeTensor {
        let x = into_contiguous_aligned(x);
        let (out, tokens) = products(&x, None, &weights);
        tensor(&x, out, tokens, weights.linear().rows())
    }

    fn project_add(
        x: CubeTensor,
        residual: CubeTensor,
        weights: Arc<Projection>,
        _: Compute,
    ) -> CubeTensor {
        let (x, residual) = (into_contiguous_aligned(x), into_contiguous_aligned(residual));
        let (out, tokens) = products(&x, Some(&residual), &weights);
        tensor(&x, out, tokens, weights.linear().rows())
    }

    fn project_gated(x: CubeTensor, weights: Arc<Projection>, _: Compute) -> CubeTensor {
        let x = into_contiguous_aligned(x);
        let (both, tokens) = products(&x, None, &weights);
        let width = weights.linear().rows() / 2;
        let out = launch::gate(&x.client, &both, tokens, width);
        tensor(&x, out, tokens, width)
    }

    fn cached_attention(
        fused: CubeTensor,
        shape: HeadShape,
        rotary: Arc<RotaryTable>,
        cache: Arc<Mutex<KvLayer>>,
        _: Compute,
    ) -> CubeTensor {
        let fused = into_contiguous_aligned(fused);
        let client = &fused.client;
        let tokens = fused.meta.shape()[0];
        let turns = rotary.uploaded.get_or_init(|| numbers(client, rotary.numbers()));
        let mut layer = cache.lock().unwrap_or_else(PoisonError::into_inner);
        let (held, width) = (layer.len(), shape.kv_heads * shape.head_size);
        let kv = DeviceKv::grown(layer.device.take(), client, width, held, held + tokens);
        let rotation = (rotary.pairing, rotary.half);
        let out =
            launch::attention(client, (&fused.handle, turns), tokens, shape, rotation, &layer, &kv);
        layer.device = Some(kv);
        layer.advance(tokens);
        tensor(&fused, out, tokens, shape.heads * shape.head_size)
    }
}
