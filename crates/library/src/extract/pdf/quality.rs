//! Whether the text of a page means anything, by the share of characters that mean nothing.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quality {
    Blank,
    Good,
    /// Some places are nonsense.
    Mixed,
    /// Mostly nonsense: a font without a way back to characters.
    Garbage,
}

/// Above this share of nonsense a page is not text.
const GARBAGE: f64 = 0.3;
/// Above this share it is worth a warning.
const MIXED: f64 = 0.02;

#[must_use]
pub(super) fn of(text: &str) -> Quality {
    let (mut all, mut nonsense) = (0_u32, 0_u32);
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        all += 1;
        nonsense += u32::from(is_nonsense(c));
    }
    if all == 0 {
        return Quality::Blank;
    }
    match f64::from(nonsense) / f64::from(all) {
        share if share > GARBAGE => Quality::Garbage,
        share if share > MIXED => Quality::Mixed,
        _ => Quality::Good,
    }
}

/// Replacement characters, private use (a vendor's own glyph numbers), controls and non-characters.
fn is_nonsense(c: char) -> bool {
    c == char::REPLACEMENT_CHARACTER
        || c.is_control()
        || matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{F0000}'..='\u{10FFFD}')
}
