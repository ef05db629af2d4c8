//! The mel filter bank of Whisper: triangular filters, Slaney's scale and area normalisation, as
//! librosa's `filters.mel(sr=16000, n_fft=400)` gives them. Computed in f64, rounded once at the end.

/// Samples per second, and samples per Fourier window, of every Whisper.
const RATE: f64 = 16_000.0;
const WINDOW: usize = 400;

/// Frequency bins of one filter.
pub(super) const BINS: usize = WINDOW / 2 + 1;

/// `mels × BINS` weights, row-major.
pub(super) fn filters(mels: usize) -> Vec<f32> {
    let edges = edges(mels);
    let bin = |index: usize| index as f64 * (RATE / WINDOW as f64);
    edges
        .windows(3)
        .flat_map(|edge| {
            let (left, centre, right) = match edge {
                [left, centre, right] => (*left, *centre, *right),
                _ => (0.0, 0.0, 0.0),
            };
            let area = 2.0 / (right - left);
            (0..BINS).map(move |index| {
                let rise = -(left - bin(index)) / (centre - left);
                let fall = (right - bin(index)) / (right - centre);
                let ramp = rise.min(fall);
                // The very first weight is minus zero in the reference's files, and their hashes count.
                (if ramp < 0.0 { 0.0 } else { ramp * area }) as f32
            })
        })
        .collect()
}

/// `mels + 2` frequencies, evenly spaced in mels from 0 to half the rate.
fn edges(mels: usize) -> Vec<f64> {
    // Slaney: 3 mels every 200 Hz up to 1000 Hz, then 27 steps for each factor of 6.4.
    const LINEAR: f64 = 200.0 / 3.0;
    const KNEE_HZ: f64 = 1000.0;
    let knee = KNEE_HZ / LINEAR;
    let step = 6.4_f64.ln() / 27.0;
    let top = knee + (RATE / 2.0 / KNEE_HZ).ln() / step;
    let width = top / (mels + 1) as f64;
    (0..mels + 2)
        .map(|index| {
            let mel = if index == mels + 1 { top } else { index as f64 * width };
            if mel >= knee { KNEE_HZ * (step * (mel - knee)).exp() } else { LINEAR * mel }
        })
        .collect()
}
