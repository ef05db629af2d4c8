//! Inputs from seed and number alone: an input of the corpus with a few random changes. No state is kept,
//! so that any input can be made again.

use crate::targets::Target;

/// Lengths, counts and offsets that parsers trip over.
const NUMBERS: [u64; 12] =
    [0, 1, 2, 7, 31, 127, 255, 65_535, 0x7FFF_FFFF, 0xFFFF_FFFF, u64::MAX / 8 + 1, u64::MAX];
/// No input gets longer than this.
const LONGEST: usize = 1 << 16;

/// The input of this number.
pub(crate) fn input(target: &Target, seed: u64, number: u64) -> Vec<u8> {
    mutated(&(target.corpus)(), seed, number)
}

/// The same with the corpus at hand.
pub(crate) fn mutated(corpus: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
    let mut random = Random(seed.rotate_left(32) ^ number);
    let mut bytes = corpus.get(random.below(corpus.len())).cloned().unwrap_or_default();
    for _ in 0..=random.below(6) {
        change(&mut bytes, corpus, &mut random);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len());
    let end = (at + 1 + random.below(32)).min(bytes.len());
    match random.below(9) {
        0 if at < end => bytes[at] = random.next() as u8,
        1 if at < end => bytes[at] ^= 1 << random.below(8),
        2 => {
            let number = NUMBERS[random.below(NUMBERS.len())].to_le_bytes();
            let width = [1, 2, 4, 8][random.below(4)];
            for (byte, new) in bytes.iter_mut().skip(at).zip(&number[..width]) {
                *byte = *new;
            }
        }
        3 => drop(bytes.drain(at..end)),
        4 => bytes.truncate(at),
        5 => {
            let piece = bytes[at..end].to_vec();
            let times = 1 + random.below(40);
            bytes.splice(at..at, piece.repeat(times));
        }
        6 => {
            let other = &corpus[random.below(corpus.len())];
            let from = random.below(other.len());
            let piece = &other[from..(from + 64).min(other.len())];
            bytes.splice(at..at, piece.iter().copied());
        }
        7 => {
            let noise: Vec<u8> = (0..random.below(16)).map(|_| random.next() as u8).collect();
            bytes.splice(at..at, noise);
        }
        _ => {
            let letter = char::from_u32(random.next() as u32 % 0x11_0000).unwrap_or('\u{FFFD}');
            bytes.splice(at..at, letter.to_string().into_bytes());
        }
    }
}

/// SplitMix64 (Steele et al. 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Less than `bound`; 0 for a bound of 0.
    fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() % bound as u64) as usize }
    }
}
