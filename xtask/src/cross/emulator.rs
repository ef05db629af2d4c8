//! What runs a foreign program here: wine with a prefix of its own, or qemu.
//!
//! Nothing of the user's is touched: the prefix and the home folder lie among the build outputs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::Target;
use crate::place::Place;
use crate::step::{run, say};

pub(crate) struct Emulator {
    program: PathBuf,
    /// Words between the program and the binary.
    before: Vec<String>,
    environment: Vec<(&'static str, String)>,
    windows: bool,
}

impl Emulator {
    pub(crate) fn find(place: &Place, target: &Target) -> Result<Self> {
        match target.name {
            "windows" => wine(place, target),
            _ => Ok(Self {
                program: find(&["qemu-aarch64-static", "qemu-aarch64"])?,
                before: vec!["-L".into(), "/usr/aarch64-linux-gnu".into()],
                environment: Vec::new(),
                windows: false,
            }),
        }
    }

    /// The binary under the emulator.
    pub(crate) fn command(&self, binary: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.before).arg(binary);
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command
    }

    /// Lets `cargo test` run its programs under the emulator.
    pub(crate) fn for_cargo(&self, command: &mut Command, target: &Target) {
        let runner: Vec<String> = std::iter::once(self.program.display().to_string())
            .chain(self.before.iter().cloned())
            .collect();
        let triple = target.triple.to_uppercase().replace('-', "_");
        command.env(format!("CARGO_TARGET_{triple}_RUNNER"), runner.join(" "));
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

fn wine(place: &Place, target: &Target) -> Result<Emulator> {
    let folder = place.target.join("cross").join("wine");
    let (home, prefix) = (folder.join("home"), folder.join("prefix"));
    std::fs::create_dir_all(&home)?;
    let emulator = Emulator {
        program: find(&["wine64", "wine"])?,
        before: Vec::new(),
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
