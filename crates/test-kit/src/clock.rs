//! `FakeClock`: time that moves only when a test moves it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use nearside_types::Clock;

/// A clock whose clones share one time.
#[derive(Debug, Clone)]
pub struct FakeClock(Arc<AtomicI64>);

impl FakeClock {
    /// Starts at `now_ms` milliseconds since 1970 UTC.
    #[must_use]
    pub fn at(now_ms: i64) -> Self {
        Self(Arc::new(AtomicI64::new(now_ms)))
    }

    pub fn advance_ms(&self, by: i64) {
        self.0.fetch_add(by, Ordering::Relaxed);
    }
}

impl Default for FakeClock {
    /// 2026-01-01 00:00 UTC.
    fn default() -> Self {
        Self::at(1_767_225_600_000)
    }
}

impl Clock for FakeClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}
