//! What the owner of a stream and the holder of a capture both see: the kept samples, the meter, the end.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::ring::Ring;
use super::{Captured, Ended};
use crate::level::{Level, Meter};

pub(super) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    ring: Ring,
    meter: Meter,
    heard: u64,
    lost: u64,
    gaps: u32,
    ended: Option<Ended>,
    closed: bool,
}

impl Shared {
    pub(super) fn new(keep: usize) -> Self {
        Self {
            state: Mutex::new(State {
                ring: Ring::new(keep),
                meter: Meter::default(),
                heard: 0,
                lost: 0,
                gaps: 0,
                ended: None,
                closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    pub(super) fn push(&self, samples: &[f32], lost: u64, gaps: u32) {
        let mut state = self.lock();
        state.ring.push(samples);
        state.meter.push(samples);
        state.heard += samples.len() as u64;
        state.lost += lost;
        state.gaps = state.gaps.saturating_add(gaps);
    }

    pub(super) fn level(&self) -> Level {
        self.lock().meter.level()
    }

    /// Samples up to now, kept or not.
    pub(super) fn heard(&self) -> u64 {
        self.lock().heard
    }

    pub(super) fn end(&self, ended: &Ended) {
        self.lock().ended.get_or_insert_with(|| ended.clone());
        self.changed.notify_all();
    }

    /// The stream is closed; also when the owner's thread ended in another way than it should.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.ended.get_or_insert_with(|| Ended::Failed("the recording's thread ended".to_owned()));
        state.closed = true;
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn ended(&self) -> Option<Ended> {
        self.lock().ended.clone()
    }

    pub(super) fn wait_ended(&self, longest: Duration) -> Option<Ended> {
        let waited =
            self.changed.wait_timeout_while(self.lock(), longest, |state| state.ended.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.ended.clone()
    }

    /// Whether the stream was closed in that time.
    pub(super) fn wait_closed(&self, longest: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.lock(), longest, |state| !state.closed);
        waited.unwrap_or_else(PoisonError::into_inner).0.closed
    }

    pub(super) fn take(&self) -> Captured {
        let mut state = self.lock();
        let (samples, dropped) = state.ring.take();
        Captured {
            samples,
            dropped,
            lost: state.lost,
            gaps: state.gaps,
            ended: state.ended.clone().unwrap_or(Ended::Silent),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
