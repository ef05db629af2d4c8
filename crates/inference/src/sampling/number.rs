//! Numbers that are the same on every platform: an exponential and a random generator, from IEEE additions
//! and multiplications alone. The standard `exp` is the platform's and differs in the last bits.

/// e to the power of `x` for `x` up to 0 or a little above, within 1e-15 of the true value. Below -700 it is 0.
pub(super) fn exp(x: f64) -> f64 {
    const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    if x.is_nan() || x <= -700.0 {
        return 0.0;
    }
    let x = x.min(700.0);
    // x = k ln 2 + r with r in ±ln 2 / 2, where the series ends quickly.
    let k = (x * std::f64::consts::LOG2_E).round();
    let r = (x - k * LN2_HIGH) - k * LN2_LOW;
    let mut sum = 1.0;
    for divisor in (1..=13).rev() {
        sum = 1.0 + r / f64::from(divisor) * sum;
    }
    #[expect(clippy::cast_possible_truncation, reason = "k is a whole number within ±1011")]
    let exponent = k as i64;
    sum * f64::from_bits(((1023 + exponent) << 52).cast_unsigned())
}

/// PCG-XSH-RR 64/32 (O'Neill 2014).
#[derive(Debug, Clone)]
pub(super) struct Random {
    state: u64,
}

impl Random {
    const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
    const INCREMENT: u64 = 1_442_695_040_888_963_407;

    pub(super) fn seeded(seed: u64) -> Self {
        let mut random = Self { state: seed.wrapping_add(Self::INCREMENT) };
        random.bits();
        random
    }

    fn bits(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(Self::MULTIPLIER).wrapping_add(Self::INCREMENT);
        #[expect(clippy::cast_possible_truncation, reason = "the generator's output is 32 bits")]
        let mixed = (((old >> 18) ^ old) >> 27) as u32;
        mixed.rotate_right((old >> 59) as u32)
    }

    /// From 0 up to but not 1, in steps of 2⁻⁵³.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are what a double holds")]
    pub(super) fn unit(&mut self) -> f64 {
        let bits = (u64::from(self.bits()) << 21) ^ (u64::from(self.bits()) >> 11);
        bits as f64 / (1_u64 << 53) as f64
    }
}
