//! The form of a placeholder, `[PERSON_1]`, and a parser that still knows it after a model has upper-cased,
//! lower-cased, bolded, spaced, escaped, wrapped or translated the text around it.
//!
//! One hand-written parser serves whole texts and streams: it says yes, no, or "more text is needed". The
//! second written form of one value has a letter (`[PHONE_1b]`), so that a model sees it is the same value
//! and the way back is exact. Bare forms (`PERSON_1`) count in capitals only: `person_1` is a variable.

use nearside_types::EntityType;

/// What a placeholder stands for: an entity, or the user's own text that looked like a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Label {
    Entity(EntityType),
    Text,
}

impl Label {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Entity(kind) => kind.name(),
            Self::Text => "TEXT",
        }
    }

    fn all() -> impl Iterator<Item = Self> {
        EntityType::ALL.into_iter().map(Self::Entity).chain([Self::Text])
    }
}

/// A placeholder as it was read, whatever it looked like.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Placeholder {
    pub(crate) label: Label,
    pub(crate) number: u32,
    /// Empty for the first written form.
    pub(crate) variant: String,
}

impl std::fmt::Display for Placeholder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}_{}{}]", self.label.name(), self.number, self.variant)
    }
}

/// The letters of the n-th further written form: a … z without s, which is a plural.
pub(crate) fn variant(index: usize) -> Option<String> {
    const LETTERS: &[u8] = b"bcdefghijklmnopqrtuvwxyz";
    let letter = |i: usize| char::from(LETTERS[i]);
    match index {
        0 => Some(String::new()),
        1..=24 => Some(letter(index - 1).to_string()),
        25..=600 => Some(format!("{}{}", letter((index - 25) / 24), letter((index - 25) % 24))),
        _ => None,
    }
}

/// What stands at a place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    No,
    /// It may become a placeholder when more text comes.
    Partial,
    Found {
        end: usize,
        placeholder: Placeholder,
        bracketed: bool,
    },
}

enum Stop {
    No,
    Partial,
}

/// Whether a placeholder can begin with this byte.
pub(crate) fn can_begin(byte: u8) -> bool {
    matches!(byte, b'[' | b'\\' | b'%' | b'&' | 0xe3 | 0xef | b'A'..=b'Z')
}

/// Parses at byte `start`. `complete` says that no more text will come; `before` is the character in front.
pub(crate) fn parse(text: &str, start: usize, before: Option<char>, complete: bool) -> Step {
    let Some(rest) = text.get(start..) else { return Step::No };
    let result = if rest.starts_with(|c: char| c.is_ascii_uppercase()) {
        let joined = before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        if joined { Err(Stop::No) } else { bare(rest, complete) }
    } else {
        bracketed(rest, complete)
    };
    match result {
        Ok((length, placeholder, bracketed)) => {
            Step::Found { end: start + length, placeholder, bracketed }
        }
        Err(Stop::No) => Step::No,
        Err(Stop::Partial) => Step::Partial,
    }
}

struct Cursor<'t> {
    text: &'t str,
    at: usize,
    complete: bool,
}

impl Cursor<'_> {
    fn peek(&self) -> Result<char, Stop> {
        match self.text[self.at..].chars().next() {
            Some(c) => Ok(c),
            None if self.complete => Err(Stop::No),
            None => Err(Stop::Partial),
        }
    }

    fn take(&mut self, fits: impl Fn(char) -> bool) -> Result<char, Stop> {
        let c = self.peek()?;
        if !fits(c) {
            return Err(Stop::No);
        }
        self.at += c.len_utf8();
        Ok(c)
    }

    /// Up to `most` characters that fit. At the end of an unfinished text more may come.
    fn skip(&mut self, most: usize, fits: impl Fn(char) -> bool) -> Result<(), Stop> {
        for _ in 0..most {
            match self.peek() {
                Ok(c) if fits(c) => self.at += c.len_utf8(),
                Ok(_) => return Ok(()),
                Err(Stop::No) => return Ok(()),
                Err(Stop::Partial) => return Err(Stop::Partial),
            }
        }
        Ok(())
    }

    fn literal(&mut self, literal: &str) -> Result<(), Stop> {
        for expected in literal.chars() {
            self.take(|c| c.eq_ignore_ascii_case(&expected))?;
        }
        Ok(())
    }
}

type Parsed = (usize, Placeholder, bool);

fn bracketed(text: &str, complete: bool) -> Result<Parsed, Stop> {
    const PAIRS: [(&str, &str); 9] = [
        ("\\[", "\\]"),
        ("[", "]"),
        ("【", "】"),
        ("［", "］"),
        ("〔", "〕"),
        ("%5b", "%5d"),
        ("&#91;", "&#93;"),
        ("\\u005b", "\\u005d"),
        ("&lbrack;", "&rbrack;"),
    ];
    let mut partial = false;
    for (open, close) in PAIRS {
        match within(text, open, close, complete) {
            Ok(parsed) => return Ok(parsed),
            Err(Stop::Partial) => partial = true,
            Err(Stop::No) => {}
        }
    }
    Err(if partial { Stop::Partial } else { Stop::No })
}

fn within(text: &str, open: &str, close: &str, complete: bool) -> Result<Parsed, Stop> {
    let mut cursor = Cursor { text, at: 0, complete };
    cursor.literal(open)?;
    cursor.skip(4, is_filler)?;
    let inner = cursor.at;
    let mut partial = false;
    for label in Label::all() {
        cursor.at = inner;
        match label_and_number(&mut cursor, label, true).and_then(|placeholder| {
            cursor.skip(4, is_filler)?;
            cursor.literal(close)?;
            Ok(placeholder)
        }) {
            Ok(placeholder) => return Ok((cursor.at, placeholder, true)),
            Err(Stop::Partial) => partial = true,
            Err(Stop::No) => {}
        }
    }
    Err(if partial { Stop::Partial } else { Stop::No })
}

fn bare(text: &str, complete: bool) -> Result<Parsed, Stop> {
    let mut partial = false;
    for label in Label::all() {
        let mut cursor = Cursor { text, at: 0, complete };
        match label_and_number(&mut cursor, label, false).and_then(|placeholder| {
            match cursor.peek() {
                Ok(c) if c.is_ascii_alphanumeric() || c == '_' => Err(Stop::No),
                Ok(_) => Ok(placeholder),
                Err(Stop::No) => Ok(placeholder),
                Err(Stop::Partial) => Err(Stop::Partial),
            }
        }) {
            Ok(placeholder) => return Ok((cursor.at, placeholder, false)),
            Err(Stop::Partial) => partial = true,
            Err(Stop::No) => {}
        }
    }
    Err(if partial { Stop::Partial } else { Stop::No })
}

/// `NATIONAL_ID_1b`; in brackets with other separators, in any case, wrapped.
fn label_and_number(
    cursor: &mut Cursor<'_>,
    label: Label,
    loose: bool,
) -> Result<Placeholder, Stop> {
    for (i, word) in label.name().split('_').enumerate() {
        if i > 0 {
            separator(cursor, loose)?;
        }
        for expected in word.chars() {
            cursor.take(|c| c == expected || loose && narrow(c).eq_ignore_ascii_case(&expected))?;
        }
    }
    if loose && matches!(cursor.peek()?, 's' | 'S') {
        // `[PERSONS_1]`
        cursor.at += 1;
    }
    separator(cursor, loose)?;
    let mut number = 0_u32;
    let mut digits = 0;
    loop {
        match cursor.peek() {
            Ok(c) => {
                let Some(digit) = digit(c) else { break };
                if digits == 6 || (digits == 0 && digit == 0) {
                    return Err(Stop::No);
                }
                number = number * 10 + digit;
                digits += 1;
                cursor.at += c.len_utf8();
            }
            Err(Stop::Partial) => return Err(Stop::Partial),
            Err(Stop::No) => break,
        }
    }
    if digits == 0 {
        return Err(Stop::No);
    }
    let mut variant = String::new();
    while variant.len() < 2 {
        match cursor.peek() {
            Ok(c) if c.is_ascii_lowercase() || loose && c.is_ascii_uppercase() => {
                variant.push(c.to_ascii_lowercase());
                cursor.at += 1;
            }
            Err(Stop::Partial) => return Err(Stop::Partial),
            _ => break,
        }
    }
    Ok(Placeholder { label, number, variant })
}

fn separator(cursor: &mut Cursor<'_>, loose: bool) -> Result<(), Stop> {
    if loose {
        let start = cursor.at;
        cursor.skip(4, is_wrap)?;
        let spaced = cursor.at > start;
        match cursor.peek()? {
            '\\' | '_' | '-' | '＿' | '#' => {}
            _ if spaced => return Ok(()),
            _ => return Err(Stop::No),
        }
        cursor.skip(1, |c| c == '\\')?;
        cursor.take(|c| matches!(c, '_' | '-' | '＿' | '#'))?;
        return cursor.skip(4, is_wrap);
    }
    cursor.skip(1, |c| c == '\\')?;
    cursor.take(|c| c == '_').map(|_| ())
}

fn digit(c: char) -> Option<u32> {
    c.to_digit(10).or_else(|| (u32::from(c)).checked_sub(0xff10).filter(|d| *d < 10))
}

/// A sign of full width as the ASCII sign it stands for.
fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        other => other,
    }
}

/// What a line break inside a placeholder leaves: spaces, and the mark of a quoted line.
fn is_wrap(c: char) -> bool {
    c.is_whitespace() || c == '>'
}

fn is_filler(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '`' | '~' | '"' | '\'' | '\u{200b}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        match parse(text, 0, None, true) {
            Step::Found { end, placeholder, .. } => {
                assert_eq!(placeholder.to_string(), expected, "{text}");
                assert_eq!(end, text.len(), "{text}");
            }
            other => assert_eq!(expected, "", "{text}: {other:?}"),
        }
    }

    #[test]
    fn forms_that_models_write() {
        for text in [
            "[PERSON_1]",
            "[person_1]",
            "[Person_1]",
            "[**PERSON_1**]",
            "[ PERSON_1 ]",
            "[PERSON _ 1]",
            "[PERSON 1]",
            "[PERSON\n1]",
            "\\[PERSON\\_1\\]",
            "[PERSON\\_1]",
            "【PERSON_1】",
            "［ＰERSON_1］",
            "［PERSON_１］",
            "%5BPERSON_1%5D",
            "PERSON_1",
            "PERSON\\_1",
        ] {
            check(text, "[PERSON_1]");
        }
        check("[NATIONAL_ID_12c]", "[NATIONAL_ID_12c]");
        check("[national id 12C]", "[NATIONAL_ID_12c]");
        check("[TEXT_3]", "[TEXT_3]");
        for text in
            ["[PERSON_0]", "[FOO_1]", "[PERSON_]", "person_1", "[PERSON_1234567]", "[PERSON]"]
        {
            check(text, "");
        }
    }

    #[test]
    fn every_prefix_asks_for_more() {
        for text in ["[NATIONAL_ID_12]", "\\[PERSON\\_1\\]", "%5BORG_ID_3%5D", "【ORG_7】"] {
            for (cut, _) in text.char_indices().skip(1) {
                assert_eq!(parse(&text[..cut], 0, None, false), Step::Partial, "{}", &text[..cut]);
            }
        }
        assert_eq!(parse("PERSON_1", 0, None, false), Step::Partial);
        assert_eq!(parse("[x", 0, None, false), Step::No);
    }

    #[test]
    fn variants_are_distinct() {
        let all: std::collections::BTreeSet<_> = (0..=600).filter_map(variant).collect();
        assert_eq!(all.len(), 601);
        assert_eq!(variant(601), None);
    }
}
