//! `Compute`: where the kernels run: an instruction set and a pool of threads, made once when a model is
//! loaded and passed to every operation. It holds no other state.

use std::sync::Arc;

use crate::pool::{Pool, physical_cores};
use crate::{Isa, KernelError};

/// An instruction set and the threads that use it. Clones share the threads.
#[derive(Debug, Clone)]
pub struct Compute {
    pub(crate) isa: Isa,
    pub(crate) pool: Arc<Pool>,
}

impl Compute {
    /// `threads` 0 takes one for each physical core.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn new(isa: Isa, threads: usize) -> Result<Self, KernelError> {
        let threads = if threads == 0 { physical_cores() } else { threads };
        Ok(Self { isa, pool: Arc::new(Pool::new(threads)?) })
    }

    #[must_use]
    pub fn isa(&self) -> Isa {
        self.isa
    }

    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }
}
