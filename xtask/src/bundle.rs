//! The .deb: build it, install it, use what it installed, remove it, and see that nothing but the user's data
//! stays behind.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::place::Place;
use crate::step::{has, read, run, say, timed};
use crate::{licences, run as release, setup, user_interface};

/// The package's name, as Debian writes it.
const PACKAGE: &str = "nearside";

/// What a person finds on the machine afterwards.
const EXPECTED: &[&str] = &[
    "/usr/bin/nearside",
    "/usr/bin/nearside-app",
    "/usr/share/applications/Nearside.desktop",
    "/usr/share/doc/nearside/copyright",
    "/usr/share/doc/nearside/NOTICE",
    "/usr/share/doc/nearside/LICENSE-APACHE",
    "/usr/share/doc/nearside/LICENSE-MIT",
    "/usr/share/doc/nearside/third-party.txt",
    "/usr/share/icons/hicolor/128x128/apps/nearside-app.png",
];

pub(crate) fn deb() -> Result<()> {
    let place = Place::find()?;
    timed("1/5 system packages", setup::setup)?;
    timed("2/5 the window's user interface", user_interface::build)?;
    timed("3/5 build", || {
        release::build(&place)?;
        stage()
    })?;
    let package = timed("4/5 the package", || bundled(&place))?;
    say(&format!("built {}", package.display()));
    if read(Command::new("id").arg("-u"))?.trim() != "0" {
        say("not root: the package is not installed here; `sudo apt install PATH` installs it");
        return Ok(());
    }
    timed("5/5 install, start, remove", || {
        if installed_files()?.is_some() {
            bail!("Nearside is installed already; remove it first with `apt-get remove {PACKAGE}`");
        }
        apt(&["install"], &package)?;
        let tried = installed(&place);
        let files = installed_files()?.unwrap_or_default();
        // Removed also where the trial failed.
        apt(&["purge"], Path::new(PACKAGE))?;
        tried?;
        let left: Vec<_> = files.iter().filter(|path| path.is_file()).collect();
        ensure!(left.is_empty(), "these stayed behind after the package was removed: {left:?}");
        Ok(())
    })?;
    say("installed, started, removed; nothing stayed behind");
    Ok(())
}

/// Puts the command-line binary and the licences where tauri.conf.json takes them from.
pub(crate) fn stage() -> Result<()> {
    let place = Place::find()?;
    let folder = place.root.join("gen");
    std::fs::create_dir_all(&folder)?;
    let name = format!("nearside{}", std::env::consts::EXE_SUFFIX);
    std::fs::copy(place.release_binary("nearside"), folder.join(name))?;
    licences::write(&place, &folder.join("third-party.txt"))
}

fn bundled(place: &Place) -> Result<PathBuf> {
    let folder = place.target.join("release/bundle/deb");
    let _ = std::fs::remove_dir_all(&folder);
    run(Command::new("npx")
        .current_dir(&place.root)
        .args(["--no-install", "tauri", "build", "--bundles", "deb"])
        .env("CARGO_TARGET_DIR", &place.target)
        .env("CI", "true"))?;
    std::fs::read_dir(&folder)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "deb"))
        .context("the bundler wrote no .deb")
}

fn apt(words: &[&str], what: &Path) -> Result<()> {
    run(Command::new("apt-get")
        .args(["-qq", "-y", "-o", "Dpkg::Use-Pty=0"])
        .args(words)
        .arg(what)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdout(Stdio::null()))
}

/// The files of the installed package; none where it is not installed.
fn installed_files() -> Result<Option<Vec<PathBuf>>> {
    let output = Command::new("dpkg-query").args(["-L", PACKAGE]).stderr(Stdio::null()).output()?;
    let text = String::from_utf8(output.stdout)?;
    let paths = text.lines().map(PathBuf::from).filter(|path| path.is_file()).collect();
    Ok(output.status.success().then_some(paths))
}

/// What the package put there, used as a person would: the command on a document, the app on a screen.
fn installed(place: &Place) -> Result<()> {
    let files = installed_files()?.context("the package is not installed")?;
    for file in &files {
        let size = file.metadata().map_or(0, |meta| meta.len());
        say(&format!("{:>11}  {}", size, file.display()));
    }
    for expected in EXPECTED {
        ensure!(files.iter().any(|file| file == Path::new(expected)), "{expected} is missing");
    }
    let entry = std::fs::read_to_string("/usr/share/applications/Nearside.desktop")?;
    for line in ["Name=Nearside", "Exec=nearside-app", "Icon=nearside-app", "Terminal=false"] {
        ensure!(
            entry.lines().any(|found| found == line),
            "the desktop entry lacks {line}: {entry}"
        );
    }
    run(Command::new("/usr/bin/nearside").arg("--version"))?;
    let sample = place.root.join("assets/samples/lease-report.pdf");
    let told = read(Command::new("/usr/bin/nearside").args(["extract", "--json"]).arg(sample))?;
    ensure!(told.contains("SR-7741"), "the installed command does not read the sample: {told}");
    if !has("Xvfb") || !has("xdotool") {
        say("Xvfb or xdotool is missing, so the installed app is not started");
        return Ok(());
    }
    window(place)
}

/// Starts the installed app on a screen of its own and waits for its window.
fn window(place: &Place) -> Result<()> {
    let home = place.target.join("deb-home");
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir_all(home.join("run"))?;
    let screen = Started(
        Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?,
    );
    let (screen, display) = screen.display()?;
    let app = Started(
        Command::new("/usr/bin/nearside-app")
            .env("DISPLAY", &display)
            .env("HOME", &home)
            .env("XDG_RUNTIME_DIR", home.join("run"))
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("NEARSIDE_DATA_DIR")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?,
    );
    let begun = Instant::now();
    loop {
        let seen = Command::new("xdotool")
            .args(["search", "--onlyvisible", "--name", "^Nearside"])
            .env("DISPLAY", &display)
            .stderr(Stdio::null())
            .output()?;
        if !seen.stdout.is_empty() {
            say(&format!("its window was there after {:.1} s", begun.elapsed().as_secs_f64()));
            break;
        }
        ensure!(begun.elapsed() < Duration::from_secs(60), "the installed app opened no window");
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(app);
    drop(screen);
    let data = home.join(".local/share/nearside");
    say(&format!("the user's data stays where it was: {}", data.display()));
    Ok(())
}

/// A process that ends with the value.
struct Started(Child);

impl Started {
    /// The screen's name, which Xvfb writes once it listens.
    fn display(mut self) -> Result<(Self, String)> {
        let output = self.0.stdout.take().context("Xvfb has no output")?;
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line)?;
        ensure!(!line.trim().is_empty(), "Xvfb did not start");
        Ok((self, format!(":{}", line.trim())))
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
