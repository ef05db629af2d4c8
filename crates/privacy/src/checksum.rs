//! Check digits and dates: pure functions over digits, each named after its standard or its country.
//! They say whether a number is well formed, never whether it was issued.

/// ISO/IEC 7812-1 annex B.
pub(crate) fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, d)| {
            if i % 2 == 0 {
                *d
            } else if *d > 4 {
                2 * d - 9
            } else {
                2 * d
            }
        })
        .sum();
    !digits.is_empty() && sum.is_multiple_of(10)
}

/// Σ wᵢ·dᵢ over as many digits as there are weights.
pub(crate) fn weighted(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(d, w)| d * w).sum()
}

/// ISO 7064 mod 97-10 over letters and digits, as IBAN uses it.
pub(crate) fn mod_97(text: impl Iterator<Item = char>) -> Option<u32> {
    let mut rest = 0_u32;
    for character in text {
        let value = character.to_digit(36)?;
        rest = if value < 10 { rest * 10 + value } else { rest * 100 + value } % 97;
    }
    Some(rest)
}

/// ISO 7064 mod 11-2: the last sign is a digit or X for ten. Chinese resident IDs.
pub(crate) fn mod_11_2(text: &str) -> bool {
    let mut rest = 0_u32;
    let length = text.len();
    for (i, character) in text.chars().enumerate() {
        let value = match character {
            'X' | 'x' if i + 1 == length => 10,
            c => match c.to_digit(10) {
                Some(d) => d,
                None => return false,
            },
        };
        if i + 1 == length {
            return (rest + value) % 11 == 1;
        }
        rest = (rest + value) * 2 % 11;
    }
    false
}

/// ISO 7064 mod 11,10: German tax numbers.
pub(crate) fn mod_11_10(digits: &[u32]) -> bool {
    let Some((last, body)) = digits.split_last() else { return false };
    let mut product = 10;
    for digit in body {
        let sum = (digit + product) % 10;
        product = (if sum == 0 { 10 } else { sum }) * 2 % 11;
    }
    (11 - product) % 10 == *last
}

/// Verhoeff's dihedral check (Aadhaar).
pub(crate) fn verhoeff(digits: &[u32]) -> bool {
    const D: [[u8; 10]; 10] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
        [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
        [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
        [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
        [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
        [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
        [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
        [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
        [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    ];
    const P: [[u8; 10]; 8] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
        [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
        [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
        [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
        [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
        [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
        [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
    ];
    let check = digits
        .iter()
        .rev()
        .enumerate()
        .fold(0_u8, |c, (i, d)| D[c as usize][P[i % 8][(*d % 10) as usize] as usize]);
    !digits.is_empty() && check == 0
}

/// GB 32100-2015 mod 31: unified social credit codes.
pub(crate) fn uscc(text: &str) -> bool {
    const SIGNS: &str = "0123456789ABCDEFGHJKLMNPQRTUWXY";
    let mut weight = 1;
    let mut sum = 0;
    let mut check = None;
    for (i, character) in text.chars().enumerate() {
        let Some(value) = SIGNS.find(character) else { return false };
        if i == 17 {
            check = Some(value);
        } else {
            sum += value * weight;
            weight = weight * 3 % 31;
        }
    }
    text.len() == 18 && check == Some((31 - sum % 31) % 31)
}

/// ICAO 9303 7-3-1 over letters and digits; the last sign is the check digit.
pub(crate) fn icao(text: &str) -> bool {
    let values: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(36)).collect();
    let Some(values) = values else { return false };
    let Some((last, body)) = values.split_last() else { return false };
    let sum: u32 = body.iter().zip([7, 3, 1].iter().cycle()).map(|(v, w)| v * w).sum();
    sum % 10 == *last
}

/// All digits alike, or one after another: what people type as an example.
pub(crate) fn is_trivial(digits: &[u32]) -> bool {
    digits.windows(2).all(|w| w[0] == w[1])
        || digits.windows(2).all(|w| (w[0] + 1) % 10 == w[1])
        || digits.windows(2).all(|w| (w[1] + 1) % 10 == w[0])
}

/// Whether a day exists, in the years a living person's papers can name.
pub(crate) fn is_date(year: u32, month: u32, day: u32) -> bool {
    let leap = (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
    let length = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=length).contains(&day) && (1850..=2100).contains(&year)
}

/// A day and month that exist in some year.
pub(crate) fn is_day(month: u32, day: u32) -> bool {
    is_date(2000, month, day)
}

/// The number that some digits spell.
pub(crate) fn number(digits: &[u32]) -> u32 {
    digits.iter().fold(0_u32, |n, d| n.wrapping_mul(10).wrapping_add(*d))
}
