//! A network on disk, run on a few threads of its own.

use crate::error::VisionError;
use rten::{ModelOptions, RunOptions, ThreadPool, Value};
use rten_tensor::NdTensor;
use std::path::Path;
use std::sync::Arc;

/// More threads than this gain little on pictures of this size.
const MOST_THREADS: usize = 8;

/// The threads that the networks share.
pub(crate) fn threads() -> Arc<ThreadPool> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Arc::new(ThreadPool::with_num_threads(cores.min(MOST_THREADS)))
}

pub(crate) struct Network {
    model: rten::Model,
    threads: Arc<ThreadPool>,
}

impl Network {
    /// # Errors
    /// `Model` with the file's name when it is missing or no network.
    pub(crate) fn load(
        folder: &Path,
        name: &'static str,
        threads: &Arc<ThreadPool>,
    ) -> Result<Self, VisionError> {
        let bytes = std::fs::read(folder.join(name)).map_err(|_| VisionError::Model(name))?;
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let model = options.load(bytes).map_err(|_| VisionError::Model(name))?;
        Ok(Self { model, threads: Arc::clone(threads) })
    }

    /// One tensor in, one out; the output has `N` dimensions.
    ///
    /// # Errors
    /// `Run` when the network refuses the input or answers in another shape.
    pub(crate) fn run<const N: usize>(
        &self,
        input: NdTensor<f32, 4>,
    ) -> Result<NdTensor<f32, N>, VisionError> {
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.threads)));
        let value: Value =
            self.model.run_one(input.into(), Some(options)).map_err(|_| VisionError::Run)?;
        value.try_into().map_err(|_| VisionError::Run)
    }
}
