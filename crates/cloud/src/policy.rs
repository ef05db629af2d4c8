//! `LocalOnly`: the switch that keeps everything on this machine, held by everything that connects.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::CloudError;

/// A shared switch. Its owner is whoever owns the settings; clones see a change at once, also in the
/// middle of a request.
#[derive(Debug, Clone, Default)]
pub struct LocalOnly(Arc<AtomicBool>);

impl LocalOnly {
    #[must_use]
    pub fn new(on: bool) -> Self {
        Self(Arc::new(AtomicBool::new(on)))
    }

    pub fn set(&self, on: bool) {
        self.0.store(on, Ordering::SeqCst);
    }

    #[must_use]
    pub fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// # Errors
    /// `LocalOnly` while the switch is on.
    pub fn permit(&self) -> Result<(), CloudError> {
        if self.is_on() { Err(CloudError::LocalOnly) } else { Ok(()) }
    }
}
