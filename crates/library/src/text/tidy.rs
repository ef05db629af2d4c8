//! Tidies text for reading and search: line ends, invisible characters, presentation forms.
//!
//! It never translates, corrects or removes a visible character.

use unicode_normalization::UnicodeNormalization;

/// Line ends become `\n`, lines lose trailing blanks, runs of blank lines shrink to one, and characters
/// that print nothing (zero-width spaces, byte order marks, controls) go, because they break up numbers
/// and words. Joiners stay: scripts need them.
#[must_use]
pub(crate) fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank_lines = 0_usize;
    for line in
        text.replace("\r\n", "\n").split(['\n', '\r', '\u{2028}', '\u{2029}', '\u{B}', '\u{C}'])
    {
        let start = out.len();
        out.extend(line.chars().filter(|&c| !is_invisible(c)));
        let kept = out[start..].trim_end().len();
        out.truncate(start + kept);
        if kept == 0 {
            blank_lines += 1;
            if blank_lines > 1 {
                continue;
            }
        } else {
            blank_lines = 0;
        }
        out.push('\n');
    }
    let kept = out.trim_end().len();
    out.truncate(kept);
    let skip = out.len() - out.trim_start_matches('\n').len();
    out.drain(..skip);
    out
}

/// One line: blanks of every kind become single spaces.
#[must_use]
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    tidy(&words.join(" "))
}

/// A PDF stores glyphs, so `fi` may be one character and an Arabic letter its drawn shape. Only those
/// blocks are folded; full-width letters and the rest stay as they were written.
#[must_use]
pub(crate) fn fold_presentation_forms(text: &str) -> String {
    if !text.chars().any(is_presentation_form) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_presentation_form(c) {
            out.extend(std::iter::once(c).nfkc());
        } else {
            out.push(c);
        }
    }
    out
}

fn is_presentation_form(c: char) -> bool {
    matches!(c, '\u{FB00}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{2E80}'..='\u{2FD5}')
}

fn is_invisible(c: char) -> bool {
    (c.is_control() && c != '\t')
        || matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}' | '\u{FFFE}' | '\u{FFFF}')
}
