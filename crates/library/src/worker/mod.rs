//! Reading a file in a process of its own, so that a crash, an endless loop or a memory bomb costs one file.
//!
//! The caller names the program and the hidden sub-command that leads to [`serve_stdio`]. Request and answer
//! are lines of JSON over pipes; no content touches the disk, and what the worker says on standard error is
//! dropped, because a panic could quote the file. A crash or a time-out is a result, never an error.

#[cfg(windows)]
mod job;
#[cfg(unix)]
mod limit;
mod message;
mod serve;
#[cfg(test)]
mod tests;

pub use serve::{LoadRecognizer, serve, serve_stdio};

use crate::error::LibraryError;
use crate::limits::Limits;
#[cfg(windows)]
use job as limit;
use message::{Answer, Request};
use nearside_types::{Cancel, Extracted, FileStatus, Trouble};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The hidden sub-command of our own binaries.
pub const SUBCOMMAND: &str = "__extract-worker";

/// The program that serves, its arguments, and what it may use.
#[derive(Debug, Clone)]
pub struct Program {
    pub path: std::path::PathBuf,
    pub arguments: Vec<std::ffi::OsString>,
    /// The folder of the model that reads pictures; without one they only say what they need.
    pub pictures: Option<std::path::PathBuf>,
}

impl Program {
    /// One of our binaries, called with [`SUBCOMMAND`].
    #[must_use]
    pub fn ours(path: impl Into<std::path::PathBuf>) -> Self {
        Self { path: path.into(), arguments: vec![SUBCOMMAND.into()], pictures: None }
    }

    /// The same with the folder of a model that reads pictures.
    #[must_use]
    pub fn with_pictures(self, folder: Option<std::path::PathBuf>) -> Self {
        Self { pictures: folder, ..self }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub extracted: Extracted,
    /// The worker died or had to be stopped; the caller counts this towards quarantine.
    pub crashed: bool,
}

/// How often a waiting caller looks at the cancel flag.
const LOOK: Duration = Duration::from_millis(15);

/// Reads `path` in a process of its own.
///
/// # Errors
/// `WorkerMissing` when the program cannot be started, `Cancelled` after a cancel (the process is dead by
/// then), and the errors of [`crate::extract`] for the path.
pub fn extract_in_worker(
    program: &Program,
    path: &Path,
    limits: &Limits,
    cancel: &Cancel,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Outcome, LibraryError> {
    // Asked here as well, so that a missing file is not taken for a broken worker.
    LibraryError::facts_of(path)?;
    let bounds = bounds(program, limits);
    let mut child = start(program, &bounds)?;
    let outcome = match limit::hold(&child, &bounds) {
        Ok(_held) => {
            let request = Request::new(path, limits, program.pictures.as_deref());
            converse(&mut child, &request, cancel, progress)
        }
        // Without its bounds it is not trusted with a file.
        Err(error) => Err(LibraryError::WorkerMissing(error.kind())),
    };
    // Whatever happened, nothing of it runs on.
    let _ = child.kill();
    let _ = child.wait();
    outcome
}

/// What the system itself holds the process to. Its clock counts the time of all threads together, so it leaves
/// room for pages that are read as pictures; the caller's own clock is the strict one.
fn bounds(program: &Program, limits: &Limits) -> Limits {
    let mut bounds = limits.clone();
    if program.pictures.is_some() {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
        let pictures = limits.pictures_seconds.saturating_mul(cores);
        bounds.worker_seconds = bounds.worker_seconds.saturating_add(pictures);
    }
    bounds
}

fn start(program: &Program, limits: &Limits) -> Result<Child, LibraryError> {
    let mut command = Command::new(&program.path);
    command
        .args(&program.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    limit::apply(&mut command, limits);
    command.spawn().map_err(|error| LibraryError::WorkerMissing(error.kind()))
}

fn converse(
    child: &mut Child,
    request: &Request,
    cancel: &Cancel,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Outcome, LibraryError> {
    let limits = &request.limits;
    let sent = child.stdin.take().is_some_and(|mut pipe| {
        serde_json::to_writer(&mut pipe, request).is_ok() && pipe.write_all(b"\n").is_ok()
    });
    let Some(output) = child.stdout.take().filter(|_| sent) else {
        return Ok(crashed(Trouble::ReaderEnded));
    };
    let (sender, receiver) = channel();
    // JSON escapes can make text six times as long; beyond that the worker is not speaking our language.
    let cap = (limits.max_text_bytes as u64).saturating_mul(6).saturating_add(16 << 20);
    let reader = std::thread::spawn(move || forward(output, cap, &sender));
    let outcome = wait(&receiver, limits, cancel, progress);
    let _ = child.kill();
    // The pipe is closed now, so the thread ends.
    let _ = reader.join();
    outcome
}

/// Hands the worker's lines on until it closes the pipe or says too much.
fn forward(output: impl Read, cap: u64, sender: &Sender<Answer>) {
    let mut lines = BufReader::new(output.take(cap));
    let mut line = String::new();
    loop {
        line.clear();
        match lines.read_line(&mut line) {
            Ok(count) if count > 0 => {}
            _ => return,
        }
        let Ok(answer) = serde_json::from_str(&line) else { return };
        if sender.send(answer).is_err() {
            return;
        }
    }
}

fn wait(
    receiver: &Receiver<Answer>,
    limits: &Limits,
    cancel: &Cancel,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Outcome, LibraryError> {
    let begun = Instant::now();
    // A page that is read as a picture is given time of its own, all of them together within a bound; the
    // other pages have what they always had.
    let mut deadline = begun + Duration::from_secs(limits.worker_seconds);
    let last = deadline + Duration::from_secs(limits.pictures_seconds);
    let mut seconds = limits.worker_seconds;
    loop {
        if cancel.is_cancelled() {
            return Err(LibraryError::Cancelled);
        }
        if Instant::now() >= deadline {
            return Ok(crashed(Trouble::ReaderSlow { seconds }));
        }
        match receiver.recv_timeout(LOOK) {
            Ok(Answer::Progress { done, total }) => progress(done, total),
            Ok(Answer::Picture) => {
                let soon = Instant::now() + Duration::from_secs(limits.picture_seconds);
                deadline = deadline.max(soon).min(last);
                seconds = (deadline - begun).as_secs();
            }
            Ok(Answer::Done { extracted }) => return Ok(Outcome { extracted, crashed: false }),
            Ok(Answer::Failed { missing: true, .. }) => return Err(LibraryError::NotFound),
            Ok(Answer::Failed { .. }) => {
                return Err(LibraryError::Unreadable(std::io::ErrorKind::PermissionDenied));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Ok(crashed(Trouble::ReaderCrashed));
            }
        }
    }
}

fn crashed(what: Trouble) -> Outcome {
    let extracted = Extracted {
        status: FileStatus::Corrupt,
        kind: "unknown".to_owned(),
        encoding: None,
        pages: Vec::new(),
        warnings: vec![what.into()],
    };
    Outcome { extracted, crashed: true }
}
