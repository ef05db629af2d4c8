//! The end-to-end test: a real window under Xvfb, a real session bus and keychain, a real drag, a real
//! inference server as the cloud. The script that drives it is tests/end_to_end; this prepares and calls it.

use std::process::Command;

use anyhow::{Result, bail};

use crate::place::Place;
use crate::step::{has, run, say};
use crate::{user_interface, weights};

pub(crate) fn end_to_end() -> Result<()> {
    if !cfg!(target_os = "linux") {
        say("the end-to-end test runs on Linux only; skipped here");
        return Ok(());
    }
    for needed in
        ["xvfb-run", "dbus-run-session", "gnome-keyring-daemon", "WebKitWebDriver", "xdotool"]
    {
        if !has(needed) {
            bail!("{needed} is missing; `cargo xtask test --only setup` installs it");
        }
    }
    let place = Place::find()?;
    user_interface::build()?;
    place.build_everything()?;
    weights::fetch(&place, &place.binary("nearside"), &["smollm2-135m"])?;
    let python = weights::python(&place)?;
    let shots = place.artefacts.join("screenshots");
    let _ = std::fs::remove_dir_all(&shots);
    std::fs::create_dir_all(&shots)?;
    run(Command::new("xvfb-run")
        .args(["-a", "-s", "-screen 0 1280x800x24", "dbus-run-session", "--", "sh"])
        .arg(place.root.join("tests/session.sh"))
        .arg("python3")
        .arg(place.root.join("tests/end_to_end/main.py"))
        .current_dir(&place.root)
        .env("NEARSIDE_APP", place.binary("nearside-app"))
        .env("NEARSIDE_CLI", place.binary("nearside"))
        .env("NEARSIDE_WEIGHTS", &place.models)
        .env("NEARSIDE_TEST_PYTHON", python)
        .env("NEARSIDE_SHOTS", &shots)
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
        .env("NO_AT_BRIDGE", "1"))?;
    say(&format!("screenshots are in {}", shots.display()));
    Ok(())
}
