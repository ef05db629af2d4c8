//! The part of a recording that is not done with: samples, and how likely each frame is speech.

use std::ops::Range;

use crate::activity::{Activity, FRAME};
use crate::plan::{Plan, Rules, plan};
use crate::{Result, SAMPLE_RATE};

#[derive(Default)]
pub(crate) struct Buffer {
    pub(crate) samples: Vec<f32>,
    probabilities: Vec<f32>,
    /// Samples that have probabilities.
    listened: usize,
    /// Frames that came before and are done with.
    done: usize,
    before: Vec<f32>,
}

impl Buffer {
    /// Hears the samples that were added; what is not a whole frame only when nothing will follow.
    pub(crate) fn listen(&mut self, activity: &mut Activity, ended: bool) -> Result<()> {
        let whole = if ended { self.samples.len() } else { self.samples.len() / FRAME * FRAME };
        let block = &self.samples[self.listened..whole];
        activity.hear(&mut self.before, block, &mut self.probabilities)?;
        self.listened = whole;
        Ok(())
    }

    pub(crate) fn plan(&self, ended: bool, rules: &Rules) -> Plan {
        plan(&self.probabilities, ended, rules)
    }

    pub(crate) fn probabilities(&self) -> &[f32] {
        &self.probabilities
    }

    pub(crate) fn sound(&self, frames: Range<usize>) -> &[f32] {
        let end = (frames.end * FRAME).min(self.samples.len());
        &self.samples[(frames.start * FRAME).min(end)..end]
    }

    /// Seconds from the start of the recording to a frame that is held.
    pub(crate) fn seconds(&self, frame: usize) -> f64 {
        ((self.done + frame) * FRAME) as f64 / f64::from(SAMPLE_RATE)
    }

    /// How long the recording is up to the last sample.
    pub(crate) fn length(&self) -> f64 {
        self.seconds(0) + self.samples.len() as f64 / f64::from(SAMPLE_RATE)
    }

    /// Forgets frames that are done with.
    pub(crate) fn advance(&mut self, frames: usize) {
        let frames = frames.min(self.probabilities.len());
        let gone = (frames * FRAME).min(self.samples.len());
        // The length stays right where the last frame was not whole.
        if gone == frames * FRAME {
            self.done += frames;
        } else {
            self.done += gone / FRAME;
            let rest = gone % FRAME;
            self.samples.drain(..gone - rest);
            self.probabilities.clear();
            self.listened = rest;
            return;
        }
        self.samples.drain(..gone);
        self.probabilities.drain(..frames);
        self.listened = self.listened.saturating_sub(gone);
    }
}
