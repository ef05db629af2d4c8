//! Block-quantised matrix products, normalisation and attention as extension operations for burn, with
//! CPU SIMD chosen at run time and CubeCL kernels for a GPU. It reads no files and knows no model:
//! `inference` composes these into one.
#![recursion_limit = "256"]
#![expect(
    unsafe_code,
    reason = "SIMD intrinsics, one thread pool and disjoint writes; each place carries its proof"
)]

mod activations;
mod attention;
#[cfg(target_arch = "x86_64")]
mod attention_avx2;
#[cfg(target_arch = "x86_64")]
mod attention_avx512;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod compute;
mod dequantize;
mod disjoint;
mod encoder_ops;
mod error;
mod ggml_type;
#[cfg(feature = "gpu")]
pub mod gpu;
mod isa;
mod kv_layer;
mod layer_norm;
mod math;
mod matrix;
mod ops;
mod packed_attention;
#[cfg(target_arch = "x86_64")]
mod packed_attention_avx2;
mod pool;
mod portable;
mod product;
#[cfg(target_arch = "x86_64")]
mod quantize_avx2;
mod rotary;
#[cfg(test)]
mod tests;
mod tile;

pub use activations::RmsNorm;
pub use attention::HeadShape;
pub use compute::Compute;
pub use dequantize::dequantize;
pub use encoder_ops::{EncoderOps, PackedShape, gelu, layer_norm, packed_attention};
pub use error::KernelError;
pub use ggml_type::GgmlType;
pub use isa::Isa;
pub use kv_layer::KvLayer;
pub use layer_norm::LayerNorm;
pub use matrix::{Linear, Matrix};
pub use ops::{KernelOps, Projection, cached_attention, project, project_add, project_gated};
pub use pool::{Pool, physical_cores};
pub use rotary::{Pairing, RotarySettings, RotaryTable};
