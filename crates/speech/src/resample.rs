//! Any rate to 16 kHz, one channel, block by block: band-limited interpolation (Smith & Gossett 1984), a sinc under
//! a Kaiser window, read from a table. The sound keeps its times and its length.

use crate::{Error, Result, SAMPLE_RATE};

/// The rates that sound cards and files have, with room on both sides.
const RATES: std::ops::RangeInclusive<u32> = 4_000..=768_000;

/// Zero crossings of the sinc on each side.
const CROSSINGS: f64 = 16.0;

/// Table entries for each sample of the input; between them it is linear.
const ENTRIES: usize = 256;

/// The Kaiser window's shape: 80 dB down where the band ends.
const BETA: f64 = 8.0;

/// The part of the band that passes; the rest is where the filter falls off.
const PASSED: f64 = 0.94;

/// A resampler with what it has not taken yet.
pub struct Resampler {
    rate: u32,
    /// One side of the filter; empty where the rate is right already.
    table: Vec<f32>,
    /// Samples of the input on each side of a place that bear on it.
    reach: usize,
    /// The input from `reach` samples before the next place on.
    window: Vec<f32>,
    /// Place of the first of those, counted in samples of the input; the start has silence before it.
    first: u64,
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
        let mut this = Self {
            rate,
            table: Vec::new(),
            reach: 0,
            window: Vec::new(),
            first: 0,
            taken: 0,
            given: 0,
        };
        if rate != SAMPLE_RATE {
            let band = PASSED * (f64::from(SAMPLE_RATE) / f64::from(rate)).min(1.0);
            this.reach = (CROSSINGS / band).ceil() as usize;
            this.table = table(band, this.reach);
            this.window = vec![0.0; this.reach];
        }
        Ok(this)
    }

    #[must_use]
    pub fn rate(&self) -> u32 {
        self.rate
    }

    /// Takes samples of one channel and appends what they come to.
    ///
    /// # Errors
    /// None; a block of another rate would be one.
    pub fn push(&mut self, samples: &[f32], into: &mut Vec<f32>) -> Result<()> {
        self.taken += samples.len() as u64;
        if self.table.is_empty() {
            into.extend_from_slice(samples);
            return Ok(());
        }
        self.window.extend_from_slice(samples);
        self.give(u64::MAX, into);
        Ok(())
    }

    /// Gives what still waits for its other side, so that the sound is as long as it was.
    ///
    /// # Errors
    /// None, as `push`.
    pub fn finish(&mut self, into: &mut Vec<f32>) -> Result<()> {
        if !self.table.is_empty() {
            self.window.extend(std::iter::repeat_n(0.0, self.reach + 1));
            self.give(self.taken * u64::from(SAMPLE_RATE) / u64::from(self.rate), into);
        }
        Ok(())
    }

    /// Everything up to `last` that has its other side.
    fn give(&mut self, last: u64, into: &mut Vec<f32>) {
        let one = u64::from(SAMPLE_RATE);
        while self.given < last {
            let place = self.given * u64::from(self.rate);
            // `window` begins `reach` samples before the input's own start.
            let Ok(at) = usize::try_from(place / one - self.first) else { return };
            let Some(near) = self.window.get(at..at + 2 * self.reach + 1) else { break };
            let past = (place % one) as f64 / one as f64;
            into.push(self.at(near, past as f32));
            self.given += 1;
        }
        let next = (self.given * u64::from(self.rate) / one).saturating_sub(self.first);
        let gone = usize::try_from(next).unwrap_or(usize::MAX).min(self.window.len());
        self.window.drain(..gone);
        self.first += gone as u64;
    }

    /// The value `past` (0 to 1) after the middle of `near`.
    fn at(&self, near: &[f32], past: f32) -> f32 {
        let (before, after) = near.split_at(self.reach + 1);
        let side = |samples: &mut dyn Iterator<Item = &f32>, offset: f32| -> f32 {
            let start = offset * ENTRIES as f32;
            let (entry, part) = (start as usize, start.fract());
            let mut sum = 0.0;
            for (sample, pair) in samples.zip(self.table[entry..].windows(2).step_by(ENTRIES)) {
                sum += sample * (pair[0] + (pair[1] - pair[0]) * part);
            }
            sum
        };
        side(&mut before.iter().rev(), past) + side(&mut after.iter(), 1.0 - past)
    }
}

/// One side of the filter that passes `band` of the input's band, as far as `reach` samples.
fn table(band: f64, reach: usize) -> Vec<f32> {
    let entry = |at: usize| {
        let distance = at as f64 / ENTRIES as f64;
        let angle = std::f64::consts::PI * band * distance;
        let sinc = if at == 0 { 1.0 } else { angle.sin() / angle };
        let along = (distance / reach as f64).min(1.0);
        band * sinc * bessel(BETA * (1.0 - along * along).sqrt()) / bessel(BETA)
    };
    // The last place asked for lies a whole sample beyond the reach, where there is nothing.
    let mut table: Vec<f32> = (0..=reach * ENTRIES).map(|at| entry(at) as f32).collect();
    table.resize((reach + 1) * ENTRIES + 2, 0.0);
    table
}

/// The modified Bessel function of order zero, by its series.
fn bessel(x: f64) -> f64 {
    let (mut sum, mut term, mut at) = (1.0, 1.0, 1.0);
    while term > sum * 1e-12 {
        term *= (x / 2.0 / at) * (x / 2.0 / at);
        sum += term;
        at += 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(rate: u32, hertz: f64) -> Vec<f32> {
        let angle = std::f64::consts::TAU * hertz / f64::from(rate);
        (0..rate).map(|at| (angle * f64::from(at)).sin() as f32 * 0.5).collect()
    }

    /// Pushed in blocks of odd sizes.
    fn convert(rate: u32, samples: &[f32]) -> Vec<f32> {
        let (mut resampler, mut out) = (Resampler::new(rate).unwrap(), Vec::new());
        for block in samples.chunks(997) {
            resampler.push(block, &mut out).unwrap();
        }
        resampler.finish(&mut out).unwrap();
        out
    }

    #[test]
    fn a_tone_keeps_its_time_height_and_length() {
        for rate in [4_000, 8_000, 11_025, 16_000, 22_050, 44_100, 44_101, 48_000, 192_000] {
            let out = convert(rate, &tone(rate, 440.0));
            assert!(out.len().abs_diff(SAMPLE_RATE as usize) <= 1, "{rate}: {}", out.len());
            let right = tone(SAMPLE_RATE, 440.0);
            for (at, (out, right)) in out.iter().zip(&right).enumerate().take(15_500).skip(500) {
                assert!((out - right).abs() < 0.002, "{rate}: sample {at}");
            }
        }
    }

    #[test]
    fn what_lies_above_the_band_does_not_fold_into_it() {
        for (rate, hertz) in [(44_100, 10_000.0), (48_000, 15_000.0), (96_000, 30_000.0)] {
            let out = convert(rate, &tone(rate, hertz));
            let loudest = out[500..15_500].iter().fold(0.0_f32, |most, one| most.max(one.abs()));
            assert!(loudest < 0.001, "{hertz} Hz of {rate}: {loudest}");
        }
    }

    #[test]
    fn rates_that_nothing_has_are_refused() {
        for rate in [0, 3_999, 768_001, u32::MAX] {
            assert_eq!(Resampler::new(rate).err(), Some(Error::Rate(rate)));
        }
    }
}
