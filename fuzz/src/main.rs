//! Fuzzing on stable Rust: mutated bytes for every parser of foreign bytes.
//!
//! ```text
//! nearside-fuzz all SECONDS [SEED]            all targets, sharing the time
//! nearside-fuzz one TARGET SECONDS [SEED]     one target
//! nearside-fuzz replay TARGET BASE64          one input again, to see it fail
//! ```
//!
//! Each target runs in a process of its own, so that a panic, an abort, a hang or a flood of memory ends
//! only that process; the input at fault is made again from seed and number and printed as Base64. It is
//! no coverage-guided fuzzer: inputs are mutations of a small corpus that code builds. To add a parser,
//! see `targets.rs`.
#![expect(clippy::print_stdout, reason = "a development tool that reports on standard output")]

mod child;
mod library;
mod models;
mod mutate;
mod parent;
mod privacy;
mod speech;
mod targets;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use targets::{TARGETS, Target};

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["replay", name, input] => {
            let input = STANDARD.decode(input).context("the input is not Base64")?;
            (find(name)?.run)(&input);
            println!("{name} took this input without a fault");
            Ok(ExitCode::SUCCESS)
        }
        ["child", name, seconds, seed] => {
            Ok(child::run(find(name)?, Duration::from_secs_f64(seconds.parse()?), seed.parse()?))
        }
        ["all", seconds] => all(seconds, "1", TARGETS),
        ["all", seconds, seed] => all(seconds, seed, TARGETS),
        ["one", name, seconds] => all(seconds, "1", std::slice::from_ref(find(name)?)),
        ["one", name, seconds, seed] => all(seconds, seed, std::slice::from_ref(find(name)?)),
        _ => bail!("say what and for how many seconds, for example: nearside-fuzz all 20"),
    }
}

fn find(name: &str) -> Result<&'static Target> {
    TARGETS.iter().find(|target| target.name == name).with_context(|| {
        let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        format!("there is no target {name}; there are {}", names.join(", "))
    })
}

/// Runs the targets one after the other and reports each.
fn all(seconds: &str, seed: &str, targets: &'static [Target]) -> Result<ExitCode> {
    let seconds: f64 = seconds.parse().context("the seconds are not a number")?;
    let seed: u64 = seed.parse().context("the seed is not a whole number")?;
    let each = Duration::from_secs_f64((seconds / targets.len() as f64).max(0.1));
    let mut faults = 0;
    for target in targets {
        let report = parent::watch(target, each, seed)?;
        println!("{}: {} inputs with seed {seed}", target.name, report.inputs);
        if let Some(fault) = report.fault {
            faults += 1;
            let input = STANDARD.encode(mutate::input(target, seed, fault.number));
            println!("{}: {}, at input {}", target.name, fault.what, fault.number);
            println!("  again: cargo run -p nearside-fuzz -- replay {} {input}", target.name);
        }
    }
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
