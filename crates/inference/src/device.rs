//! Devices that models can run on here, which one is chosen, and why. This version has one: the processor.
//! It looks for no GPU, because no code that would use one is built in, and says so.

use nearside_kernels::{Compute, Isa};
use nearside_types::{Adapter, DeviceChoice, DeviceKind};

use crate::{Error, Result};

/// What `TextModel::device` says.
pub(crate) const CPU: &str = "cpu";

/// The devices of this machine with the one that `choice` leads to.
#[must_use]
pub fn devices(choice: DeviceChoice) -> Vec<Adapter> {
    let why = match choice {
        DeviceChoice::Auto => "no GPU path is built into this version, so models run on the CPU",
        DeviceChoice::Cpu => "asked for",
        DeviceChoice::Gpu => {
            "a GPU was asked for, but no GPU path is built into this version; models run on the CPU"
        }
    };
    vec![Adapter {
        name: processor_name(),
        kind: DeviceKind::Cpu,
        backend: "flex".to_owned(),
        memory: memory_bytes(),
        features: Isa::processor_features(),
        chosen: true,
        why: why.to_owned(),
    }]
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
    let failed = |error: nearside_kernels::KernelError| Error::Device {
        device: CPU.to_owned(),
        why: error.to_string(),
    };
    Compute::new(Isa::named(isa).map_err(failed)?, threads).map_err(failed)
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

/// Main memory, where the system tells it.
fn memory_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_listed_and_a_wish_for_a_gpu_is_answered_honestly() {
        for choice in [DeviceChoice::Auto, DeviceChoice::Cpu, DeviceChoice::Gpu] {
            let all = devices(choice);
            assert_eq!(all.len(), 1);
            assert!(all[0].chosen && !all[0].name.is_empty());
        }
        assert!(devices(DeviceChoice::Gpu)[0].why.contains("no GPU path is built"));
    }

    #[test]
    fn an_unknown_instruction_set_is_refused_in_a_sentence() {
        let error = compute("mmx", 1).unwrap_err().to_string();
        assert!(error.contains("use avx2, portable or reference"), "{error}");
    }
}
