//! Any rate to 16 kHz, one channel, block by block; the delay of the filter is taken out.

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Indexing, Resampler as _};

use crate::{Error, Result, SAMPLE_RATE};

const BLOCK: usize = 4096;

/// The rates that sound cards and files have, with room on both sides.
const RATES: std::ops::RangeInclusive<u32> = 4_000..=768_000;

/// A resampler with what it has not taken yet.
pub struct Resampler {
    /// None where the rate is right already.
    filter: Option<Fft<f32>>,
    rate: u32,
    waiting: Vec<f32>,
    out: Vec<f32>,
    /// Samples of the filter's delay that are still to be thrown away.
    delay: usize,
    taken: u64,
    given: u64,
}

impl Resampler {
    /// From `rate` samples a second.
    ///
    /// # Errors
    /// A rate that no recording has.
    pub fn new(rate: u32) -> Result<Self> {
        if !RATES.contains(&rate) {
            return Err(Error::Rate(rate));
        }
        let filter = if rate == SAMPLE_RATE {
            None
        } else {
            let made = Fft::new(rate as usize, SAMPLE_RATE as usize, BLOCK, 1, FixedSync::Input);
            Some(made.map_err(|error| Error::Failed(error.to_string()))?)
        };
        let delay = filter.as_ref().map_or(0, |filter| filter.output_delay());
        let out = vec![0.0; filter.as_ref().map_or(0, |filter| filter.output_frames_max())];
        Ok(Self { filter, rate, waiting: Vec::new(), out, delay, taken: 0, given: 0 })
    }

    #[must_use]
    pub fn rate(&self) -> u32 {
        self.rate
    }

    /// Takes samples of one channel and appends what they come to.
    ///
    /// # Errors
    /// A fault of the filter.
    pub fn push(&mut self, samples: &[f32], into: &mut Vec<f32>) -> Result<()> {
        self.taken += samples.len() as u64;
        if self.filter.is_none() {
            into.extend_from_slice(samples);
            return Ok(());
        }
        self.waiting.extend_from_slice(samples);
        let mut from = 0;
        while let Some(need) = self.filter.as_ref().map(|filter| filter.input_frames_next())
            && self.waiting.len() - from >= need
        {
            self.step(from, need, None, into)?;
            from += need;
        }
        self.waiting.drain(..from);
        Ok(())
    }

    /// Gives what is still in the filter, so that the sound is as long as it was.
    ///
    /// # Errors
    /// A fault of the filter.
    pub fn finish(&mut self, into: &mut Vec<f32>) -> Result<()> {
        let due = self.taken * u64::from(SAMPLE_RATE) / u64::from(self.rate);
        while self.filter.is_some() && self.given < due {
            let need = self.filter.as_ref().map_or(0, |filter| filter.input_frames_next());
            let rest = self.waiting.len().min(need);
            let before = into.len();
            self.waiting.resize(need, 0.0);
            self.step(0, need, Some(rest), into)?;
            self.waiting.clear();
            let over = self.given.saturating_sub(due);
            let keep = (into.len() - before).saturating_sub(usize::try_from(over).unwrap_or(0));
            into.truncate(before + keep);
        }
        Ok(())
    }

    fn step(
        &mut self,
        from: usize,
        need: usize,
        partial: Option<usize>,
        into: &mut Vec<f32>,
    ) -> Result<()> {
        let Some(filter) = &mut self.filter else { return Ok(()) };
        let fault = |error: String| Error::Failed(error);
        let frames = self.out.len();
        let input = InterleavedSlice::new(&self.waiting[from..from + need], 1, need)
            .map_err(|error| fault(error.to_string()))?;
        let mut output = InterleavedSlice::new_mut(&mut self.out, 1, frames)
            .map_err(|error| fault(error.to_string()))?;
        let indexing = partial.map(|partial| Indexing {
            input_offset: 0,
            output_offset: 0,
            partial_len: Some(partial),
            active_channels_mask: None,
        });
        let (_, written) = filter
            .process_into_buffer(&input, &mut output, indexing.as_ref())
            .map_err(|error| fault(error.to_string()))?;
        let skip = self.delay.min(written);
        self.delay -= skip;
        self.given += (written - skip) as u64;
        into.extend_from_slice(&self.out[skip..written]);
        Ok(())
    }
}
