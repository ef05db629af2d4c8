//! The window's user interface: install its packages, build it, check it. Everything else about it is npm's.

use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use anyhow::Result;

use crate::place::Place;
use crate::step::{run, say};

fn npm(place: &Place, arguments: &[&str]) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(&place.root).args(arguments).env("npm_config_fund", "false");
    command.env("npm_config_audit", "false").env("npm_config_update_notifier", "false");
    command
}

fn changed(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|meta| meta.modified()).ok()
}

/// Installs exactly the locked packages, when the lock file is newer than what is installed.
fn install(place: &Place) -> Result<()> {
    let at = |file: &str| changed(&place.root.join(file));
    if let (Some(installed), Some(locked)) =
        (at("node_modules/.package-lock.json"), at("package-lock.json"))
        && installed >= locked
    {
        return Ok(());
    }
    run(&mut npm(place, &["ci", "--no-progress"]))
}

/// Builds `ui/dist`, unless nothing that goes into it is newer: the binary holds it, and is built again
/// whenever it changes.
pub(crate) fn build() -> Result<()> {
    let place = Place::find()?;
    install(&place)?;
    let sources = ["ui/src", "ui/index.html", "ui/vite.config.ts", "package-lock.json"];
    let newest = sources.iter().filter_map(|source| newest(&place.root.join(source))).max();
    if changed(&place.root.join("ui/dist/index.html")) > newest {
        say("ui/dist is fresh");
        return Ok(());
    }
    run(&mut npm(&place, &["run", "build"]))
}

/// When a file, or anything in a folder, was last changed. A folder changes when a file in it goes.
fn newest(path: &Path) -> Option<SystemTime> {
    let inside = std::fs::read_dir(path).ok().into_iter().flatten().flatten();
    inside.filter_map(|entry| newest(&entry.path())).chain(changed(path)).max()
}

/// Types, lints, translations and unit tests.
pub(crate) fn check() -> Result<()> {
    let place = Place::find()?;
    install(&place)?;
    for script in ["check", "lint", "test"] {
        run(&mut npm(&place, &["run", script]))?;
    }
    Ok(())
}
