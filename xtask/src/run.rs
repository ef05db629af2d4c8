//! `cargo xtask run`: from a fresh machine to the open window, or, with no display, the same job headless.

use std::process::Command;

use anyhow::Result;

use crate::place::Place;
use crate::step::{run as step, say, timed};
use crate::{setup, user_interface, weights};

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let place = Place::find()?;
    let headless = arguments.iter().any(|word| word == "--headless") || !has_display();
    timed("1/4 system packages", setup::setup)?;
    timed("2/4 the window's user interface", user_interface::build)?;
    timed("3/4 build (the first time takes a while)", || {
        step(&mut place.cargo(&["build", "--release", "--features", "custom-protocol"]))
    })?;
    let nearside = place.release_binary("nearside");
    timed("4/4 default weights", || weights::fetch(&place, &nearside, weights::DEFAULT))?;
    if headless {
        return timed("headless: index, summarise, ask", || demonstrate(&place));
    }
    say("opening the window");
    step(
        Command::new(place.release_binary("nearside-app"))
            .env("NEARSIDE_MODELS_DIR", &place.models),
    )
}

fn has_display() -> bool {
    cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|v| !v.is_empty()))
}

/// What a person would do first in the window, from the command line. The index lies in a folder of its
/// own, under a passphrase made up for it, since a machine without a display often has no keychain.
fn demonstrate(place: &Place) -> Result<()> {
    let nearside = place.release_binary("nearside");
    let samples = place.root.join("assets").join("samples");
    let scratch = place.target.join("headless-demonstration");
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::create_dir_all(&scratch)?;
    let passphrase = scratch.join("passphrase");
    std::fs::write(&passphrase, format!("{:?}", std::time::SystemTime::now()))?;
    let report = samples.join("lease-report.pdf");
    let call = |arguments: &[&str], stateful: bool| -> Result<()> {
        say(&format!("$ nearside {}", arguments.join(" ")));
        let mut command = Command::new(&nearside);
        command
            .args(arguments)
            .env("NEARSIDE_MODELS_DIR", &place.models)
            .env("NEARSIDE_DATA_DIR", &scratch);
        if stateful {
            command.args(["--passphrase-fd", "0"]).stdin(std::fs::File::open(&passphrase)?);
        }
        step(&mut command)
    };
    let (folder, report) = (samples.display().to_string(), report.display().to_string());
    call(&["index", "add", &folder], true)?;
    call(&["index", "status"], true)?;
    call(&["summarize", &report], false)?;
    call(
        &[
            "ask",
            "What is the panel code for the insurer?",
            "--file",
            &report,
            "--max-tokens",
            "120",
        ],
        false,
    )?;
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(())
}
