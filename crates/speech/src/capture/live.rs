//! Samples for whoever listens while it is recorded: a bounded channel that never holds up the capture.

use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::{Duration, Instant};

use crate::SAMPLE_RATE;

/// Samples that may wait for a listener who is busy; beyond that the oldest are missing for him.
const WAITING: usize = 60 * SAMPLE_RATE as usize;

/// How long the end is offered to a listener whose channel is full.
const FAREWELL: Duration = Duration::from_millis(500);

/// A stretch of the sound. `Debug` tells only its place and length.
#[derive(Clone, PartialEq)]
pub struct Block {
    /// The place of the first sample, counted at 16 kHz from the beginning of the capture. More than the end
    /// of the block before it: what lies between is missing.
    pub start: u64,
    pub samples: Vec<f32>,
}

impl std::fmt::Debug for Block {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Block({} samples from {})", self.samples.len(), self.start)
    }
}

pub(super) struct Live {
    sink: Option<SyncSender<Block>>,
    waiting: Vec<f32>,
    /// The place of the first one waiting.
    start: u64,
}

impl Live {
    pub(super) fn new(sink: Option<SyncSender<Block>>) -> Self {
        Self { sink, waiting: Vec::new(), start: 0 }
    }

    /// Offers samples, before which `lost` are missing.
    pub(super) fn push(&mut self, samples: &[f32], lost: u64) {
        if self.sink.is_none() {
            return;
        }
        if lost > 0 {
            self.offer();
            // What still waits is given up: one block is one stretch.
            self.start += self.waiting.len() as u64 + lost;
            self.waiting.clear();
        }
        self.waiting.extend_from_slice(samples);
        let over = self.waiting.len().saturating_sub(WAITING);
        self.waiting.drain(..over);
        self.start += over as u64;
        self.offer();
    }

    /// Offers what still waits, for a little while.
    pub(super) fn finish(&mut self) {
        let until = Instant::now() + FAREWELL;
        self.offer();
        while self.sink.is_some() && !self.waiting.is_empty() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
            self.offer();
        }
    }

    fn offer(&mut self) {
        let Some(sink) = &self.sink else { return };
        if self.waiting.is_empty() {
            return;
        }
        let block = Block { start: self.start, samples: std::mem::take(&mut self.waiting) };
        let next = self.start + block.samples.len() as u64;
        match sink.try_send(block) {
            Ok(()) => self.start = next,
            Err(TrySendError::Full(block)) => self.waiting = block.samples,
            Err(TrySendError::Disconnected(_)) => self.sink = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use super::*;

    #[test]
    fn a_busy_listener_gets_everything_late_and_sees_what_is_missing() {
        let (sink, heard) = sync_channel(1);
        let mut live = Live::new(Some(sink));
        for n in 0..5 {
            live.push(&[n as f32; 10], 0);
        }
        assert_eq!(heard.recv().unwrap(), Block { start: 0, samples: vec![0.0; 10] });
        live.push(&[5.0; 10], 0);
        let block = heard.recv().unwrap();
        assert_eq!((block.start, block.samples.len(), block.samples[49]), (10, 50, 5.0));
        live.push(&[6.0; 10], 7);
        assert_eq!(heard.recv().unwrap().start, 67);
        live.push(&vec![0.0; WAITING], 0);
        live.push(&vec![1.0; WAITING], 0);
        live.push(&[2.0], 0);
        assert_eq!(heard.recv().unwrap().start, 77);
        live.finish();
        let block = heard.recv().unwrap();
        assert_eq!((block.start, block.samples.len()), (78 + WAITING as u64, WAITING));
        assert_eq!(format!("{block:?}"), "Block(960000 samples from 960078)");
    }

    #[test]
    fn a_listener_who_left_costs_nothing() {
        let (sink, heard) = sync_channel(1);
        drop(heard);
        let mut live = Live::new(Some(sink));
        live.push(&[0.0; 10], 0);
        assert!(live.sink.is_none() && live.waiting.is_empty());
        live.finish();
    }
}
