//! The window's user interface: install its packages, build it, check it. Everything else about it is npm's.

use std::process::Command;

use anyhow::Result;

use crate::place::Place;
use crate::step::run;

fn npm(place: &Place, arguments: &[&str]) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(&place.root).args(arguments).env("npm_config_fund", "false");
    command.env("npm_config_audit", "false").env("npm_config_update_notifier", "false");
    command
}

/// Installs exactly the locked packages, when the lock file is newer than what is installed.
fn install(place: &Place) -> Result<()> {
    let changed =
        |file: &str| std::fs::metadata(place.root.join(file)).and_then(|meta| meta.modified()).ok();
    if let (Some(installed), Some(locked)) =
        (changed("node_modules/.package-lock.json"), changed("package-lock.json"))
        && installed >= locked
    {
        return Ok(());
    }
    run(&mut npm(place, &["ci", "--no-progress"]))
}

pub(crate) fn build() -> Result<()> {
    let place = Place::find()?;
    install(&place)?;
    run(&mut npm(&place, &["run", "build"]))
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
