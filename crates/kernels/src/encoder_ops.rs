//! The operations that encoders add to `KernelOps`, through `#[backend_extension]`: attention over packed
//! sequences, layer normalisation and GELU. They run on `Device::flex()`.

use std::sync::Arc;

use burn::backend::flex::{FlexTensor, Layout};
use burn::backend::tensor::FloatTensor;
use burn::backend::{Backend, Dispatch, Flex, backend_extension};
use burn::tensor::{Bytes, DType, Shape, Tensor};

use crate::layer_norm::{self, LayerNorm};
use crate::packed_attention::{COLUMNS, attend};
use crate::{Compute, KernelError};

/// Sequences that lie one after another in a tensor of `[token, column]`, and the heads that look at them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedShape {
    pub heads: usize,
    /// A multiple of 16.
    pub head_size: usize,
    /// Tokens of each sequence; they add up to the rows.
    pub lengths: Vec<usize>,
}

/// All tensors have two dimensions, `[token, column]`, and hold `f32`.
#[backend_extension(Flex)]
pub trait EncoderOps: Backend {
    /// Each sequence of `fused`, rows of query, key and value, attends to itself.
    fn packed_attention(
        fused: FloatTensor<Self>,
        shape: Arc<PackedShape>,
        compute: Compute,
    ) -> FloatTensor<Self>;

    /// Layer normalisation of each row.
    fn layer_norm(
        x: FloatTensor<Self>,
        norm: Arc<LayerNorm>,
        compute: Compute,
    ) -> FloatTensor<Self>;

    /// The exact GELU of each element.
    fn gelu_exact(x: FloatTensor<Self>, columns: usize, compute: Compute) -> FloatTensor<Self>;
}

impl EncoderOps for Flex {
    fn packed_attention(
        fused: FlexTensor,
        shape: Arc<PackedShape>,
        compute: Compute,
    ) -> FlexTensor {
        let fused = fused.to_contiguous();
        let PackedShape { heads, head_size, lengths } = &*shape;
        let out = attend(&compute, values(&fused), *heads, *head_size, lengths);
        rows_of(out, heads * head_size)
    }

    fn layer_norm(x: FlexTensor, norm: Arc<LayerNorm>, compute: Compute) -> FlexTensor {
        let x = x.to_contiguous();
        rows_of(layer_norm::layer_norm(&compute, values(&x), &norm), norm.columns())
    }

    fn gelu_exact(x: FlexTensor, columns: usize, compute: Compute) -> FlexTensor {
        let x = x.to_contiguous();
        rows_of(layer_norm::gelu(&compute, values(&x)), columns)
    }
}

/// The elements of a tensor that `to_contiguous` returned.
fn values(x: &FlexTensor) -> &[f32] {
    x.as_slice().unwrap_or_default()
}

fn rows_of(values: Vec<f32>, columns: usize) -> FlexTensor {
    let shape = Shape::from([values.len() / columns.max(1), columns]);
    FlexTensor::new(Bytes::from_elems(values), Layout::contiguous(shape), DType::F32)
}

fn check(x: &Tensor<2>, columns: usize) -> Result<(), KernelError> {
    if x.dims()[1] == columns && x.dtype() == DType::F32 {
        Ok(())
    } else {
        Err(KernelError::Shape("an operation got rows of another width or type"))
    }
}

/// Attention within each sequence: `[token, 3 * heads * head_size]` to `[token, heads * head_size]`.
///
/// # Errors
/// When the rows are not those of `shape`, or its head size is not a multiple of 16.
pub fn packed_attention(
    compute: &Compute,
    fused: Tensor<2>,
    shape: &Arc<PackedShape>,
) -> Result<Tensor<2>, KernelError> {
    check(&fused, 3 * shape.heads * shape.head_size)?;
    if shape.head_size == 0 || !shape.head_size.is_multiple_of(COLUMNS) {
        return Err(KernelError::Shape("a head's size must be a multiple of 16"));
    }
    if shape.lengths.iter().sum::<usize>() != fused.dims()[0] {
        return Err(KernelError::Shape("the sequences have other lengths than the rows"));
    }
    let out = <Dispatch as EncoderOps>::packed_attention(
        fused.into_dispatch(),
        Arc::clone(shape),
        compute.clone(),
    );
    Ok(Tensor::from_dispatch(out))
}

/// Layer normalisation of each row.
///
/// # Errors
/// When the rows are not as wide as `norm`.
pub fn layer_norm(
    compute: &Compute,
    x: Tensor<2>,
    norm: &Arc<LayerNorm>,
) -> Result<Tensor<2>, KernelError> {
    check(&x, norm.columns())?;
    let out =
        <Dispatch as EncoderOps>::layer_norm(x.into_dispatch(), Arc::clone(norm), compute.clone());
    Ok(Tensor::from_dispatch(out))
}

/// `x · Φ(x)` of each element.
///
/// # Errors
/// When `x` is not `f32`.
pub fn gelu(compute: &Compute, x: Tensor<2>) -> Result<Tensor<2>, KernelError> {
    let columns = x.dims()[1];
    check(&x, columns)?;
    let out = <Dispatch as EncoderOps>::gelu_exact(x.into_dispatch(), columns, compute.clone());
    Ok(Tensor::from_dispatch(out))
}
