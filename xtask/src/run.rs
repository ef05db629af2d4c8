//! `cargo xtask run`: from a fresh machine to the open window, or, with no display, the same job headless.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::place::Place;
use crate::step::{run as step, say, timed};
use crate::{setup, user_interface, weights};

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    if let Some(odd) = arguments.iter().find(|word| *word != "--headless") {
        bail!("`{odd}` is not an option of run; --headless is");
    }
    let place = Place::find()?;
    let headless = !arguments.is_empty() || !has_display();
    timed("1/4 system packages", setup::setup)?;
    timed("2/4 the window's user interface", user_interface::build)?;
    timed("3/4 build (the first time takes a while)", || build(&place))?;
    let nearside = place.release_binary("nearside");
    timed("4/4 default weights", || weights::fetch(&place, &nearside, weights::DEFAULT))?;
    if headless {
        let why = if arguments.is_empty() { "there is no display" } else { "as you asked" };
        return timed(&format!("headless ({why}): index, summarise, ask"), || demonstrate(&place));
    }
    say("opening the window; this command ends when you quit Nearside");
    step(
        Command::new(place.release_binary("nearside-app"))
            .env("NEARSIDE_MODELS_DIR", &place.models),
    )
}

/// The three binaries as they are shipped: `cargo xtask deb` takes the same ones.
pub(crate) fn build(place: &Place) -> Result<()> {
    step(&mut place.cargo(&["build", "--release", "--features", "custom-protocol"]))
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
    let scratch = place.target.join("headless-demonstration");
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::create_dir_all(&scratch)?;
    let passphrase = scratch.join("passphrase");
    std::fs::write(&passphrase, format!("{:?}", std::time::SystemTime::now()))?;
    let nearside = place.release_binary("nearside");
    let call = |arguments: &[&str], stateful: bool| -> Result<()> {
        say(&format!("\n$ nearside {}", shown(arguments)));
        let mut command = Command::new(&nearside);
        command
            .args(arguments)
            .current_dir(&place.root)
            .env("NEARSIDE_MODELS_DIR", &place.models)
            .env("NEARSIDE_DATA_DIR", scratch.join("data"))
            .stdin(Stdio::null());
        if stateful {
            command.args(["--passphrase-fd", "0"]).stdin(std::fs::File::open(&passphrase)?);
        }
        step(&mut command)
    };
    let samples = Path::new("assets").join("samples");
    let report = samples.join("lease-report.pdf").display().to_string();
    let samples = samples.display().to_string();
    let question = "What is the panel code for the insurer?";
    call(&["index", "add", &samples], true)?;
    call(&["index", "status"], true)?;
    call(&["summarize", &report], false)?;
    call(&["ask", question, "--file", &report, "--max-tokens", "120"], false)?;
    std::fs::remove_dir_all(&scratch)?;
    say("\nThat was the headless run; where there is a display, this command opens the window.");
    Ok(())
}

/// Words as they would be typed.
fn shown(arguments: &[&str]) -> String {
    let quoted = |word: &&str| {
        if word.contains(' ') { format!("\"{word}\"") } else { (*word).to_owned() }
    };
    arguments.iter().map(quoted).collect::<Vec<_>>().join(" ")
}
