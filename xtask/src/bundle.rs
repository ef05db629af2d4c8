//! The .deb: build it, install it, start what it installed, remove it, and see that nothing stays behind.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::place::Place;
use crate::step::{run, say};
use crate::user_interface;

pub(crate) fn deb() -> Result<()> {
    let place = Place::find()?;
    user_interface::build()?;
    run(&mut place.cargo(&["build", "--release", "--package", "nearside-cli"]))?;
    stage()?;
    run(Command::new("npx")
        .current_dir(&place.root)
        .args(["--no-install", "tauri", "build", "--bundles", "deb"])
        .env("CARGO_TARGET_DIR", &place.target)
        .env("CI", "true"))?;
    let folder = place.target.join("release/bundle/deb");
    let package = newest(&folder)?;
    say(&format!("built {}", package.display()));
    if crate::step::read(Command::new("id").arg("-u"))?.trim() != "0" {
        say("not root: the package is built, and not installed");
        return Ok(());
    }
    run(Command::new("apt-get")
        .args(["-qq", "install", "-y"])
        .arg(&package)
        .env("DEBIAN_FRONTEND", "noninteractive"))?;
    run(Command::new("/usr/bin/nearside").arg("--version"))?;
    run(Command::new("/usr/bin/nearside-app").arg("--version"))?;
    run(Command::new("apt-get").args(["-qq", "remove", "-y", "nearside"]))?;
    for left in ["/usr/bin/nearside", "/usr/bin/nearside-app"] {
        if Path::new(left).exists() {
            bail!("{left} stayed behind after the package was removed");
        }
    }
    say("installed, started, removed");
    Ok(())
}

/// Puts the command-line binary where tauri.conf.json's deb files list takes it from.
pub(crate) fn stage() -> Result<()> {
    let place = Place::find()?;
    let folder = place.root.join("gen");
    std::fs::create_dir_all(&folder)?;
    std::fs::copy(place.release_binary("nearside"), folder.join("nearside"))?;
    Ok(())
}

fn newest(folder: &Path) -> Result<std::path::PathBuf> {
    std::fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "deb"))
        .max_by_key(|path| path.metadata().and_then(|meta| meta.modified()).ok())
        .context("the bundler wrote no .deb")
}
