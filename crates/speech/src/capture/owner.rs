//! The thread that opens the stream, hears it, and closes it: on being asked, on loss, or when nothing comes.
//!
//! A stream never leaves this thread, since on some systems it may not. The microphone is open exactly while
//! this thread holds the stream.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use super::live::Live;
use super::queue::{Batch, Queue, Trouble};
use super::shared::Shared;
use super::{Ended, Microphone, OnEnd};
use crate::resample::Resampler;
use crate::{Error, Result};

/// How often it looks at the clock where nothing wakes it.
const TICK: Duration = Duration::from_millis(50);

/// No sample for so long is a loss, whatever the driver says. Told within a second together with a tick.
const SILENT: Duration = Duration::from_millis(900);

/// The same for the first sample: a Bluetooth headset takes its time to turn the microphone on.
const FIRST: Duration = Duration::from_secs(6);

/// After the stop, the block that is on its way is waited for, at most so long: it holds the end of the word.
const TAIL: Duration = Duration::from_millis(150);

/// A stream that runs. Dropping `stream` closes the microphone.
pub(super) struct Opened {
    pub(super) microphone: Microphone,
    /// The named one was not there, and this is the system's choice.
    pub(super) fell_back: bool,
    pub(super) rate: u32,
    pub(super) stream: Box<dyn Any>,
}

pub(super) type Opener = Box<dyn FnOnce(&Arc<Queue>) -> Result<Opened> + Send>;

/// Runs a capture from its opening to its end. `opened` has no room of its own: if its receiver has given up
/// waiting, the stream is closed at once.
pub(super) fn run(
    opener: Opener,
    queue: &Arc<Queue>,
    shared: &Shared,
    mut live: Live,
    on_end: Option<OnEnd>,
    opened: &SyncSender<Result<(Microphone, bool)>>,
) {
    let tried = catch_unwind(AssertUnwindSafe(|| {
        let open = opener(queue)?;
        Ok((Resampler::new(open.rate)?, open))
    }));
    let (mut resampler, open) = match tried {
        Ok(Ok(open)) => open,
        Ok(Err(error)) => {
            let _ = opened.send(Err(error));
            return;
        }
        Err(_) => {
            let _ = opened.send(Err(Error::NoSoundSystem));
            return;
        }
    };
    let Opened { microphone, fell_back, rate, stream } = open;
    queue.begin(rate);
    if opened.send(Ok((microphone, fell_back))).is_err() {
        return;
    }
    let ended = hear(queue, shared, &mut live, &mut resampler);
    queue.close();
    shared.end(&ended);
    if let Some(on_end) = on_end {
        on_end(&ended);
    }
    live.finish();
    drop(live);
    // Last, because a driver that hangs here must not keep anybody from being told.
    drop(stream);
}

fn hear(queue: &Queue, shared: &Shared, live: &mut Live, resampler: &mut Resampler) -> Ended {
    let mut sound = Vec::new();
    let mut asked: Option<(Instant, u64)> = None;
    loop {
        let batch = match asked {
            // The queue no longer sleeps once a stop is asked for.
            Some(_) => {
                std::thread::sleep(Duration::from_millis(5));
                queue.wait(Duration::ZERO)
            }
            None => queue.wait(TICK),
        };
        let mut ended = verdict(&batch, &mut asked);
        let worked = resampler.push(&batch.samples, &mut sound).and_then(|()| match ended {
            Some(_) => resampler.finish(&mut sound),
            None => Ok(()),
        });
        if let Err(error) = worked {
            ended = Some(Ended::Failed(error.to_string()));
        }
        // In samples of 16 kHz, as everything that leaves here.
        let lost = batch.lost * u64::from(crate::SAMPLE_RATE) / u64::from(resampler.rate());
        shared.push(&sound, lost, batch.gaps);
        live.push(&sound, lost);
        sound.clear();
        if let Some(ended) = ended {
            return ended;
        }
    }
}

fn verdict(batch: &Batch, asked: &mut Option<(Instant, u64)>) -> Option<Ended> {
    if batch.stop {
        let (since, blocks) = *asked.get_or_insert_with(|| (Instant::now(), batch.blocks));
        let over = batch.blocks > blocks || batch.blocks == 0 || since.elapsed() > TAIL;
        return (over || batch.trouble.is_some()).then_some(Ended::Stopped);
    }
    match &batch.trouble {
        Some(Trouble::Lost) => return Some(Ended::Lost),
        Some(Trouble::Denied) => return Some(Ended::Denied),
        Some(Trouble::Failed(what)) => return Some(Ended::Failed(what.clone())),
        None => {}
    }
    let patience = if batch.blocks == 0 { FIRST } else { SILENT };
    (batch.idle > patience).then_some(Ended::Silent)
}
