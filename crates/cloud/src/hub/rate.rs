//! Bytes per second over the last few seconds, and when it is time to tell.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

const WINDOW: Duration = Duration::from_secs(5);
const BETWEEN: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct Rate {
    seen: VecDeque<(Instant, u64)>,
    told: Option<Instant>,
}

impl Rate {
    pub(super) fn new() -> Self {
        Self { seen: VecDeque::new(), told: None }
    }

    /// Takes the bytes done so far; gives the speed if the last telling is a while ago.
    pub(super) fn seen(&mut self, done: u64) -> Option<f64> {
        let now = Instant::now();
        if self.told.is_some_and(|told| now.duration_since(told) < BETWEEN) {
            return None;
        }
        self.told = Some(now);
        // A download that starts over goes back: what was measured before says nothing then.
        if self.seen.back().is_some_and(|(_, last)| *last > done) {
            self.seen.clear();
        }
        self.seen.push_back((now, done));
        while self.seen.len() > 2
            && self.seen.front().is_some_and(|(then, _)| now.duration_since(*then) > WINDOW)
        {
            self.seen.pop_front();
        }
        let (then, first) = self.seen.front().copied().unwrap_or((now, done));
        let seconds = now.duration_since(then).as_secs_f64();
        Some(if seconds > 0.0 { (done - first) as f64 / seconds } else { 0.0 })
    }
}
