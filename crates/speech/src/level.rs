//! How loud it is, for a meter: peak and loudness in dBFS, smoothed so that a needle can follow.
//!
//! It judges nothing: whether somebody speaks is for voice activity to say.

use crate::SAMPLE_RATE;

/// What silence is shown as; nothing reads below it.
pub const FLOOR_DBFS: f32 = -90.0;

/// How quickly a peak falls back, as on a studio's meters.
const FALL_DB_PER_SECOND: f32 = 24.0;

/// Seconds over which the loudness is taken.
const WINDOW_SECONDS: f32 = 0.3;

/// A reading of the meter.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Level {
    /// The highest sample of late, dBFS, falling back slowly.
    pub peak: f32,
    /// Loudness over the last third of a second, dBFS (RMS against a full-scale square).
    pub loudness: f32,
    /// A sample has touched full scale since the meter began: the gain is too high.
    pub clipped: bool,
    /// Seconds of exact zeros up to now. A microphone hears at least its own noise, so some seconds of this
    /// are a muted one, or one that the system keeps from this program (macOS gives zeros then).
    pub zeros: f32,
}

impl Default for Level {
    fn default() -> Self {
        Self { peak: FLOOR_DBFS, loudness: FLOOR_DBFS, clipped: false, zeros: 0.0 }
    }
}

/// Makes readings of samples at 16 kHz.
#[derive(Debug, Clone, Default)]
pub struct Meter {
    level: Level,
    /// The mean square, an exponential average.
    power: f32,
}

impl Meter {
    pub fn push(&mut self, samples: &[f32]) {
        if samples.is_empty() {
            return;
        }
        let (mut peak, mut trailing) = (0.0_f32, 0_usize);
        let keep = (-1.0 / (WINDOW_SECONDS * SAMPLE_RATE as f32)).exp();
        for &sample in samples {
            let size = sample.abs();
            peak = peak.max(size);
            self.power = self.power * keep + sample * sample * (1.0 - keep);
            trailing = if sample == 0.0 { trailing + 1 } else { 0 };
        }
        let seconds = samples.len() as f32 / SAMPLE_RATE as f32;
        let fallen = (self.level.peak - FALL_DB_PER_SECOND * seconds).max(FLOOR_DBFS);
        let zeros = trailing as f32 / SAMPLE_RATE as f32;
        self.level = Level {
            peak: decibels(peak).max(fallen),
            loudness: decibels(self.power.sqrt()),
            clipped: self.level.clipped || peak >= 1.0,
            zeros: if trailing == samples.len() { self.level.zeros + zeros } else { zeros },
        };
    }

    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }
}

fn decibels(size: f32) -> f32 {
    // Also where a broken driver gave something that is no number.
    if size > 0.0 { (20.0 * size.log10()).max(FLOOR_DBFS) } else { FLOOR_DBFS }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(amplitude: f32, seconds: f32) -> Vec<f32> {
        let count = (seconds * SAMPLE_RATE as f32) as usize;
        (0..count).map(|n| amplitude * (n as f32 * 0.4).sin()).collect()
    }

    fn check(samples: &[f32], peak: f32, loudness: f32, clipped: bool, zeros: f32) {
        let mut meter = Meter::default();
        for block in samples.chunks(700) {
            meter.push(block);
        }
        let level = meter.level();
        assert!((level.peak - peak).abs() < 0.5, "{level:?}");
        assert!((level.loudness - loudness).abs() < 0.5, "{level:?}");
        assert_eq!(level.clipped, clipped, "{level:?}");
        assert!((level.zeros - zeros).abs() < 0.01, "{level:?}");
    }

    #[test]
    fn readings() {
        check(&[], FLOOR_DBFS, FLOOR_DBFS, false, 0.0);
        check(&tone(0.0, 2.0), FLOOR_DBFS, FLOOR_DBFS, false, 2.0);
        check(&tone(0.5, 2.0), -6.0, -9.0, false, 0.0);
        check(&tone(0.01, 2.0), -40.0, -43.0, false, 0.0);
        check(&[1.0; 16_000], 0.0, -0.2, true, 0.0);
        check(&[f32::NAN; 16_000], FLOOR_DBFS, FLOOR_DBFS, false, 0.0);
    }

    #[test]
    fn a_peak_falls_back_slowly_and_loudness_quickly() {
        let mut sound = tone(0.5, 1.0);
        sound.extend(tone(0.0, 1.0));
        check(&sound, -30.0, -23.5, false, 1.0);
    }
}
