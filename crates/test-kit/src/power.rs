//! `FakePower`: a battery that a test can plug and unplug.

use std::sync::{Arc, Mutex};

use nearside_types::Power;

/// Power whose clones share one state.
#[derive(Debug, Clone, Default)]
pub struct FakePower(Arc<Mutex<Option<u8>>>);

impl FakePower {
    /// `None` is mains.
    pub fn set(&self, battery: Option<u8>) {
        if let Ok(mut state) = self.0.lock() {
            *state = battery;
        }
    }
}

impl Power for FakePower {
    fn battery(&self) -> Option<u8> {
        self.0.lock().ok().and_then(|state| *state)
    }
}
