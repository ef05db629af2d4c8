//! One plain form of a text for the recognizers, with an exact way back to the original's code points.
//!
//! It applies NFKC (Unicode Standard Annex 15) to each character alone, drops format characters (zero
//! width, soft hyphen, direction marks), and turns typographic dashes into `-` and spelled-out digits into
//! digits. It never changes what is sent: only offsets found here are used, in the original.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use crate::spelled;

/// A normalised text and where each of its bytes came from.
pub(crate) struct Normal<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Per byte of `text`: the original code point it came from, first and one past the last. Absent
    /// when the text was plain ASCII and nothing changed.
    origin: Option<Vec<(u32, u32)>>,
}

/// A text in the making, with the origin of each of its bytes.
#[derive(Default)]
pub(crate) struct Traced {
    pub(crate) text: String,
    origin: Vec<(u32, u32)>,
    /// Where it reads otherwise than the text it was made from, in order.
    changed: Vec<Range<usize>>,
}

impl Traced {
    /// Adds a character that stands for the original's code points `from`.
    pub(crate) fn push(&mut self, character: char, from: (u32, u32)) {
        self.text.push(character);
        self.origin.resize(self.text.len(), from);
    }

    /// Adds a character that reads otherwise than the original does there.
    pub(crate) fn push_changed(&mut self, character: char, from: (u32, u32)) {
        let start = self.text.len();
        self.push(character, from);
        let end = self.text.len();
        match self.changed.last_mut().filter(|last| last.end == start) {
            Some(last) => last.end = end,
            None => self.changed.push(start..end),
        }
    }

    /// Only what stands within `reach` bytes of a changed place, the parts on lines of their own.
    pub(crate) fn near_changes(self, reach: usize) -> Option<Normal<'static>> {
        let mut near = Self::default();
        let mut until = 0;
        for range in &self.changed {
            let mut from = range.start.saturating_sub(reach).max(until);
            let mut to = (range.end + reach).min(self.text.len());
            while !self.text.is_char_boundary(from) {
                from -= 1;
            }
            while !self.text.is_char_boundary(to) {
                to += 1;
            }
            if from > until && !near.text.is_empty() {
                near.push('\n', self.from(from..from));
            }
            near.text.push_str(&self.text[from..to.max(from)]);
            near.origin.extend_from_slice(&self.origin[from..to.max(from)]);
            until = until.max(to);
        }
        (!near.text.is_empty()).then(|| near.done())
    }

    /// The origin of a byte range.
    pub(crate) fn from(&self, bytes: Range<usize>) -> (u32, u32) {
        let start = self.origin.get(bytes.start).map_or(0, |o| o.0);
        let end = bytes.end.checked_sub(1).and_then(|i| self.origin.get(i)).map_or(start, |o| o.1);
        (start, end)
    }

    pub(crate) fn done(self) -> Normal<'static> {
        Normal { text: Cow::Owned(self.text), origin: Some(self.origin) }
    }
}

impl<'t> Normal<'t> {
    pub(crate) fn new(original: &'t str) -> Self {
        if original.is_ascii() && !spelled::worth_a_look(original) {
            return Self { text: Cow::Borrowed(original), origin: None };
        }
        let mut traced = Traced::default();
        traced.text.reserve(original.len());
        traced.origin.reserve(original.len());
        let mut after_digit = false;
        for (index, character) in original.chars().enumerate() {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            let from = (index, index + 1);
            if is_format(character) || (after_digit && is_mark(character)) {
                continue;
            }
            if character.is_ascii() {
                after_digit = character.is_ascii_digit();
                traced.push(character, from);
                continue;
            }
            after_digit = false;
            if let Some(dash) = plain_dash(character) {
                traced.push(dash, from);
            } else if is_compatible_already(character) {
                traced.push(character, from);
            } else if let Some(digit) = foreign_digit(character) {
                after_digit = true;
                traced.push(digit, from);
            } else {
                for part in std::iter::once(character).nfkc() {
                    after_digit = part.is_ascii_digit();
                    traced.push(part, from);
                }
            }
        }
        spelled::digits(traced).done()
    }

    /// The original's code points behind a byte range of the normalised text.
    pub(crate) fn original(&self, bytes: Range<usize>) -> Range<usize> {
        match &self.origin {
            None => bytes,
            Some(_) if bytes.is_empty() => 0..0,
            Some(origin) => {
                let start = origin.get(bytes.start).map_or(0, |o| o.0 as usize);
                let end = origin.get(bytes.end - 1).map_or(start, |o| o.1 as usize);
                start..end
            }
        }
    }
}

/// Characters that show nothing and are used to break a number up.
fn is_format(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e01ef}'
    )
}

/// What is drawn over a digit: a keycap, a line through it, an accent.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20f0}')
}

/// The decimal digits of scripts whose digits NFKC leaves alone (Unicode, general category Nd).
fn foreign_digit(character: char) -> Option<char> {
    const ZEROS: [u32; 18] = [
        0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50,
        0xed0, 0xf20, 0x1040, 0x17e0, 0x1810,
    ];
    let code = u32::from(character);
    let zero = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code))?;
    char::from_digit(code - zero, 10)
}

fn plain_dash(character: char) -> Option<char> {
    matches!(character, '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{ff0d}' | '\u{fe63}' | '\u{fe58}')
        .then_some('-')
}

/// The common ideographs and kana are their own compatibility form: most Chinese text skips the tables.
fn is_compatible_already(character: char) -> bool {
    matches!(character, '\u{4e00}'..='\u{9fff}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{3001}'..='\u{3002}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(original: &str, normal: &str) {
        assert_eq!(Normal::new(original).text, normal);
    }

    #[test]
    fn plain_forms() {
        check("１３８ 0013", "138 0013");
        check("138\u{200b}0013\u{2011}8000", "1380013-8000");
        check("张伟①", "张伟1");
        check("电话一三八零零一三八零零零。", "电话13800138000。");
        check("call one three eight zero zero one three!", "call 1380013!");
        check("one two three go", "one two three go");
        check("三五成群", "三五成群");
    }

    #[test]
    fn offsets_come_back() {
        let text = "号码\u{200b}１３８\u{ad}00x";
        let normal = Normal::new(text);
        let at = normal.text.find("13800").unwrap();
        assert_eq!(normal.original(at..at + 5), 3..9);
    }

    proptest! {
        #[test]
        fn every_byte_has_an_origin(text in "\\PC{0,60}") {
            let normal = Normal::new(&text);
            let count = text.chars().count();
            for (at, character) in normal.text.char_indices() {
                let range = normal.original(at..at + character.len_utf8());
                prop_assert!(range.start < range.end && range.end <= count);
            }
        }
    }
}
