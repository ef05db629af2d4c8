//! `cargo xtask cross`: compiles the libraries, the command line and the node for Windows and Arm, runs their
//! tests (on Windows those of the edges to the system), and tries the command line under wine and qemu. Outside
//! CI's time.
//!
//! It proves correctness, not speed; macOS can only be compiled on macOS.

mod emulator;
mod trial;

use anyhow::{Result, bail};

use crate::place::Place;
use crate::step::{has, read, run, say, timed};
use crate::{setup, weights};
use emulator::Emulator;

/// One system that is not this one.
pub(crate) struct Target {
    /// As `--only` takes it.
    name: &'static str,
    triple: &'static str,
    compiler: &'static str,
    packages: &'static [&'static str],
    /// What `cargo test` is told, a call each; it ends among the words for the test program.
    tests: &'static [&'static [&'static str]],
    suffix: &'static str,
}

const TARGETS: &[Target] = &[
    Target {
        name: "windows",
        triple: "x86_64-pc-windows-gnu",
        compiler: "x86_64-w64-mingw32-gcc",
        packages: &["gcc-mingw-w64-x86-64", "wine64"],
        // The worker process with its bounds, and the local socket: a Job object and a named pipe.
        tests: &[&["--lib", "--", "worker::", "attach::"], &["--test", "main", "--", "workers::"]],
        suffix: ".exe",
    },
    Target {
        name: "arm",
        triple: "aarch64-unknown-linux-gnu",
        compiler: "aarch64-linux-gnu-gcc",
        packages: &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user-static"],
        // All but those with real weights, which are too slow here: the trial asks the smallest model instead.
        tests: &[&["--lib", "--"], &["--test", "main", "--", "--skip", "real_model::"]],
        suffix: "",
    },
];

/// The binaries, and the crates with code that is written once for each system. Always all of them, since
/// another selection would pick other features of what they depend on and compile it again.
const PACKAGES: [&str; 8] = [
    "--package",
    "nearside-cli",
    "--package",
    "nearside-node",
    "--package",
    "nearside-library",
    "--package",
    "nearside-engine",
];

/// `--only windows`, `--only arm`, `--gpu` (the GPU stack too, which takes as long again).
pub(crate) fn cross(arguments: &[String]) -> Result<()> {
    let (mut only, mut gpu) = (None, false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--gpu" => gpu = true,
            "--only" => only = words.next(),
            other => bail!("`{other}` is not an option of cross; --only windows|arm and --gpu are"),
        }
    }
    if let Some(name) = only
        && !TARGETS.iter().any(|target| target.name == name)
    {
        bail!("there is no target `{name}`; the targets are windows and arm");
    }
    if !cfg!(target_os = "linux") {
        bail!("cross builds are set up for Linux; on this system use the target's own machine");
    }
    let place = Place::find()?;
    for target in TARGETS.iter().filter(|target| only.is_none_or(|name| name == target.name)) {
        let what = |step: &str| format!("{}: {step}", target.name);
        timed(&what("system packages"), || prepare(target))?;
        let emulator = Emulator::find(&place, target)?;
        timed(&what("the libraries, the command line and the node"), || {
            build(&place, target, gpu)
        })?;
        timed(&what("the tests"), || tests(&place, target, &emulator))?;
        timed(&what("the command line, tried"), || trial::trial(&place, target, &emulator))?;
    }
    say("what was chosen compiles and runs");
    Ok(())
}

fn prepare(target: &Target) -> Result<()> {
    setup::install(target.packages)?;
    if !has(target.compiler) {
        bail!("{} is missing; install {}", target.compiler, target.packages.join(", "));
    }
    // Asked first, because adding wants the network even when there is nothing to add.
    let installed =
        read(std::process::Command::new("rustup").args(["target", "list", "--installed"]))?;
    if installed.lines().any(|line| line == target.triple) {
        return Ok(());
    }
    run(std::process::Command::new("rustup").args(["target", "add", target.triple]))
}

/// A cargo command for the target. Without the GPU stack it picks the features of a machine that has none.
fn cargo(place: &Place, target: &Target, words: &[&str], gpu: bool) -> std::process::Command {
    let mut command = place.cargo(words);
    command.args(PACKAGES).args(["--target", target.triple]);
    if !gpu {
        command.arg("--no-default-features");
    }
    let variable = |what: &str| {
        format!("CARGO_TARGET_{}_{what}", target.triple.to_uppercase().replace('-', "_"))
    };
    command.env(variable("LINKER"), target.compiler);
    command
}

fn build(place: &Place, target: &Target, gpu: bool) -> Result<()> {
    // The tests too: they, too, pick features.
    let words = ["build", "--bins", "--lib", "--test", "main", "--example", "extract-worker"];
    run(&mut cargo(place, target, &words, gpu))
}

fn tests(place: &Place, target: &Target, emulator: &Emulator) -> Result<()> {
    for words in target.tests {
        let mut command = cargo(place, target, &["test"], false);
        emulator.for_cargo(&mut command, target);
        // One at a time, since each worker has a clock.
        run(command.args(*words).arg("--test-threads=1"))?;
    }
    Ok(())
}

/// The model that is small enough for an emulator.
fn model_folder(place: &Place) -> Result<std::path::PathBuf> {
    if place.models.join(trial::MODEL_FILE).is_file() {
        return Ok(place.models.clone());
    }
    // The product's own command fetches it, built for this machine.
    run(&mut place.cargo(&["build", "--package", "nearside-cli", "--no-default-features"]))?;
    let nearside = place.binary("nearside");
    weights::fetch(place, &nearside, &[trial::MODEL])?;
    weights::by_name(place, &nearside, &[trial::MODEL])
}
