//! One plain form of a text for the recognizers, with an exact way back to the original's code points.
//!
//! It applies NFKC (Unicode Standard Annex 15) to each character alone, drops format characters (zero
//! width, soft hyphen, direction marks), and turns typographic dashes into `-` and spelled-out digits into
//! digits. It never changes what is sent: only offsets found here are used, in the original.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

/// A normalised text and where each of its bytes came from.
pub(crate) struct Normal<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Per byte of `text`: the original code point it came from, first and one past the last. Absent
    /// when the text was plain ASCII and nothing changed.
    origin: Option<Vec<(u32, u32)>>,
}

impl<'t> Normal<'t> {
    pub(crate) fn new(original: &'t str) -> Self {
        if original.is_ascii() && !spelled::worth_a_look(original) {
            return Self { text: Cow::Borrowed(original), origin: None };
        }
        let mut text = String::with_capacity(original.len());
        let mut origin = Vec::with_capacity(original.len());
        for (index, character) in original.chars().enumerate() {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            if is_format(character) {
                continue;
            }
            if character.is_ascii() {
                text.push(character);
                origin.push((index, index + 1));
                continue;
            }
            match plain_dash(character) {
                Some(dash) => push(&mut text, &mut origin, dash, index),
                None if is_compatible_already(character) => {
                    push(&mut text, &mut origin, character, index);
                }
                None => {
                    for part in std::iter::once(character).nfkc() {
                        push(&mut text, &mut origin, part, index);
                    }
                }
            }
        }
        let (text, origin) = spelled::digits(text, origin);
        Self { text: Cow::Owned(text), origin: Some(origin) }
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

fn push(text: &mut String, origin: &mut Vec<(u32, u32)>, character: char, index: u32) {
    text.push(character);
    origin.resize(origin.len() + character.len_utf8(), (index, index + 1));
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

fn plain_dash(character: char) -> Option<char> {
    matches!(character, '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{ff0d}' | '\u{fe63}' | '\u{fe58}')
        .then_some('-')
}

/// The common ideographs and kana are their own compatibility form: most Chinese text skips the tables.
fn is_compatible_already(character: char) -> bool {
    matches!(character, '\u{4e00}'..='\u{9fff}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{3001}'..='\u{3002}')
}

mod spelled {
    //! Digits written as words: 一三八零零…, "one three eight …".

    const ENGLISH: [(&str, char); 11] = [
        ("zero", '0'),
        ("oh", '0'),
        ("one", '1'),
        ("two", '2'),
        ("three", '3'),
        ("four", '4'),
        ("five", '5'),
        ("six", '6'),
        ("seven", '7'),
        ("eight", '8'),
        ("nine", '9'),
    ];
    /// Shorter runs are prose ("one two three"), not a number somebody hides.
    const SHORTEST: usize = 7;

    pub(super) fn worth_a_look(text: &str) -> bool {
        text.len() >= 30
            && text
                .as_bytes()
                .windows(4)
                .any(|w| w.eq_ignore_ascii_case(b"zero") || w.eq_ignore_ascii_case(b"five"))
            || text.as_bytes().windows(5).any(|w| w.eq_ignore_ascii_case(b"eight"))
            || text.as_bytes().windows(5).any(|w| w.eq_ignore_ascii_case(b"three"))
    }

    fn hanzi(character: char) -> Option<char> {
        Some(match character {
            '零' | '〇' | '○' => '0',
            '一' | '壹' | '幺' => '1',
            '二' | '贰' => '2',
            '三' | '叁' => '3',
            '四' | '肆' => '4',
            '五' | '伍' => '5',
            '六' | '陆' => '6',
            '七' | '柒' => '7',
            '八' | '捌' => '8',
            '九' | '玖' => '9',
            _ => return None,
        })
    }

    fn begins_digit(character: char) -> bool {
        matches!(character.to_ascii_lowercase(), 'z' | 'o' | 't' | 'f' | 's' | 'e' | 'n')
            || hanzi(character).is_some()
    }

    fn word(text: &str) -> Option<(usize, char)> {
        ENGLISH.iter().find_map(|(word, digit)| {
            let head = text.get(..word.len())?;
            let whole = !text[word.len()..].starts_with(|c: char| c.is_ascii_alphabetic());
            (head.eq_ignore_ascii_case(word) && whole).then_some((word.len(), *digit))
        })
    }

    /// One step of a run: bytes used and the digit, or only a separator.
    fn step(text: &str) -> Option<(usize, Option<char>)> {
        let first = text.chars().next()?;
        if let Some(digit) = hanzi(first) {
            return Some((first.len_utf8(), Some(digit)));
        }
        if let Some((used, digit)) = word(text) {
            return Some((used, Some(digit)));
        }
        matches!(first, ' ' | '-' | ',').then_some((1, None))
    }

    pub(super) fn digits(text: String, origin: Vec<(u32, u32)>) -> (String, Vec<(u32, u32)>) {
        let mut plain = String::with_capacity(text.len());
        let mut from = Vec::with_capacity(origin.len());
        let mut at = 0;
        let mut changed = false;
        while at < text.len() {
            let boundary = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            let mut end = at;
            let mut last = at;
            let mut run = Vec::new();
            if boundary && text[at..].starts_with(begins_digit) {
                while let Some((used, digit)) = step(&text[end..]) {
                    if digit.is_none() && (run.is_empty() || end > last) {
                        break;
                    }
                    if let Some(digit) = digit {
                        run.push((digit, end, end + used));
                        last = end + used;
                    }
                    end += used;
                }
            }
            if run.len() >= SHORTEST {
                for (digit, start, stop) in &run {
                    plain.push(*digit);
                    from.push((origin[*start].0, origin[*stop - 1].1));
                }
                changed = true;
                at = last;
            } else {
                // Step over what was read: a short run cannot become a long one further in.
                let next = text[at..].chars().next().map_or(1, char::len_utf8);
                let stop = last.max(at + next);
                plain.push_str(&text[at..stop]);
                from.extend_from_slice(&origin[at..stop]);
                at = stop;
            }
        }
        if changed { (plain, from) } else { (text, origin) }
    }
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
