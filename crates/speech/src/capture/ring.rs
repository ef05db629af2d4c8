//! The samples that are kept: as many as fit, the oldest dropped and counted.

use std::collections::VecDeque;

#[derive(Default)]
pub(super) struct Ring {
    samples: VecDeque<f32>,
    limit: usize,
    dropped: u64,
}

impl Ring {
    pub(super) fn new(limit: usize) -> Self {
        Self { samples: VecDeque::new(), limit, dropped: 0 }
    }

    pub(super) fn push(&mut self, block: &[f32]) {
        let skip = block.len().saturating_sub(self.limit);
        let block = &block[skip..];
        let over = (self.samples.len() + block.len()).saturating_sub(self.limit);
        self.samples.drain(..over);
        self.samples.extend(block);
        self.dropped += (skip + over) as u64;
    }

    /// What is kept, and how many older samples are not.
    pub(super) fn take(&mut self) -> (Vec<f32>, u64) {
        (std::mem::take(&mut self.samples).into(), std::mem::take(&mut self.dropped))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keeps_the_newest_and_counts_the_rest(limit in 0_usize..50, sizes in prop::collection::vec(0_usize..80, 0..20)) {
            let mut ring = Ring::new(limit);
            let mut next = 0_u32;
            for size in sizes {
                let block: Vec<f32> = (next..).take(size).map(|n| n as f32).collect();
                next += size as u32;
                ring.push(&block);
            }
            let (kept, dropped) = ring.take();
            prop_assert_eq!(kept.len(), limit.min(next as usize));
            prop_assert_eq!(kept.len() as u64 + dropped, u64::from(next));
            let expected: Vec<f32> = (dropped as u32..next).map(|n| n as f32).collect();
            prop_assert_eq!(kept, expected);
        }
    }
}
