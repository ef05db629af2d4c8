//! A session with a data folder: opened here, or reached through the process that holds it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nearside_types::{Cancel, Failure};
use serde_json::Value;

use super::address::Address;
use super::request::{CallEvent, Request};
use crate::engine::{Engine, EngineOptions};
use crate::headless::Headless;
use crate::lock::{DataLock, HELD};

/// Either way, the same calls.
pub enum Session {
    Here(Box<Engine>),
    There(Address),
}

impl Session {
    /// Opens the folder, or attaches to its holder. Attaching needs no key. A holder that does not listen
    /// is another command, which is waited for up to `patience`.
    ///
    /// # Errors
    /// What opening fails with, also when the holder goes on holding.
    pub fn open(
        options: EngineOptions,
        headless: Arc<Headless>,
        patience: Duration,
    ) -> Result<Self, Failure> {
        let begun = Instant::now();
        // Only asked: opening takes the lock again, and another process may come first.
        while let Err(failure) = DataLock::take(&options.data_dir) {
            if failure.code != HELD {
                return Err(failure);
            }
            if let Some(session) = Self::attach(&options.data_dir) {
                return Ok(session);
            }
            if begun.elapsed() >= patience {
                return Err(failure);
            }
            std::thread::sleep(Duration::from_millis(30));
        }
        let data_dir = options.data_dir.clone();
        match Engine::open(options, headless) {
            Ok(engine) => Ok(Self::Here(Box::new(engine))),
            Err(failure) if failure.code == HELD => Self::attach(&data_dir).ok_or(failure),
            Err(failure) => Err(failure),
        }
    }

    /// The process that holds the folder and answers, if there is one. Needs no key and opens nothing.
    #[must_use]
    pub fn attach(data_dir: &Path) -> Option<Self> {
        // The address of a process that was killed stays behind, and nobody answers there.
        Address::read(data_dir).filter(Address::answers).map(Self::There)
    }

    /// Makes one call. Events come while it runs; the value is its result as JSON.
    ///
    /// # Errors
    /// The call's failure.
    pub fn call(
        &self,
        request: Request,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(CallEvent),
    ) -> Result<Value, Failure> {
        match self {
            Self::Here(engine) => engine.handle(request, cancel, on_event),
            Self::There(address) => address.call(request, cancel, on_event),
        }
    }
}
