//! Watches the process that runs a target: how it ends, that it goes on, and how much memory it takes.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::child::SLOW;
use crate::targets::Target;

/// An input that makes no progress for this long hangs.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);
const MOST_MEMORY: u64 = 1 << 30;

pub(crate) struct Report {
    pub(crate) inputs: u64,
    pub(crate) fault: Option<Fault>,
}

pub(crate) struct Fault {
    /// Of the input, under the seed.
    pub(crate) number: u64,
    pub(crate) what: &'static str,
}

/// Runs the target for this long.
pub(crate) fn watch(target: &Target, time: Duration, seed: u64) -> Result<Report> {
    let program = std::env::current_exe().context("this program's own path is unknown")?;
    let mut child = Command::new(program)
        .args(["child", target.name, &time.as_secs_f64().to_string(), &seed.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .context("the target's process could not be started")?;
    let mut announced = child.stdout.take().context("the target's process has no output")?;
    let (sender, numbers) = channel();
    let reader = std::thread::spawn(move || {
        let mut number = [0; 8];
        while announced.read_exact(&mut number).is_ok() {
            if sender.send(u64::from_le_bytes(number)).is_err() {
                break;
            }
        }
    });

    let mut number = 0;
    let mut changed = Instant::now();
    let mut looked = Instant::now();
    let killed = loop {
        match numbers.recv_timeout(Duration::from_millis(100)) {
            Ok(next) => {
                number = next;
                changed = Instant::now();
            }
            Err(RecvTimeoutError::Timeout) if changed.elapsed() > LONGEST_SILENCE => {
                break Some("it hangs");
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break None,
        }
        if looked.elapsed() > Duration::from_millis(50) {
            looked = Instant::now();
            if memory(&child).is_some_and(|bytes| bytes > MOST_MEMORY) {
                break Some("it takes more than 1 GiB of memory");
            }
        }
    };
    if killed.is_some() {
        child.kill().context("the target's process could not be ended")?;
    }
    let status = child.wait().context("the target's process was lost")?;
    drop(numbers);
    let _ = reader.join();
    let what = match killed {
        Some(what) => Some(what),
        None if status.success() => None,
        None if status.code() == Some(i32::from(SLOW)) => Some("it takes longer than a second"),
        None if status.code().is_some() => Some("it panics"),
        None => Some("it ends the process"),
    };
    Ok(Report { inputs: number, fault: what.map(|what| Fault { number, what }) })
}

/// Bytes that the process keeps in memory; none where the system does not tell.
fn memory(child: &Child) -> Option<u64> {
    let pages = std::fs::read_to_string(format!("/proc/{}/statm", child.id())).ok()?;
    let resident: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    resident.checked_mul(4096)
}
