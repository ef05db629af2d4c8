//! The loaded speech models: one call at a time, kept for the next, let go after a while without one.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nearside_speech::Recognizer;
use nearside_types::{Cancel, Failure};

use super::{SpeechModels, stopped};

/// How often one that waits for its turn looks at its cancel flag.
const LOOK: Duration = Duration::from_millis(20);

/// Owns the loaded models. Nobody else holds them longer than a call.
pub(crate) struct WarmRecognizer {
    shared: Arc<Shared>,
    idle: Duration,
}

struct Shared {
    state: Mutex<State>,
    given_back: Condvar,
}

#[derive(Default)]
struct State {
    held: Option<(SpeechModels, Recognizer)>,
    lent: bool,
    last_used: Option<Instant>,
    /// A thread waits to let it go.
    watched: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WarmRecognizer {
    pub(crate) fn new(idle: Duration) -> Self {
        let shared = Shared { state: Mutex::default(), given_back: Condvar::new() };
        Self { shared: Arc::new(shared), idle }
    }

    /// Runs `work` with the models loaded.
    ///
    /// # Errors
    /// `Cancelled` while waiting, what loading fails with, what `work` fails with.
    pub(crate) fn with<T>(
        &self,
        models: &SpeechModels,
        cancel: &Cancel,
        work: impl FnOnce(&mut Recognizer) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let held = self.take(cancel)?;
        // Given back however the work ends; after a panic it is not kept.
        let mut lent = Lent { shared: &self.shared, back: None };
        let mut recognizer = match held {
            Some((of, recognizer)) if of == *models => recognizer,
            other => {
                drop(other);
                models.load()?
            }
        };
        let outcome = work(&mut recognizer);
        lent.back = Some((models.clone(), recognizer));
        drop(lent);
        self.watch();
        outcome
    }

    fn take(&self, cancel: &Cancel) -> Result<Option<(SpeechModels, Recognizer)>, Failure> {
        let mut state = self.shared.lock();
        while state.lent {
            if cancel.is_cancelled() {
                return Err(stopped());
            }
            let waited = self.shared.given_back.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.lent = true;
        Ok(state.held.take())
    }

    /// Sees to it that a thread lets the models go when they were idle for long enough.
    fn watch(&self) {
        let mut state = self.shared.lock();
        if state.watched {
            return;
        }
        let (weak, idle) = (Arc::downgrade(&self.shared), self.idle);
        let thread =
            std::thread::Builder::new().name("speech-keeper".to_owned()).spawn(move || {
                let mut wait = idle;
                loop {
                    std::thread::sleep(wait);
                    // With its owner gone there is nothing to let go.
                    let Some(shared) = weak.upgrade() else { return };
                    let mut state = shared.lock();
                    let rested = state.last_used.map_or(idle, |since| since.elapsed());
                    if !state.lent && rested >= idle {
                        state.held = None;
                        state.watched = false;
                        return;
                    }
                    wait = idle.saturating_sub(rested).max(Duration::from_secs(1));
                }
            });
        // Without a thread the models stay loaded, which costs memory and nothing else.
        state.watched = thread.is_ok();
    }
}

struct Lent<'a> {
    shared: &'a Shared,
    back: Option<(SpeechModels, Recognizer)>,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.held = self.back.take();
        state.lent = false;
        state.last_used = Some(Instant::now());
        self.shared.given_back.notify_all();
    }
}
