//! Between a driver's callback and the thread that owns the stream: what was delivered, and what went wrong.
//!
//! The lock is held to append a block or to swap a vector, never longer, since a driver waits for it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Seconds at the device's rate that may wait for an owner who gets no time to run.
const WAITING_SECONDS: usize = 10;

/// Why a stream cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    Lost,
    Denied,
    Failed(String),
}

pub(super) struct Queue {
    state: Mutex<State>,
    woken: Condvar,
}

struct State {
    waiting: Vec<f32>,
    limit: usize,
    lost: u64,
    gaps: u32,
    blocks: u64,
    heard: Instant,
    trouble: Option<Trouble>,
    stop: bool,
    closed: bool,
}

/// What the owner takes at a time.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// One channel, at the device's rate.
    pub(super) samples: Vec<f32>,
    /// Samples thrown away because the owner came too late.
    pub(super) lost: u64,
    /// Overruns that the driver told of; how long they were, it does not say.
    pub(super) gaps: u32,
    /// Blocks delivered since the beginning.
    pub(super) blocks: u64,
    pub(super) idle: Duration,
    pub(super) trouble: Option<Trouble>,
    pub(super) stop: bool,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self {
            state: Mutex::new(State {
                waiting: Vec::new(),
                limit: WAITING_SECONDS * 48_000,
                lost: 0,
                gaps: 0,
                blocks: 0,
                heard: Instant::now(),
                trouble: None,
                stop: false,
                closed: false,
            }),
            woken: Condvar::new(),
        }
    }

    /// The stream runs at this rate from now on.
    pub(super) fn begin(&self, rate: u32) {
        let mut state = self.lock();
        state.limit = WAITING_SECONDS * rate as usize;
        state.heard = Instant::now();
    }

    /// The driver delivers: `append` adds its block.
    pub(super) fn push(&self, append: impl FnOnce(&mut Vec<f32>)) {
        let mut state = self.lock();
        if state.closed {
            return;
        }
        append(&mut state.waiting);
        let over = state.waiting.len().saturating_sub(state.limit);
        state.waiting.drain(..over);
        state.lost += over as u64;
        state.blocks += 1;
        state.heard = Instant::now();
        drop(state);
        self.woken.notify_one();
    }

    /// The driver has a fault; the first one counts.
    pub(super) fn fail(&self, trouble: Trouble) {
        self.lock().trouble.get_or_insert(trouble);
        self.woken.notify_one();
    }

    pub(super) fn gap(&self) {
        let mut state = self.lock();
        state.gaps = state.gaps.saturating_add(1);
    }

    pub(super) fn ask_stop(&self) {
        self.lock().stop = true;
        self.woken.notify_one();
    }

    #[cfg(test)]
    pub(super) fn stop_asked(&self) -> bool {
        self.lock().stop
    }

    /// Waits for something to happen, at most so long, and takes what there is.
    pub(super) fn wait(&self, longest: Duration) -> Batch {
        let state = self.lock();
        let waited = self.woken.wait_timeout_while(state, longest, |state| {
            state.waiting.is_empty() && state.trouble.is_none() && !state.stop
        });
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        Batch {
            samples: std::mem::take(&mut state.waiting),
            lost: std::mem::take(&mut state.lost),
            gaps: std::mem::take(&mut state.gaps),
            blocks: state.blocks,
            idle: state.heard.elapsed(),
            trouble: state.trouble.clone(),
            stop: state.stop,
        }
    }

    /// Nothing that the driver still delivers counts.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.waiting = Vec::new();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_who_comes_late_gets_the_newest_and_is_told() {
        let queue = Queue::new();
        queue.begin(10);
        for n in 0..25 {
            queue.push(|into| into.extend([n as f32; 10]));
        }
        let batch = queue.wait(Duration::ZERO);
        assert_eq!((batch.samples.len(), batch.lost, batch.blocks), (100, 150, 25));
        assert_eq!(batch.samples[0], 15.0);
        queue.close();
        queue.push(|into| into.push(1.0));
        assert!(queue.wait(Duration::ZERO).samples.is_empty());
    }

    #[test]
    fn the_first_fault_counts() {
        let queue = Queue::new();
        queue.fail(Trouble::Lost);
        queue.fail(Trouble::Failed("later".to_owned()));
        assert_eq!(queue.wait(Duration::from_secs(60)).trouble, Some(Trouble::Lost));
    }
}
