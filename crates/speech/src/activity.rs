//! Voice activity: how likely somebody speaks in each 32 ms, from Silero's network inside whisper.cpp.

use std::path::Path;

use whisper_rs::{WhisperVadContext, WhisperVadContextParams};

use crate::{Error, Result};

/// Samples of one frame of the network.
pub(crate) const FRAME: usize = 512;

/// Frames that are heard again before a block, so that the network has settled when the block begins.
const WARM_UP: usize = 32;

/// The network.
pub(crate) struct Activity {
    network: WhisperVadContext,
}

impl Activity {
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let fault = || Error::Model(path.display().to_string());
        let name = path.to_str().filter(|name| !name.contains('\0')).ok_or_else(fault)?;
        let mut parameters = WhisperVadContextParams::new();
        // The network is so small that a second thread only waits.
        parameters.set_n_threads(1);
        let network = WhisperVadContext::new(name, parameters).map_err(|_| fault())?;
        Ok(Self { network })
    }

    /// Appends one probability for each whole or begun frame of a block. `before` is what was heard just before,
    /// and becomes what the next block follows; all blocks but the last must hold whole frames.
    pub(crate) fn hear(
        &mut self,
        before: &mut Vec<f32>,
        block: &[f32],
        into: &mut Vec<f32>,
    ) -> Result<()> {
        if block.is_empty() {
            return Ok(());
        }
        let warm = before.len() / FRAME;
        before.extend_from_slice(block);
        self.network.detect_speech(before).map_err(|error| Error::Failed(error.to_string()))?;
        into.extend_from_slice(self.network.probabilities().get(warm..).unwrap_or_default());
        let whole = before.len() / FRAME;
        let keep = whole.min(WARM_UP);
        before.truncate(whole * FRAME);
        before.drain(..(whole - keep) * FRAME);
        Ok(())
    }
}
