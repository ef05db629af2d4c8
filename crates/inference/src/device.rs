//! Devices that models can run on here, which one is chosen, and why. The choice is a function of the list;
//! looking for adapters and opening one are apart from it. Nothing here runs a model.

use burn::tensor::Device;
use nearside_kernels::{Compute, Isa};
use nearside_types::{Adapter, DeviceChoice, DeviceKind, DeviceReason, Notice, Remark};

use crate::{Error, Result};

/// What `TextModel::device` says of the processor.
pub(crate) const CPU: &str = "cpu";

/// The devices of this machine, the processor first, with the one that `choice` leads to.
#[must_use]
pub fn devices(choice: DeviceChoice) -> Vec<Adapter> {
    let mut all = vec![processor()];
    all.extend(gpu_adapters().into_iter().map(|(adapter, _)| adapter));
    all.extend(neural_processors());
    choose(&mut all, choice);
    all
}

/// Marks the device that `choice` leads to and says of each why or why not.
fn choose(all: &mut [Adapter], choice: DeviceChoice) {
    let rank = |kind: DeviceKind| match (kind, choice) {
        (DeviceKind::DiscreteGpu, DeviceChoice::Auto | DeviceChoice::Gpu) => 4,
        (DeviceKind::IntegratedGpu, DeviceChoice::Auto | DeviceChoice::Gpu) => 3,
        // A rasteriser on the processor is used only where somebody insists.
        (DeviceKind::SoftwareGpu, DeviceChoice::Gpu) => 2,
        (DeviceKind::Cpu, _) => 1,
        _ => 0,
    };
    let best = all.iter().map(|adapter| rank(adapter.kind)).max().unwrap_or_default();
    let first = all.iter().position(|adapter| rank(adapter.kind) == best && best > 0);
    let chosen = first.map_or(DeviceKind::Cpu, |at| all[at].kind);
    for (at, adapter) in all.iter_mut().enumerate() {
        adapter.chosen = Some(at) == first;
        adapter.why = if adapter.chosen {
            why(chosen, choice)
        } else {
            why_not(adapter.kind, chosen, choice)
        }
        .into();
    }
}

fn why(chosen: DeviceKind, choice: DeviceChoice) -> DeviceReason {
    match (chosen, choice) {
        (DeviceKind::Cpu, DeviceChoice::Cpu) => DeviceReason::AskedFor,
        (DeviceKind::Cpu, DeviceChoice::Auto) if cfg!(feature = "gpu") => DeviceReason::NoGpuFound,
        (DeviceKind::Cpu, DeviceChoice::Gpu) if cfg!(feature = "gpu") => DeviceReason::GpuNotFound,
        (DeviceKind::Cpu, _) => DeviceReason::NoGpuBuilt,
        (DeviceKind::SoftwareGpu, _) => DeviceReason::SlowAskedFor,
        (_, DeviceChoice::Gpu) => DeviceReason::AskedFor,
        _ => DeviceReason::BestGpu,
    }
}

fn why_not(kind: DeviceKind, chosen: DeviceKind, choice: DeviceChoice) -> DeviceReason {
    match kind {
        DeviceKind::Npu => DeviceReason::NpuUnused,
        DeviceKind::Cpu => DeviceReason::GpuFound,
        _ if choice == DeviceChoice::Cpu => DeviceReason::CpuAskedFor,
        DeviceKind::SoftwareGpu if chosen == DeviceKind::Cpu => DeviceReason::Rasteriser,
        _ => DeviceReason::OtherGpu,
    }
}

/// Where a model computes.
#[derive(Debug, Clone)]
pub struct Placement {
    /// Threads and instruction set of the processor, which also prepares work for a GPU.
    pub compute: Compute,
    pub device: Device,
    /// `cpu`, or the adapter's name.
    pub name: String,
    /// What the user should know about this choice.
    pub notices: Vec<Notice>,
}

impl Placement {
    #[must_use]
    pub fn cpu(compute: Compute) -> Self {
        Self { compute, device: Device::flex(), name: CPU.to_owned(), notices: Vec::new() }
    }

    #[must_use]
    pub fn on_gpu(&self) -> bool {
        self.name != CPU
    }
}

/// Opens the device that `choice` leads to; one that fails is passed over, and a notice says so.
#[must_use]
pub fn place(choice: DeviceChoice, compute: Compute) -> Placement {
    let mut placement = Placement::cpu(compute);
    if choice == DeviceChoice::Cpu {
        return placement;
    }
    let mut all = vec![processor()];
    let (adapters, openers): (Vec<Adapter>, Vec<Opener>) = gpu_adapters().into_iter().unzip();
    all.extend(adapters);
    choose(&mut all, choice);
    let chosen = all.iter().position(|adapter| adapter.chosen).unwrap_or_default();
    let Some(opener) = chosen.checked_sub(1).and_then(|at| openers.get(at)) else {
        if choice == DeviceChoice::Gpu {
            placement.notices.push(Remark::NoGpuPath.into());
        }
        return placement;
    };
    match opener() {
        Ok(device) => {
            placement.device = device;
            placement.name.clone_from(&all[chosen].name);
        }
        Err(why) => {
            let name = all[chosen].name.clone();
            placement.notices.push(Remark::GpuUnusable { name, why }.into());
        }
    }
    placement
}

type Opener = Box<dyn Fn() -> Result<Device, String>>;

#[cfg(not(feature = "gpu"))]
fn gpu_adapters() -> Vec<(Adapter, Opener)> {
    Vec::new()
}

#[cfg(feature = "gpu")]
fn gpu_adapters() -> Vec<(Adapter, Opener)> {
    use nearside_kernels::gpu::{GpuClass, adapters, open};
    let listed = |found: nearside_kernels::gpu::GpuAdapter| {
        let adapter = Adapter {
            name: found.name.clone(),
            kind: match found.class {
                GpuClass::Discrete | GpuClass::Virtual => DeviceKind::DiscreteGpu,
                GpuClass::Integrated => DeviceKind::IntegratedGpu,
                GpuClass::Software => DeviceKind::SoftwareGpu,
            },
            backend: found.backend.to_owned(),
            memory: None,
            features: vec![found.driver.clone()],
            chosen: false,
            why: DeviceReason::CpuAskedFor.into(),
        };
        let opener: Opener = Box::new(move || open(&found).map_err(|error| error.to_string()));
        (adapter, opener)
    };
    adapters().into_iter().map(listed).collect()
}

/// Neural processors that the kernel knows. They are listed so that their owner need not wonder.
fn neural_processors() -> Vec<Adapter> {
    let folder = std::path::Path::new("/sys/class/accel");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let named = entries.map(|entry| Adapter {
        name: format!("NPU {}", entry.file_name().to_string_lossy()),
        kind: DeviceKind::Npu,
        backend: "none".to_owned(),
        memory: None,
        features: Vec::new(),
        chosen: false,
        why: DeviceReason::CpuAskedFor.into(),
    });
    named.collect()
}

fn processor() -> Adapter {
    Adapter {
        name: processor_name(),
        kind: DeviceKind::Cpu,
        backend: "flex".to_owned(),
        memory: main_memory(),
        features: Isa::processor_features(),
        chosen: false,
        why: DeviceReason::CpuAskedFor.into(),
    }
}

/// The threads and instruction set that models use: `NEARSIDE_ISA` forces one, read here and nowhere else.
/// `threads` 0 takes one for each physical core.
///
/// # Errors
/// When the variable names a set that is unknown or that the processor lacks.
pub fn compute_from_environment(threads: usize) -> Result<Compute> {
    let name = std::env::var("NEARSIDE_ISA").unwrap_or_default();
    compute(&name, threads)
}

/// The same with the name given; an empty one takes the best.
///
/// # Errors
/// When the set is unknown, or the processor lacks it.
pub fn compute(isa: &str, threads: usize) -> Result<Compute> {
    let failed = |error: nearside_kernels::KernelError| Error::Device { why: error.to_string() };
    let isa = Isa::named(isa).map_err(|error| Error::Environment(error.to_string()))?;
    Compute::new(isa, threads).map_err(failed)
}

/// The processor's own name where the system tells it.
fn processor_name() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    told.filter(|name| !name.is_empty())
        .unwrap_or_else(|| format!("CPU ({})", std::env::consts::ARCH))
}

/// Bytes of main memory, where the system tells them.
#[must_use]
pub fn main_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(kind: DeviceKind) -> Adapter {
        Adapter { kind, ..processor() }
    }

    #[test]
    fn the_best_device_for_a_choice_is_taken_and_every_other_says_why_not() {
        use DeviceKind::{Cpu, DiscreteGpu, IntegratedGpu, Npu, SoftwareGpu};
        let check = |kinds: &[DeviceKind], choice, expected: DeviceKind| {
            let mut all: Vec<Adapter> = kinds.iter().copied().map(adapter).collect();
            choose(&mut all, choice);
            let chosen: Vec<_> = all.iter().filter(|a| a.chosen).map(|a| a.kind).collect();
            assert_eq!(chosen, [expected], "{kinds:?} {choice:?}");
            assert!(all.iter().all(|a| !a.why.text.is_empty()), "{kinds:?} {choice:?}");
        };
        check(&[Cpu], DeviceChoice::Auto, Cpu);
        check(&[Cpu], DeviceChoice::Gpu, Cpu);
        check(&[Cpu, SoftwareGpu, Npu], DeviceChoice::Auto, Cpu);
        check(&[Cpu, SoftwareGpu], DeviceChoice::Gpu, SoftwareGpu);
        check(&[Cpu, IntegratedGpu, DiscreteGpu, SoftwareGpu], DeviceChoice::Auto, DiscreteGpu);
        check(&[Cpu, IntegratedGpu, IntegratedGpu], DeviceChoice::Auto, IntegratedGpu);
        check(&[Cpu, IntegratedGpu, DiscreteGpu], DeviceChoice::Cpu, Cpu);
    }

    #[test]
    fn the_processor_is_listed_first() {
        for choice in [DeviceChoice::Auto, DeviceChoice::Cpu, DeviceChoice::Gpu] {
            let all = devices(choice);
            assert_eq!(all[0].kind, DeviceKind::Cpu);
            assert!(!all[0].name.is_empty());
            assert_eq!(all.iter().filter(|adapter| adapter.chosen).count(), 1);
        }
    }

    #[test]
    fn an_unknown_instruction_set_is_refused_in_a_sentence() {
        let error = compute("mmx", 1).unwrap_err().to_string();
        assert!(error.contains("use avx512, avxvnni, avx2, portable or reference"), "{error}");
    }
}
