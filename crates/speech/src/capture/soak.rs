//! Starts and stops a microphone many times and counts what is left behind.
//!
//! Threads, open files and memory are counted on Linux only; elsewhere they read 0.

use std::time::{Duration, Instant};

use nearside_types::Cancel;

use super::{Capture, CaptureOptions, Ended, Microphones};
use crate::Result;

/// Cycles before the first count, so that what is kept once is not counted as lost.
const WARM_UP: u32 = 5;

/// What a soak saw.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Soak {
    pub cycles: u32,
    /// Cycles in which nothing was heard.
    pub empty: u32,
    pub threads_before: u64,
    pub threads_after: u64,
    pub files_before: u64,
    pub files_after: u64,
    pub memory_before_kib: u64,
    pub memory_after_kib: u64,
    pub longest_start_ms: u64,
    /// From the start to the first sample.
    pub longest_first_ms: u64,
    pub longest_stop_ms: u64,
    pub seconds: f64,
}

/// Opens, hears something and closes, so many times.
///
/// # Errors
/// The first start that failed, or the first capture that ended by itself.
pub fn capture_soak(
    microphones: &Microphones,
    device: Option<&str>,
    cycles: u32,
    cancel: &Cancel,
) -> Result<Soak> {
    let begin = Instant::now();
    let mut soak = Soak::default();
    for cycle in 0..WARM_UP + cycles {
        if cycle == WARM_UP {
            (soak.threads_before, soak.files_before, soak.memory_before_kib) = counts();
        }
        if cancel.is_cancelled() {
            break;
        }
        let now = Instant::now();
        let capture = Capture::start(microphones, device, CaptureOptions::default())?;
        soak.longest_start_ms = soak.longest_start_ms.max(milliseconds(now));
        while capture.seconds() == 0.0 {
            if let Some(error) =
                capture.wait_ended(Duration::from_millis(5)).as_ref().and_then(Ended::error)
            {
                return Err(error);
            }
        }
        soak.longest_first_ms = soak.longest_first_ms.max(milliseconds(now));
        let now = Instant::now();
        let captured = capture.stop();
        soak.longest_stop_ms = soak.longest_stop_ms.max(milliseconds(now));
        soak.empty += u32::from(captured.samples.is_empty());
        soak.cycles = (cycle + 1).saturating_sub(WARM_UP);
    }
    (soak.threads_after, soak.files_after, soak.memory_after_kib) = settled(&soak);
    soak.seconds = begin.elapsed().as_secs_f64();
    Ok(soak)
}

fn milliseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The counts, once the sound server has answered the last closing.
fn settled(before: &Soak) -> (u64, u64, u64) {
    let until = Instant::now() + Duration::from_secs(5);
    loop {
        let (threads, files, memory) = counts();
        let back = threads <= before.threads_before && files <= before.files_before;
        if back || Instant::now() > until {
            return (threads, files, memory);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Threads, open files, resident memory in KiB.
fn counts() -> (u64, u64, u64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    };
    let files = std::fs::read_dir("/proc/self/fd").map_or(0, |folder| folder.count() as u64);
    (field("Threads:"), files, field("VmRSS:"))
}
