//! Running one thing after another, saying what is done and how long it took.
//!
//! The only place in xtask that prints. It does not decide what to run.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

#[expect(clippy::print_stdout, reason = "xtask speaks to the person who called it")]
pub(crate) fn say(text: &str) {
    println!("{text}");
}

#[expect(clippy::print_stderr, reason = "xtask speaks to the person who called it")]
pub(crate) fn complain(text: &str) {
    eprintln!("xtask: {text}");
}

/// Says `what`, does it, says how long it took.
pub(crate) fn timed<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    say(&format!("── {what}"));
    let begun = Instant::now();
    let result = work().with_context(|| what.to_owned())?;
    say(&format!("── {what}: done in {:.1} s", begun.elapsed().as_secs_f64()));
    Ok(result)
}

/// Whether a program can be started at all.
pub(crate) fn has(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| {
            folder.join(program).is_file() || folder.join(format!("{program}.exe")).is_file()
        })
    })
}

/// Runs a command and fails with its own words when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` ended with {status}");
    }
    Ok(())
}

/// Runs a command and returns what it wrote to standard output.
pub(crate) fn read(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        bail!("`{shown}` ended with {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{shown}` did not write UTF-8"))
}

/// A cargo command at the workspace's root, as if it were called by hand: `cargo xtask` tells its child about
/// xtask's own package, and a build script that watches those variables (ring's) would run again each time.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsStr::new("cargo").to_owned());
    let mut command = Command::new(program);
    command.current_dir(root).args(arguments);
    for (name, _) in std::env::vars_os() {
        let told = name.to_string_lossy();
        if ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"]
            .iter()
            .any(|prefix| told.starts_with(prefix))
        {
            command.env_remove(&name);
        }
    }
    command
}

fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
