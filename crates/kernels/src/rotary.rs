//! Rotary position embedding (Su et al. 2021): tables of cosines and sines for the positions of one chunk,
//! shared by all layers, and the rotation in both pairings that GGUF models use.

/// Which elements of a head are rotated together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// Neighbours, (0, 1), (2, 3) …: llama weights as GGUF stores them.
    Neighbours,
    /// Halves, (0, n/2), (1, n/2 + 1) …: qwen2 and others ("NEOX").
    Halves,
}

/// Angles of a model's rotation.
#[derive(Debug, Clone, PartialEq)]
pub struct RotarySettings {
    pub pairing: Pairing,
    /// Elements of a head that are rotated; even, at most the head's size.
    pub dimensions: usize,
    pub base: f32,
    /// Divides each angle, one for each pair; empty where the model has none ("`rope_freqs`").
    pub divisors: Vec<f32>,
    /// Divides positions: linear context extension, 1 without.
    pub linear_scale: f32,
}

/// Cosines and sines for consecutive positions.
#[derive(Clone)]
pub struct RotaryTable {
    pub(crate) pairing: Pairing,
    pub(crate) half: usize,
    /// `[position][pair]`, cosine and sine
    turns: Vec<[f32; 2]>,
    /// The same on the GPU, for all layers of one chunk.
    #[cfg(feature = "gpu")]
    pub(crate) uploaded: std::sync::OnceLock<burn_cubecl::cubecl::server::Handle>,
}

impl std::fmt::Debug for RotaryTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RotaryTable({} × {}, {:?})", self.positions(), self.half, self.pairing)
    }
}

impl RotaryTable {
    /// The table for `count` positions from `start`.
    #[must_use]
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "angles")]
    pub fn new(settings: &RotarySettings, start: usize, count: usize) -> Self {
        let half = settings.dimensions / 2;
        let mut turns = Vec::with_capacity(half * count);
        for position in start..start + count {
            let position = position as f64 / f64::from(settings.linear_scale);
            for pair in 0..half {
                let exponent = -(2.0 * pair as f64) / settings.dimensions as f64;
                let divisor = settings.divisors.get(pair).map_or(1.0, |&d| f64::from(d));
                let angle = position * f64::from(settings.base).powf(exponent) / divisor;
                turns.push([angle.cos() as f32, angle.sin() as f32]);
            }
        }
        Self {
            pairing: settings.pairing,
            half,
            turns,
            #[cfg(feature = "gpu")]
            uploaded: std::sync::OnceLock::new(),
        }
    }

    /// `[position][pair]`, cosine and sine in turn.
    #[cfg(feature = "gpu")]
    pub(crate) fn numbers(&self) -> &[f32] {
        self.turns.as_flattened()
    }

    /// Positions in the table.
    pub(crate) fn positions(&self) -> usize {
        self.turns.len() / self.half.max(1)
    }

    /// Rotates one head for the `index`th position of the table.
    #[inline(always)]
    pub(crate) fn rotate(&self, index: usize, head: &mut [f32]) {
        let turns = &self.turns[index * self.half..(index + 1) * self.half];
        match self.pairing {
            Pairing::Neighbours => {
                for (pair, [cos, sin]) in head.chunks_exact_mut(2).zip(turns) {
                    (pair[0], pair[1]) =
                        (pair[0] * cos - pair[1] * sin, pair[0] * sin + pair[1] * cos);
                }
            }
            Pairing::Halves => {
                let (first, rest) = head.split_at_mut(self.half);
                for ((a, b), [cos, sin]) in first.iter_mut().zip(rest).zip(turns) {
                    (*a, *b) = (*a * cos - *b * sin, *a * sin + *b * cos);
                }
            }
        }
    }
}
