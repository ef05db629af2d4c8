//! The process that runs one target: announces each input by its number, and then runs it.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::mutate;
use crate::targets::Target;

/// An input that takes longer, three times in a row, is a fault. A busy machine slows one run, not three.
const SLOWEST: Duration = Duration::from_secs(1);
/// The status for that fault; a panic has another.
pub(crate) const SLOW: u8 = 3;

/// Runs inputs from number 0 until the time is over.
pub(crate) fn run(target: &Target, time: Duration, seed: u64) -> ExitCode {
    let corpus = (target.corpus)();
    let started = Instant::now();
    let mut announced = std::io::stdout().lock();
    for number in 0_u64.. {
        let told = announced.write_all(&number.to_le_bytes()).and_then(|()| announced.flush());
        if started.elapsed() >= time || told.is_err() {
            break;
        }
        let input = mutate::mutated(&corpus, seed, number);
        let is_slow = || {
            let started = Instant::now();
            (target.run)(&input);
            started.elapsed() > SLOWEST
        };
        if is_slow() && is_slow() && is_slow() {
            return ExitCode::from(SLOW);
        }
    }
    ExitCode::SUCCESS
}
