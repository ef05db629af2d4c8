//! Adapters that wgpu finds, and opening one. Which of them is worth using is for the caller to decide.

use std::panic::{AssertUnwindSafe, catch_unwind};

use burn::tensor::wgpu::WgpuBackend;
use burn::tensor::{Device, DeviceKind, Tensor};
use burn_cubecl::cubecl::wgpu::wgpu;

use crate::KernelError;

/// What an adapter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GpuClass {
    Discrete,
    Integrated,
    /// A part of a GPU that a hypervisor gives to a guest.
    Virtual,
    /// A rasteriser on the processor, such as llvmpipe.
    Software,
}

/// An adapter, listed without being opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GpuAdapter {
    pub name: String,
    pub class: GpuClass,
    /// The graphics interface: vulkan, metal or dx12.
    pub backend: &'static str,
    pub driver: String,
    /// Place among adapters of its class.
    pub index: usize,
}

/// Adapters on the interface that burn's wgpu would choose; none where no driver is installed.
#[must_use]
pub fn adapters() -> Vec<GpuAdapter> {
    let backends = [wgpu::Backend::Vulkan, wgpu::Backend::Metal, wgpu::Backend::Dx12];
    // A broken driver may panic inside its own start; to us it is an adapter that is not there.
    let found = catch_unwind(|| {
        let backends =
            backends.iter().fold(wgpu::Backends::empty(), |all, one| all | (*one).into());
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = backends;
        let instance = wgpu::Instance::new(descriptor);
        let all = burn_cubecl::cubecl::future::block_on(instance.enumerate_adapters(backends));
        all.into_iter().map(|adapter| adapter.get_info()).collect::<Vec<_>>()
    });
    let mut listed: Vec<GpuAdapter> = Vec::new();
    for info in found.unwrap_or_default() {
        let class = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => GpuClass::Discrete,
            wgpu::DeviceType::IntegratedGpu => GpuClass::Integrated,
            wgpu::DeviceType::VirtualGpu => GpuClass::Virtual,
            wgpu::DeviceType::Cpu => GpuClass::Software,
            wgpu::DeviceType::Other => continue,
        };
        let index = listed.iter().filter(|other| other.class == class).count();
        listed.push(GpuAdapter {
            name: info.name,
            class,
            backend: match info.backend {
                wgpu::Backend::Metal => "metal",
                wgpu::Backend::Dx12 => "dx12",
                _ => "vulkan",
            },
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            index,
        });
    }
    listed
}

/// Opens an adapter and multiplies two numbers on it, so that a driver that cannot is found out here.
///
/// # Errors
/// When the driver fails, with what it said.
pub fn open(adapter: &GpuAdapter) -> Result<Device, KernelError> {
    let kind = match adapter.class {
        GpuClass::Discrete => DeviceKind::DiscreteGpu(adapter.index),
        GpuClass::Integrated => DeviceKind::IntegratedGpu(adapter.index),
        GpuClass::Virtual => DeviceKind::VirtualGpu(adapter.index),
        GpuClass::Software => DeviceKind::Cpu,
    };
    let _ = WgpuBackend::Auto;
    let device = Device::wgpu(kind);
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let two = Tensor::<1>::from_floats([2.0, 3.0], &device);
        (two.clone() * two).try_into_data().map_err(|error| format!("{error:?}"))
    }));
    match attempt {
        Ok(Ok(data)) if data.as_slice::<f32>().is_ok_and(|product| product == [4.0, 9.0]) => {
            Ok(device)
        }
        Ok(Ok(_)) => Err(KernelError::Gpu("it multiplies wrongly".to_owned())),
        Ok(Err(why)) => Err(KernelError::Gpu(why.chars().take(200).collect())),
        Err(_) => Err(KernelError::Gpu("its driver failed at start".to_owned())),
    }
}
