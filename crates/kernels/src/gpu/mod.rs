//! The extension ops on a GPU: CubeCL kernels behind burn's wgpu device, and the weights and caches that
//! live there. It neither looks for adapters' merits nor falls back: a caller asks `adapters`, opens one and
//! reads errors when it reads values.

mod adapter;
mod kernels;
mod kv;
mod launch;
mod matrix;
mod ops;
mod pack;
#[cfg(test)]
mod tests;

pub use adapter::{GpuAdapter, GpuClass, adapters, open};
pub(crate) use kv::DeviceKv;
pub(crate) use matrix::DeviceMatrix;
pub(crate) use ops::Uploaded;

use burn::tensor::Device;
use burn_cubecl::CubeDevice;

/// The device behind burn's, when it is a GPU's.
pub(crate) fn cube_device(device: &Device) -> Option<&CubeDevice> {
    match device.as_dispatch() {
        burn::backend::DispatchDevice::Cube(device) => Some(device),
        _ => None,
    }
}
