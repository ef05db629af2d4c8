//! Jobs that run for the window: how to stop each, and the approvals that wait for a verdict.
//!
//! It starts nothing itself. One lock, held only to look a name up.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nearside_engine::{Approver, Verdict};
use nearside_types::{Cancel, Failure, FailureKind, Preview};

#[derive(Default)]
pub(crate) struct Jobs {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    running: HashMap<String, Cancel>,
    waiting: HashMap<String, Sender<Verdict>>,
}

/// Forgets the job when it ends, however it ends.
pub(crate) struct Running<'a> {
    jobs: &'a Jobs,
    name: String,
    pub(crate) cancel: Cancel,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.jobs.lock().running.remove(&self.name);
    }
}

impl Jobs {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// # Errors
    /// When a job of that name runs already.
    pub(crate) fn begin(&self, name: &str) -> Result<Running<'_>, Failure> {
        let cancel = Cancel::new();
        let mut known = self.lock();
        if known.running.contains_key(name) {
            return Err(Failure::coded(
                FailureKind::Usage,
                "running_already",
                "This is running already; stop it first.",
            ));
        }
        known.running.insert(name.to_owned(), cancel.clone());
        Ok(Running { jobs: self, name: name.to_owned(), cancel })
    }

    pub(crate) fn stop(&self, name: &str) {
        if let Some(cancel) = self.lock().running.get(name) {
            cancel.cancel();
        }
    }

    pub(crate) fn stop_all(&self) {
        for cancel in self.lock().running.values() {
            cancel.cancel();
        }
    }

    /// Hands a verdict to the request that waits under `id`. A last word forgets it.
    ///
    /// # Errors
    /// `NotFound` when nothing waits there any more.
    pub(crate) fn say(&self, id: &str, verdict: Verdict) -> Result<(), Failure> {
        let gone = not_waiting;
        let mut known = self.lock();
        let sender = match verdict {
            Verdict::Edit { .. } => known.waiting.get(id).cloned(),
            _ => known.waiting.remove(id),
        };
        sender.ok_or_else(gone)?.send(verdict).map_err(|_| gone())
    }
}

impl Approver for &Jobs {
    fn ask(&mut self, preview: &Preview) -> Receiver<Verdict> {
        let (send, receive) = channel();
        self.lock().waiting.insert(preview.id.0.clone(), send);
        receive
    }
}

/// A verdict came for a request that was answered or stopped meanwhile.
pub(crate) fn not_waiting() -> Failure {
    let sentence = "This request is not waiting any more.";
    Failure::coded(FailureKind::NotFound, "not_waiting", sentence)
}
