//! The operations that burn gets from us, through `#[backend_extension]`, and their wrappers over
//! `burn::tensor::Tensor`. On `Device::flex()` they run on the SIMD kernels of this crate, on a GPU on those of `gpu`; models
//! call only the wrappers.
//!
//! Weights and caches are ordinary arguments behind an `Arc`: burn's tensors have no block formats.

use std::sync::{Arc, Mutex, PoisonError};

use burn::backend::flex::{FlexTensor, Layout};
use burn::backend::tensor::FloatTensor;
use burn::backend::{Backend, Dispatch, Flex, backend_extension};
use burn::tensor::{Bytes, DType, Shape, Tensor};

use crate::activations::RmsNorm;
use crate::attention::{HeadShape, attend};
use crate::product;
use crate::{Compute, KernelError, KvLayer, Linear, RotaryTable};

/// Quantised weights with the normalisation that comes before them, if any.
pub struct Projection {
    norm: Option<RmsNorm>,
    linear: Linear,
    /// Norm and bias on the GPU, sent there when they are first used.
    #[cfg(feature = "gpu")]
    pub(crate) uploaded: std::sync::OnceLock<crate::gpu::Uploaded>,
}

impl std::fmt::Debug for Projection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Projection({:?})", self.linear)
    }
}

impl Projection {
    /// # Errors
    /// When the norm is not as wide as the input of the weights.
    pub fn new(norm: Option<RmsNorm>, linear: Linear) -> Result<Self, KernelError> {
        if norm.as_ref().is_some_and(|norm| norm.weight.len() != linear.columns()) {
            return Err(KernelError::Shape("a norm is not as wide as the matrix after it"));
        }
        Ok(Self {
            norm,
            linear,
            #[cfg(feature = "gpu")]
            uploaded: std::sync::OnceLock::new(),
        })
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn norm(&self) -> Option<&RmsNorm> {
        self.norm.as_ref()
    }

    #[must_use]
    pub fn linear(&self) -> &Linear {
        &self.linear
    }
}

/// Operations beyond burn's own. All tensors have two dimensions, `[token, column]`, and hold `f32`.
#[cfg_attr(feature = "gpu", backend_extension(Cube, Flex))]
#[cfg_attr(not(feature = "gpu"), backend_extension(Flex))]
pub trait KernelOps: Backend {
    /// `norm(x) · weightsᵀ + bias`.
    fn project(
        x: FloatTensor<Self>,
        weights: Arc<Projection>,
        compute: Compute,
    ) -> FloatTensor<Self>;

    /// `norm(x) · weightsᵀ + bias + residual`.
    fn project_add(
        x: FloatTensor<Self>,
        residual: FloatTensor<Self>,
        weights: Arc<Projection>,
        compute: Compute,
    ) -> FloatTensor<Self>;

    /// SwiGLU: `silu(norm(x) · gateᵀ) * (norm(x) · upᵀ)`, the two parts of `weights`.
    fn project_gated(
        x: FloatTensor<Self>,
        weights: Arc<Projection>,
        compute: Compute,
    ) -> FloatTensor<Self>;

    /// Causal attention of rows of query, key and value, which are rotated and appended to the cache.
    fn cached_attention(
        fused: FloatTensor<Self>,
        shape: HeadShape,
        rotary: Arc<RotaryTable>,
        cache: Arc<Mutex<KvLayer>>,
        compute: Compute,
    ) -> FloatTensor<Self>;
}

impl KernelOps for Flex {
    fn project(x: FlexTensor, weights: Arc<Projection>, compute: Compute) -> FlexTensor {
        let x = x.to_contiguous();
        let rows = values(&x);
        let out = product::linear(&compute, rows, weights.norm.as_ref(), &weights.linear, None);
        rows_of(out, weights.linear.rows())
    }

    fn project_add(
        x: FlexTensor,
        residual: FlexTensor,
        weights: Arc<Projection>,
        compute: Compute,
    ) -> FlexTensor {
        let (x, residual) = (x.to_contiguous(), residual.to_contiguous());
        let (norm, linear) = (weights.norm.as_ref(), &weights.linear);
        let out = product::linear(&compute, values(&x), norm, linear, Some(values(&residual)));
        rows_of(out, linear.rows())
    }

    fn project_gated(x: FlexTensor, weights: Arc<Projection>, compute: Compute) -> FlexTensor {
        let x = x.to_contiguous();
        let out = product::gated(&compute, values(&x), weights.norm.as_ref(), &weights.linear);
        rows_of(out, weights.linear.rows() / 2)
    }

    fn cached_attention(
        fused: FlexTensor,
        shape: HeadShape,
        rotary: Arc<RotaryTable>,
        cache: Arc<Mutex<KvLayer>>,
        compute: Compute,
    ) -> FlexTensor {
        let fused = fused.to_contiguous();
        let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
        let out = attend(&compute, values(&fused), shape, &rotary, &mut cache);
        rows_of(out, shape.heads * shape.head_size)
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

/// That rows fit the weights and are where they are.
fn check_home(x: &Tensor<2>, linear: &Linear) -> Result<(), KernelError> {
    check(x, linear.columns())?;
    #[cfg(feature = "gpu")]
    let on_gpu = crate::gpu::cube_device(&x.device()).is_some();
    #[cfg(not(feature = "gpu"))]
    let on_gpu = false;
    if linear.parts.iter().all(|part| part.on_gpu() == on_gpu) {
        Ok(())
    } else {
        Err(KernelError::Shape("rows and weights are on different devices"))
    }
}

/// `norm(x) · weightsᵀ + bias`: `[token, columns]` to `[token, rows]`.
///
/// # Errors
/// When `x` does not have the weights' columns or is not `f32`.
pub fn project(
    compute: &Compute,
    x: Tensor<2>,
    weights: &Arc<Projection>,
) -> Result<Tensor<2>, KernelError> {
    check_home(&x, &weights.linear)?;
    let out =
        <Dispatch as KernelOps>::project(x.into_dispatch(), Arc::clone(weights), compute.clone());
    Ok(Tensor::from_dispatch(out))
}

/// `norm(x) · weightsᵀ + bias + residual`.
///
/// # Errors
/// When `x` or `residual` do not fit the weights or are not `f32`.
pub fn project_add(
    compute: &Compute,
    x: Tensor<2>,
    residual: Tensor<2>,
    weights: &Arc<Projection>,
) -> Result<Tensor<2>, KernelError> {
    check_home(&x, &weights.linear)?;
    check(&residual, weights.linear.rows())?;
    if residual.dims()[0] != x.dims()[0] {
        return Err(KernelError::Shape("a residual has another number of rows"));
    }
    let out = <Dispatch as KernelOps>::project_add(
        x.into_dispatch(),
        residual.into_dispatch(),
        Arc::clone(weights),
        compute.clone(),
    );
    Ok(Tensor::from_dispatch(out))
}

/// SwiGLU over the two equal parts, gate and up, of `weights`: `[token, rows / 2]`.
///
/// # Errors
/// When `x` does not fit, or the weights are not two matrices of one size.
pub fn project_gated(
    compute: &Compute,
    x: Tensor<2>,
    weights: &Arc<Projection>,
) -> Result<Tensor<2>, KernelError> {
    check_home(&x, &weights.linear)?;
    let parts = &weights.linear.parts;
    if parts.len() != 2 || parts[0].rows() != parts[1].rows() || weights.linear.bias.is_some() {
        return Err(KernelError::Shape("a gated layer needs gate and up of one size, no bias"));
    }
    let out = <Dispatch as KernelOps>::project_gated(
        x.into_dispatch(),
        Arc::clone(weights),
        compute.clone(),
    );
    Ok(Tensor::from_dispatch(out))
}

/// Causal attention; appends the rows' keys and values to `cache`. `[token, heads * head_size]`.
///
/// # Errors
/// When the rows, the rotary table or the cache have other sizes than `shape`.
pub fn cached_attention(
    compute: &Compute,
    fused: Tensor<2>,
    shape: HeadShape,
    rotary: &Arc<RotaryTable>,
    cache: &Arc<Mutex<KvLayer>>,
) -> Result<Tensor<2>, KernelError> {
    check(&fused, shape.fused_columns())?;
    let whole_groups = shape.kv_heads > 0 && shape.heads.is_multiple_of(shape.kv_heads);
    if !whole_groups || shape.head_size == 0 || !shape.head_size.is_multiple_of(8) {
        return Err(KernelError::Shape("heads must come in whole groups, of a multiple of 8"));
    }
    if 2 * rotary.half > shape.head_size || rotary.positions() < fused.dims()[0] {
        return Err(KernelError::Shape("the rotation does not fit the heads or the rows"));
    }
    {
        let cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
        if (cache.heads, cache.head_size) != (shape.kv_heads, shape.head_size) {
            return Err(KernelError::Shape("a cache was made for other heads"));
        }
    }
    let out = <Dispatch as KernelOps>::cached_attention(
        fused.into_dispatch(),
        shape,
        Arc::clone(rotary),
        Arc::clone(cache),
        compute.clone(),
    );
    Ok(Tensor::from_dispatch(out))
}
