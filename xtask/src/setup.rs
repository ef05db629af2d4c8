//! System packages: which are needed, which are missing, and installing those with apt.
//!
//! On macOS and Windows, and on Linux without apt, it only says what to install.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::step::{has, run, say};

/// What building needs.
const BUILD: &[&str] = &[
    "build-essential",
    "cmake",
    "libclang-dev",
    "perl",
    "pkg-config",
    "python3",
    "python3-venv",
    "libwebkit2gtk-4.1-dev",
    "libgtk-3-dev",
    "libayatana-appindicator3-dev",
    "librsvg2-dev",
    "libxdo-dev",
    "libssl-dev",
    "libdbus-1-dev",
    "libasound2-dev",
];

/// What the end-to-end test needs besides: a screen, a session, a keychain, a driver, fonts, a
/// sound server.
const TEST: &[&str] = &[
    "xvfb",
    "dbus-x11",
    "openbox",
    "xdotool",
    "imagemagick",
    "webkit2gtk-driver",
    "gnome-keyring",
    "libsecret-tools",
    "python3-gi",
    "gir1.2-gtk-3.0",
    "fonts-noto-cjk",
    "xclip",
    "procps",
    "mesa-vulkan-drivers",
    "pulseaudio",
    "pulseaudio-utils",
    "libasound2-plugins",
    "sox",
];

pub(crate) fn setup() -> Result<()> {
    install(BUILD)?;
    toolchains()
}

pub(crate) fn setup_for_tests() -> Result<()> {
    install(&[BUILD, TEST].concat())?;
    toolchains()
}

/// Node builds the window; Python's pip brings weights where the hub is out of reach.
fn toolchains() -> Result<()> {
    let node = Command::new("node").arg("--version").stderr(Stdio::null()).output();
    let major = node.ok().and_then(|output| {
        String::from_utf8(output.stdout)
            .ok()?
            .trim()
            .trim_start_matches('v')
            .split('.')
            .next()?
            .parse()
            .ok()
    });
    match major {
        Some(20_u32..) => {}
        Some(old) => {
            bail!("Node.js {old} is too old for the window's build; install Node.js 20 or later")
        }
        None => {
            bail!("Node.js is missing; install Node.js 20 or later (with npm), then run this again")
        }
    }
    if !has("npm") {
        bail!("npm is missing; it comes with Node.js 20 or later");
    }
    Ok(())
}

/// Installs what is missing of some packages.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    if cfg!(target_os = "macos") {
        for (program, how) in [
            ("cmake", "brew install cmake"),
            ("clang", "xcode-select --install"),
            ("node", "brew install node"),
        ] {
            if !has(program) {
                bail!("{program} is missing; run `{how}`, then run this again");
            }
        }
        return Ok(());
    }
    if cfg!(windows) {
        for (program, what) in [
            ("cmake", "CMake"),
            ("clang", "LLVM with libclang (`winget install LLVM.LLVM`)"),
            ("perl", "Strawberry Perl (OpenSSL's build needs it)"),
            ("node", "Node.js 20 or later"),
        ] {
            if !has(program) {
                bail!(
                    "{program} is missing; install {what} and the Visual Studio C++ build tools, then run this again"
                );
            }
        }
        return Ok(());
    }
    if !has("apt-get") || !has("dpkg-query") {
        say(&format!(
            "This is not Debian or Ubuntu: make sure that these packages, or their like, are installed: {}",
            packages.join(" ")
        ));
        return Ok(());
    }
    let missing: Vec<&str> =
        packages.iter().copied().filter(|package| !installed(package)).collect();
    if missing.is_empty() {
        say("system packages: all there");
        return Ok(());
    }
    say(&format!("system packages missing: {}", missing.join(" ")));
    let root = crate::step::read(Command::new("id").arg("-u"))?.trim() == "0";
    if !root {
        ask_for_sudo(&missing)?;
    }
    let apt = |arguments: &[&str]| {
        let mut command = if root { Command::new("apt-get") } else { Command::new("sudo") };
        if !root {
            command.args(["--", "apt-get"]);
        }
        command.args(["-qq", "-o", "Dpkg::Use-Pty=0"]).args(arguments);
        command.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command
    };
    run(&mut apt(&["update"]))?;
    run(apt(&["install", "-y", "--no-install-recommends"]).args(&missing))
}

fn installed(package: &str) -> bool {
    Command::new("dpkg-query")
        .args(["-W", "-f", "${Status}", package])
        .stderr(Stdio::null())
        .output()
        .is_ok_and(|output| output.stdout.starts_with(b"install ok installed"))
}

fn ask_for_sudo(missing: &[&str]) -> Result<()> {
    let by_hand = format!("sudo apt-get install {}", missing.join(" "));
    if !std::io::stdin().is_terminal() || !has("sudo") {
        bail!("these packages need root; run `{by_hand}`, then run this again");
    }
    say(&format!("May I run `{by_hand}`? [y/N]"));
    std::io::stdout().flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    if !answer.trim().eq_ignore_ascii_case("y") {
        bail!("nothing was installed; run `{by_hand}` yourself, then run this again");
    }
    Ok(())
}
