//! What runs a foreign program here: wine with a prefix of its own, or qemu's user mode.
//!
//! Nothing of the user's or the system's is touched: the prefix, the home folder and what stands in for missing
//! parts of a system lie among the build outputs, and no binary format is registered with the kernel.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::Target;
use crate::place::Place;
use crate::step::{run, say};

pub(crate) struct Emulator {
    program: PathBuf,
    environment: Vec<(&'static str, String)>,
    windows: bool,
}

impl Emulator {
    pub(crate) fn find(place: &Place, target: &Target) -> Result<Self> {
        match target.name {
            "windows" => wine(place, target),
            _ => qemu(place, target),
        }
    }

    /// The binary under the emulator.
    pub(crate) fn command(&self, binary: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(binary);
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command
    }

    /// Lets `cargo test` run its programs under the emulator.
    pub(crate) fn for_cargo(&self, command: &mut Command, target: &Target) {
        let triple = target.triple.to_uppercase().replace('-', "_");
        command.env(format!("CARGO_TARGET_{triple}_RUNNER"), &self.program);
        // Cargo and rustup keep their own home.
        for (name, value) in self.environment.iter().filter(|(name, _)| *name != "HOME") {
            command.env(name, value);
        }
    }

    /// A path of this machine as the foreign program names it.
    pub(crate) fn path(&self, path: &Path) -> String {
        let path = path.display().to_string();
        if self.windows { format!("Z:{}", path.replace('/', "\\")) } else { path }
    }

    /// Ends what the emulator keeps running for programs that may follow.
    pub(crate) fn end(&self) {
        if !self.windows {
            return;
        }
        if let Ok(server) = find(&["wineserver"]) {
            let mut command = Command::new(server);
            for (name, value) in &self.environment {
                command.env(name, value);
            }
            // It has ended by itself where this fails.
            let _ = command.arg("-k").stderr(Stdio::null()).status();
        }
    }
}

fn find(names: &[&str]) -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path)
        // Debian's wine64 package keeps its program off the path.
        .chain(["/usr/lib/wine".into(), "/usr/lib/x86_64-linux-gnu/wine".into()])
        .collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|candidate| candidate.is_file())
        .with_context(|| format!("{} is missing", names.join(" or ")))
}

/// Given by environment variables throughout, because a program that starts another one hands those on.
fn qemu(place: &Place, target: &Target) -> Result<Emulator> {
    let program = find(&["qemu-aarch64-static", "qemu-aarch64"])?;
    let folder = place.target.join("cross").join(target.name);
    std::fs::create_dir_all(&folder)?;
    let preloaded = folder.join("emulated.so");
    let shown = preloaded.display().to_string();
    // The emulator cuts its variable at commas, the loader its list at colons and white space.
    ensure!(
        !shown.contains([',', ':']) && !shown.contains(char::is_whitespace),
        "the build folder {} has a comma, a colon or a space in its name; set CARGO_TARGET_DIR to one without",
        place.target.display()
    );
    run(Command::new(target.compiler)
        .args(["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&preloaded)
        .arg(format!("-DEMULATOR=\"{}\"", program.display()))
        .arg(place.root.join("tests/cross/emulated.c"))
        .arg("-ldl"))?;
    Ok(Emulator {
        program,
        environment: vec![
            ("QEMU_LD_PREFIX", "/usr/aarch64-linux-gnu".to_owned()),
            ("QEMU_SET_ENV", format!("LD_PRELOAD={shown}")),
        ],
        windows: false,
    })
}

fn wine(place: &Place, target: &Target) -> Result<Emulator> {
    let folder = place.target.join("cross").join("wine");
    let (home, prefix) = (folder.join("home"), folder.join("prefix"));
    std::fs::create_dir_all(&home)?;
    let emulator = Emulator {
        program: find(&["wine64", "wine"])?,
        environment: vec![
            ("HOME", home.display().to_string()),
            ("WINEPREFIX", prefix.display().to_string()),
            ("WINEDEBUG", "-all".to_owned()),
            // No questions about parts for web pages and .NET, which nothing here uses.
            ("WINEDLLOVERRIDES", "mscoree,mshtml=".to_owned()),
            // File names and arguments are UTF-8.
            ("LC_ALL", "C.UTF-8".to_owned()),
        ],
        windows: true,
    };
    let system = prefix.join("drive_c/windows/system32");
    if !system.join("kernel32.dll").is_file() {
        say("making a wine prefix");
        let mut boot = Command::new(&emulator.program);
        for (name, value) in &emulator.environment {
            boot.env(name, value);
        }
        run(boot.args(["wineboot", "--init"]).env_remove("DISPLAY"))?;
        if !system.join("kernel32.dll").is_file() {
            bail!("wine made no prefix in {}", prefix.display());
        }
    }
    run(Command::new(target.compiler)
        .args(["-shared", "-O2", "-o"])
        .arg(system.join("bcryptprimitives.dll"))
        .arg(place.root.join("tests/cross/bcryptprimitives.c"))
        .arg("-ladvapi32"))?;
    Ok(emulator)
}
