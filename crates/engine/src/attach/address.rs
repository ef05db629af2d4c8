//! The caller's side: where the holder of a data folder listens, and one call on it.
//!
//! It does not decide who may call; the holder does, by the token.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nearside_types::{Cancel, Failure, FailureKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::frame::{Call, Reply, broken, read, write};
use super::request::{CallEvent, Request};
use super::transport::{Stream, close, connect};
use crate::error::Error;
use crate::lock::RUN;

/// Where the holder listens, and the token it wants. Lies in the data folder, readable by its owner only.
#[derive(Clone, Serialize, Deserialize)]
pub struct Address {
    /// A socket's path, or a named pipe's.
    pub(super) socket: PathBuf,
    pub(super) token: String,
}

/// Where the address lies in a data folder.
pub(super) fn path_in(data_dir: &Path) -> PathBuf {
    data_dir.join(RUN).join("attach.json")
}

impl Address {
    /// The address that the holder of the folder wrote, if it did.
    pub(crate) fn read(data_dir: &Path) -> Option<Self> {
        let file = std::fs::File::open(path_in(data_dir)).ok()?;
        let mut text = String::new();
        file.take(64 << 10).read_to_string(&mut text).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Writes it for callers of the same user.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let _ = std::fs::remove_file(path);
        let mut options = std::fs::File::options();
        options.create_new(true).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(Error::io("Writing the local socket's address"))?;
        Ok(serde_json::to_writer(file, self).map_err(Error::from)?)
    }

    /// Whether somebody listens there.
    pub(crate) fn answers(&self) -> bool {
        connect(&self.socket).is_ok()
    }

    /// Makes one call on the holder.
    ///
    /// # Errors
    /// The call's failure, or that nobody answers.
    pub(crate) fn call(
        &self,
        request: Request,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(CallEvent),
    ) -> Result<Value, Failure> {
        let stream = connect(&self.socket).map_err(|_| unreachable())?;
        let mut writing = stream.try_clone().map_err(|_| unreachable())?;
        write(&mut writing, &Call { token: self.token.clone(), request })?;
        let over = Arc::new(AtomicBool::new(false));
        let watcher = watch_cancel(stream.try_clone().map_err(|_| unreachable())?, cancel, &over);
        let mut lines = BufReader::new(stream);
        let end = loop {
            match read::<Reply>(&mut lines) {
                Ok(Some(Reply::Event(event))) => on_event(event),
                Ok(Some(Reply::Done(value))) => break Ok(value),
                Ok(Some(Reply::Failed(failure))) => break Err(failure),
                Ok(None) | Err(_) if cancel.is_cancelled() => {
                    break Err(Failure::new(FailureKind::Cancelled, "Stopped."));
                }
                Ok(None) => break Err(broken()),
                Err(failure) => break Err(failure),
            }
        };
        over.store(true, Ordering::Relaxed);
        let _ = watcher.map(std::thread::JoinHandle::join);
        end
    }
}

/// Closes the connection when the caller wants to stop, which the holder notices.
fn watch_cancel(
    stream: Stream,
    cancel: &Cancel,
    over: &Arc<AtomicBool>,
) -> Option<std::thread::JoinHandle<()>> {
    let (cancel, over) = (cancel.clone(), Arc::clone(over));
    let watch = move || {
        while !over.load(Ordering::Relaxed) {
            if cancel.is_cancelled() {
                close(&stream);
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    std::thread::Builder::new().name("attach-cancel".to_owned()).spawn(watch).ok()
}

fn unreachable() -> Failure {
    Failure::coded(
        FailureKind::Refused,
        crate::lock::HELD,
        "Nearside is running with this data folder, but does not answer; close it and try again.",
    )
}
