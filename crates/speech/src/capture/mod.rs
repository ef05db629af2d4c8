//! Microphones: samples at 16 kHz, one channel, from the moment of the start to the stop or the loss.
//!
//! The microphone is open only between a start and its stop. Nothing is stored and nothing is judged here; what
//! was heard is in memory, as much as asked for, and given to one listener while it comes.

mod format;
mod live;
mod microphones;
mod open;
mod owner;
mod queue;
mod ring;
mod shared;
mod soak;
mod trouble;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub use live::Block;
pub use microphones::{Microphone, Microphones};
pub use soak::{Soak, capture_soak};

use crate::level::Level;
use crate::{Error, Result, SAMPLE_RATE};
use live::Live;
use owner::Opener;
use queue::Queue;
use shared::Shared;

/// How long a system may take to open a microphone. A permission dialogue does not count: it answers at once.
const OPENING: Duration = Duration::from_secs(8);

/// How long closing may take before the samples are handed over without it.
const CLOSING: Duration = Duration::from_secs(2);

/// Told once, from the capture's own thread, when it ends for whatever reason; it must not block.
pub type OnEnd = Box<dyn FnOnce(&Ended) + Send>;

/// What to do with the sound.
pub struct CaptureOptions {
    /// Seconds that are kept until the stop; of a longer capture the newest.
    pub keep_seconds: u32,
    /// Gets each block as it comes. Its end is closed when the capture ends.
    pub sink: Option<SyncSender<Block>>,
    pub on_end: Option<OnEnd>,
}

impl Default for CaptureOptions {
    /// Ten minutes, 38 MB, for dictation.
    fn default() -> Self {
        Self { keep_seconds: 600, sink: None, on_end: None }
    }
}

/// Why a capture came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// As asked.
    Stopped,
    /// The device is gone, or the system's sound service.
    Lost,
    /// The device says nothing more.
    Silent,
    /// The permission was withdrawn.
    Denied,
    Failed(String),
}

impl Ended {
    /// The sentence for the user, where it was not as asked.
    #[must_use]
    pub fn error(&self) -> Option<Error> {
        match self {
            Self::Stopped => None,
            Self::Lost => Some(Error::MicrophoneLost),
            Self::Silent => Some(Error::MicrophoneSilent),
            Self::Denied => Some(Error::MicrophoneDenied),
            Self::Failed(what) => Some(Error::Microphone(what.clone())),
        }
    }
}

/// What was heard. `Debug` tells only how much.
#[derive(Clone, PartialEq)]
pub struct Captured {
    /// At 16 kHz, one channel, from -1 to 1.
    pub samples: Vec<f32>,
    /// Samples before these that were heard and not kept, since there were more than asked for.
    pub dropped: u64,
    /// Samples that were never heard, because this program got no time to run.
    pub lost: u64,
    /// Overruns that the driver told of, of unknown length.
    pub gaps: u32,
    pub ended: Ended,
}

impl Captured {
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(SAMPLE_RATE)
    }
}

impl std::fmt::Debug for Captured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Captured")
            .field("samples", &self.samples.len())
            .field("dropped", &self.dropped)
            .field("lost", &self.lost)
            .field("gaps", &self.gaps)
            .field("ended", &self.ended)
            .finish()
    }
}

/// An open microphone. Dropping it closes it.
pub struct Capture {
    queue: Arc<Queue>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    microphone: Microphone,
    fell_back: bool,
}

impl Capture {
    /// Opens a microphone: the named one, or the system's choice where none is named or the named one is gone
    /// (`fell_back` says so). Returns when it runs.
    ///
    /// # Errors
    /// A sentence on why it cannot be opened.
    pub fn start(
        microphones: &Microphones,
        device: Option<&str>,
        options: CaptureOptions,
    ) -> Result<Self> {
        let (microphones, device) = (microphones.clone(), device.map(str::to_owned));
        Self::begin(Box::new(move |queue| microphones.open(device.as_deref(), queue)), options)
    }

    fn begin(opener: Opener, options: CaptureOptions) -> Result<Self> {
        let CaptureOptions { keep_seconds, sink, on_end } = options;
        let queue = Arc::new(Queue::new());
        let shared = Arc::new(Shared::new(keep_seconds as usize * SAMPLE_RATE as usize));
        let (opened, is_open) = sync_channel(0);
        let (its_queue, its_shared) = (queue.clone(), shared.clone());
        let thread = std::thread::Builder::new()
            .name("microphone".to_owned())
            .spawn(move || {
                let closing = Closing(its_shared);
                owner::run(opener, &its_queue, &closing.0, Live::new(sink), on_end, &opened);
            })
            .map_err(|error| Error::Microphone(error.to_string()))?;
        match is_open.recv_timeout(OPENING) {
            Ok(Ok((microphone, fell_back))) => {
                Ok(Self { queue, shared, thread: Some(thread), microphone, fell_back })
            }
            Ok(Err(error)) => {
                let _ = thread.join();
                Err(error)
            }
            // The thread goes on waiting for the system, and closes at once what it then gets.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                Err(Error::NoSoundSystem)
            }
        }
    }

    #[must_use]
    pub fn microphone(&self) -> &Microphone {
        &self.microphone
    }

    /// The named microphone was not there and the system's choice is heard instead: to be said to the user.
    #[must_use]
    pub fn fell_back(&self) -> bool {
        self.fell_back
    }

    #[must_use]
    pub fn level(&self) -> Level {
        self.shared.level()
    }

    /// Seconds that were heard up to now, kept or not.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.shared.heard() as f64 / f64::from(SAMPLE_RATE)
    }

    /// Set as soon as it is over, asked for or not.
    #[must_use]
    pub fn ended(&self) -> Option<Ended> {
        self.shared.ended()
    }

    /// Waits for the end, at most so long.
    #[must_use]
    pub fn wait_ended(&self, longest: Duration) -> Option<Ended> {
        self.shared.wait_ended(longest)
    }

    /// Closes the microphone and gives what was heard, also after a loss. Takes the time of the block that is
    /// on its way, some 50 ms, since it holds the end of the last word.
    #[must_use]
    pub fn stop(mut self) -> Captured {
        self.close();
        self.shared.take()
    }

    /// Closes the microphone; what was heard is forgotten.
    pub fn cancel(mut self) {
        self.close();
        let _ = self.shared.take();
    }

    fn close(&mut self) {
        self.queue.ask_stop();
        let Some(thread) = self.thread.take() else { return };
        // A driver that hangs in closing keeps its thread; the user does not wait for it.
        if self.shared.wait_closed(CLOSING) {
            let _ = thread.join();
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.close();
    }
}

/// Says that the stream is closed when the owner's thread ends, in whichever way.
struct Closing(Arc<Shared>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Opens a microphone for so long and gives the loudest reading: what a settings page shows on "test".
///
/// # Errors
/// A sentence on why it cannot be opened, or how it was lost.
pub fn probe(microphones: &Microphones, device: Option<&str>, length: Duration) -> Result<Level> {
    let options = CaptureOptions { keep_seconds: 0, ..CaptureOptions::default() };
    let capture = Capture::start(microphones, device, options)?;
    let until = Instant::now() + length;
    let mut loudest = Level::default();
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if let Some(error) =
            capture.wait_ended(left.min(Duration::from_millis(50))).and_then(|ended| ended.error())
        {
            return Err(error);
        }
        let level = capture.level();
        loudest = Level {
            peak: loudest.peak.max(level.peak),
            loudness: loudest.loudness.max(level.loudness),
            ..level
        };
        if left.is_zero() {
            return Ok(loudest);
        }
    }
}
