//! Other readings of a text, for what is written so that no pattern sees it: signs that look like digits or
//! letters of another script, escapes (`%31`, `\u0031`, `&#49;`), base64 and hexadecimal. Each reading is a text
//! with a way back to the original, made only where the text gives cause.
//!
//! It decides nothing: what counts in which reading is `detect`'s part.

use std::ops::Range;

use crate::normalise::{Normal, Traced};

/// Longer tokens are data, not a number that somebody encoded.
const LONGEST_TOKEN: usize = 4096;
const SHORTEST_TOKEN: usize = 12;
/// Bytes around a changed place that are read again: the reach of context, and a name before it.
const REACH: usize = 96;

/// The text with look-alikes of digits and of Latin letters in their place, if there are any.
pub(crate) fn unmasked(normal: &Normal<'_>) -> Option<Normal<'static>> {
    let text: &str = &normal.text;
    let mut swaps: Vec<(usize, usize, char)> = Vec::new();
    letters(text, &mut swaps);
    digits(text, &mut swaps);
    if swaps.is_empty() {
        return None;
    }
    swaps.sort_unstable_by_key(|s| s.0);
    swaps.dedup_by_key(|s| s.0);
    let mut traced = Traced::default();
    let mut next = swaps.iter().peekable();
    for (at, character) in text.char_indices() {
        let from = origin(normal, at..at + character.len_utf8());
        match next.next_if(|(start, _, _)| *start == at) {
            Some((_, _, plain)) => traced.push_changed(*plain, from),
            None => traced.push(character, from),
        }
    }
    traced.near_changes(REACH)
}

fn origin(normal: &Normal<'_>, bytes: Range<usize>) -> (u32, u32) {
    let range = normal.original(bytes);
    (u32::try_from(range.start).unwrap_or(u32::MAX), u32::try_from(range.end).unwrap_or(u32::MAX))
}

/// Cyrillic and Greek letters that look Latin, beside Latin letters or digits.
fn letters(text: &str, swaps: &mut Vec<(usize, usize, char)>) {
    if text.is_ascii() {
        return;
    }
    let mut word: Vec<(usize, char)> = Vec::new();
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        if character.is_alphanumeric() && !matches!(character, '\u{2e80}'..='\u{9fff}') {
            word.push((at, character));
            continue;
        }
        let latin = word.iter().any(|(_, c)| c.is_ascii_alphanumeric());
        let all = word.iter().all(|(_, c)| c.is_ascii_alphanumeric() || latin_for(*c).is_some());
        if latin && all {
            for (at, character) in &word {
                if let Some(plain) = latin_for(*character) {
                    swaps.push((*at, at + character.len_utf8(), plain));
                }
            }
        }
        word.clear();
    }
}

fn latin_for(character: char) -> Option<char> {
    const PAIRS: &str = "АAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSаaеeоoрpсcуyхxіiјjѕsԁdԛqɡgһhΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνvιi";
    let mut signs = PAIRS.chars();
    while let (Some(other), Some(latin)) = (signs.next(), signs.next()) {
        if other == character {
            return Some(latin);
        }
    }
    None
}

/// Letters in the place of digits, in a run that is mostly digits: 138OO13.
fn digits(text: &str, swaps: &mut Vec<(usize, usize, char)>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !(bytes[at].is_ascii_digit() || digit_for(bytes[at]).is_some()) {
            at += 1;
            continue;
        }
        let start = at;
        let (mut real, mut alike) = (0, Vec::new());
        while let Some(byte) = bytes.get(at) {
            if byte.is_ascii_digit() {
                real += 1;
            } else if let Some(digit) = digit_for(*byte) {
                alike.push((at, at + 1, digit));
            } else if !(matches!(byte, b' ' | b'-' | b'.')
                && bytes.get(at + 1).is_some_and(|b| b.is_ascii_digit() || digit_for(*b).is_some()))
            {
                break;
            }
            at += 1;
        }
        let apart =
            |i: Option<usize>| !i.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_alphabetic);
        if let Some(run) = without_words(bytes, start, at) {
            alike.retain(|(at, _, _)| run.contains(at));
            // The last sign of a Chinese ID may be an X.
            let ends = apart(Some(run.end)) || matches!(bytes.get(run.end), Some(b'x' | b'X'));
            let whole = apart(run.start.checked_sub(1)) && ends;
            let enough = real >= 5 && real + alike.len() >= 9 && alike.len() <= real;
            if whole && !alike.is_empty() && enough {
                swaps.extend(alike);
            }
        }
        at = at.max(start + 1);
    }
}

/// "is 0-306": groups of letters alone at either end are words, and in the middle too.
fn without_words(bytes: &[u8], mut start: usize, mut end: usize) -> Option<Range<usize>> {
    let parts = |b: &u8| matches!(b, b' ' | b'-' | b'.');
    let digits = |token: &[u8]| token.iter().any(u8::is_ascii_digit);
    while start < end {
        let length = bytes[start..end].iter().position(parts).unwrap_or(end - start);
        if digits(&bytes[start..start + length]) {
            break;
        }
        start = (start + length + 1).min(end);
    }
    while start < end {
        let from = bytes[start..end].iter().rposition(parts).map_or(start, |i| start + i + 1);
        if digits(&bytes[from..end]) {
            break;
        }
        end = from.saturating_sub(1).max(start);
    }
    let fits =
        start < end && bytes[start..end].split(parts).filter(|token| !token.is_empty()).all(digits);
    fits.then_some(start..end)
}

fn digit_for(byte: u8) -> Option<char> {
    Some(match byte {
        b'O' | b'o' => '0',
        b'l' | b'I' | b'i' | b'|' => '1',
        b'S' => '5',
        b'B' => '8',
        _ => return None,
    })
}

/// The text with percent, Unicode and HTML escapes decoded, if there are at least three.
pub(crate) fn unescaped(normal: &Normal<'_>) -> Option<Normal<'static>> {
    let text: &str = &normal.text;
    let marks =
        text.bytes().filter(|b| matches!(b, b'%' | b'\\')).count() + text.matches("&#").count();
    if marks == 0 {
        return None;
    }
    let mut traced = Traced::default();
    let mut at = 0;
    while at < text.len() {
        if let Some((used, character)) = escape(&text[at..]) {
            traced.push_changed(character, origin(normal, at..at + used));
            at += used;
            continue;
        }
        let Some(character) = text[at..].chars().next() else { break };
        traced.push(character, origin(normal, at..at + character.len_utf8()));
        at += character.len_utf8();
    }
    traced.near_changes(REACH)
}

fn escape(text: &str) -> Option<(usize, char)> {
    let bytes = text.as_bytes();
    let hex = |range: Range<usize>| u32::from_str_radix(text.get(range)?, 16).ok();
    match bytes.first()? {
        b'%' => {
            let first = hex(1..3)?;
            let length = match first {
                0x20..=0x7e => return Some((3, char::from_u32(first)?)),
                0xc2..=0xdf => 2,
                0xe0..=0xef => 3,
                _ => return None,
            };
            let mut sequence = Vec::new();
            for i in 0..length {
                if bytes.get(i * 3) != Some(&b'%') {
                    return None;
                }
                sequence.push(u8::try_from(hex(i * 3 + 1..i * 3 + 3)?).ok()?);
            }
            let character = std::str::from_utf8(&sequence).ok()?.chars().next()?;
            Some((length * 3, character))
        }
        b'\\' if bytes.get(1) == Some(&b'u') => Some((6, printable(hex(2..6)?)?)),
        b'\\' if bytes.get(1) == Some(&b'x') => Some((4, printable(hex(2..4)?)?)),
        b'&' if bytes.get(1) == Some(&b'#') => {
            let end = bytes.iter().take(10).position(|b| *b == b';')?;
            let number = text.get(2..end)?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                None => number.parse().ok()?,
            };
            Some((end + 1, printable(code)?))
        }
        _ => None,
    }
}

fn printable(code: u32) -> Option<char> {
    char::from_u32(code).filter(|c| !c.is_control())
}

/// The text with tokens in base64 or hexadecimal decoded where they hold readable text.
pub(crate) fn decoded(normal: &Normal<'_>, runs: &[Range<usize>]) -> Option<Normal<'static>> {
    let text: &str = &normal.text;
    let tokens = encoded(text, runs);
    if tokens.is_empty() {
        return None;
    }
    let mut traced = Traced::default();
    let mut at = 0;
    for (range, plain) in tokens {
        copy(normal, at..range.start, &mut traced);
        let from = origin(normal, range.clone());
        plain.chars().for_each(|character| traced.push_changed(character, from));
        at = range.end;
    }
    copy(normal, at..text.len(), &mut traced);
    traced.near_changes(REACH)
}

fn copy(normal: &Normal<'_>, range: Range<usize>, traced: &mut Traced) {
    let start = range.start;
    for (offset, character) in normal.text[range].char_indices() {
        let at = start + offset;
        traced.push(character, origin(normal, at..at + character.len_utf8()));
    }
}

/// Tokens that decode to readable text, with it.
fn encoded(text: &str, runs: &[Range<usize>]) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    for run in runs {
        let token =
            |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_' | b'=');
        let bytes = text.as_bytes();
        let mut at = run.start;
        while at < run.end {
            let start = at;
            while at < run.end && token(bytes[at]) {
                at += 1;
            }
            if (SHORTEST_TOKEN..=LONGEST_TOKEN).contains(&(at - start)) {
                // `key=TOKEN`: the token begins behind the sign.
                let body = text[start..at].trim_end_matches('=');
                let from = start + body.rfind('=').map_or(0, |i| i + 1);
                let part = &text[from..at];
                if let Some(plain) = hexadecimal(part).or_else(|| base64(part)) {
                    found.push((from..at, plain));
                }
            }
            at += 1;
        }
    }
    found
}

/// The text with numbers in unusual groups as everybody writes them: `357/37/5799`, `1 3 8 0 …`. Only where
/// one separator parts all groups of a number.
pub(crate) fn regrouped(normal: &Normal<'_>) -> Option<Normal<'static>> {
    let text: &str = &normal.text;
    let mut traced = Traced::default();
    let mut copied = 0;
    let mut changed = false;
    let mut at = 0;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        if !bytes[at].is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let (groups, end, separator) = number(text, at);
        let digits: usize =
            groups.iter().map(|g| text[g.clone()].bytes().filter(u8::is_ascii_digit).count()).sum();
        let single = groups.len() >= 9 && groups.iter().all(|g| g.len() == 1);
        let usual = matches!(separator, " " | "-") || matches!(separator.trim(), "," | "、" | ":");
        let section = separator == "." && groups.iter().any(|g| g.len() == 1);
        let address = text[at..end].parse::<std::net::Ipv4Addr>().is_ok();
        let unusual = groups.len() >= 3 && !(usual || section || address);
        if digits >= 9 && (single || unusual) {
            copy(normal, copied..at, &mut traced);
            for (index, group) in groups.iter().enumerate() {
                if index > 0 && !single {
                    traced.push('-', origin(normal, group.start - separator.len()..group.start));
                }
                for (offset, character) in text[group.clone()].char_indices() {
                    let at = group.start + offset;
                    traced.push_changed(character, origin(normal, at..at + character.len_utf8()));
                }
            }
            copied = end;
            changed = true;
        }
        at = end.max(at + 1);
    }
    if !changed {
        return None;
    }
    copy(normal, copied..text.len(), &mut traced);
    traced.near_changes(REACH)
}

/// The groups of a number that begins at `start`, where it ends, and what parts the groups.
fn number(text: &str, start: usize) -> (Vec<Range<usize>>, usize, &str) {
    let bytes = text.as_bytes();
    let group = |from: usize| {
        let mut to = from;
        while bytes.get(to).is_some_and(u8::is_ascii_alphanumeric) {
            to += 1;
        }
        let part = &bytes[from..to];
        let counts = part.len() == 1
            || (part.len() <= 19
                && part.iter().filter(|b| b.is_ascii_digit()).count() * 2 >= part.len());
        (from..to, counts && !part.is_empty())
    };
    let (first, counts) = group(start);
    let mut end = first.end;
    let mut groups = vec![first];
    let mut separator = "";
    while counts && groups.len() < 40 {
        let length: usize =
            text[end..].chars().take(3).take_while(|c| parts(*c)).map(char::len_utf8).sum();
        let between = &text[end..end + length];
        if length == 0 || (!separator.is_empty() && between != separator) {
            break;
        }
        let (next, counts) = group(end + length);
        if !counts {
            break;
        }
        separator = between;
        end = next.end;
        groups.push(next);
    }
    (groups, end, separator)
}

fn parts(character: char) -> bool {
    matches!(
        character,
        ' ' | '-'
            | '.'
            | '_'
            | '/'
            | '·'
            | '•'
            | '‧'
            | '・'
            | '—'
            | '―'
            | '|'
            | '*'
            | '~'
            | ','
            | '、'
            | ':'
            | '\\'
    )
}

fn readable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let length = text.chars().count();
    let odd = text.chars().filter(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')).count();
    (length >= 6 && odd == 0).then_some(text)
}

fn hexadecimal(token: &str) -> Option<String> {
    let fits = token.len().is_multiple_of(2) && token.bytes().all(|b| b.is_ascii_hexdigit());
    if !fits || token.len() < SHORTEST_TOKEN {
        return None;
    }
    let bytes: Option<Vec<u8>> = (0..token.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(token.get(i..i + 2)?, 16).ok())
        .collect();
    readable(bytes?)
}

/// RFC 4648, both alphabets, with or without padding.
fn base64(token: &str) -> Option<String> {
    let body = token.trim_end_matches('=');
    if body.len() < SHORTEST_TOKEN || body.len() % 4 == 1 || body.contains('=') {
        return None;
    }
    let mut bytes = Vec::with_capacity(body.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0);
    for sign in body.bytes() {
        let value = match sign {
            b'A'..=b'Z' => sign - b'A',
            b'a'..=b'z' => sign - b'a' + 26,
            b'0'..=b'9' => sign - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held & 0xff) as u8);
        }
    }
    readable(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings() {
        let check = |text: &str, plain: Option<&str>| {
            let normal = Normal::new(text);
            assert_eq!(unmasked(&normal).map(|n| n.text.into_owned()).as_deref(), plain, "{text}");
        };
        check("138OO138l23", Some("13800138123"));
        check("order BOOK 12", None);
        check("\u{410}lice", Some("Alice"));
        check("Москва", None);
        let check = |text: &str, plain: Option<&str>| {
            let normal = Normal::new(text);
            assert_eq!(unescaped(&normal).map(|n| n.text.into_owned()).as_deref(), plain, "{text}");
        };
        check("%31%33%E5%BC%A0", Some("13张"));
        check("\\u0031&#50;&#x33;", Some("123"));
        check("100% sure", None);
        let check = |text: &str, plain: Option<&str>| {
            let normal = Normal::new(text);
            let run = 0..text.len();
            let view = decoded(&normal, &[run]);
            assert_eq!(view.map(|n| n.text.into_owned()).as_deref(), plain, "{text}");
        };
        check("id=MTM4MDAxMzgwMDA=", Some("id=13800138000"));
        check("3133383030313338303030", Some("13800138000"));
        check("ordinaryidentifier", None);
        let check = |text: &str, plain: Option<&str>| {
            let view = regrouped(&Normal::new(text));
            assert_eq!(view.map(|n| n.text.into_owned()).as_deref(), plain, "{text}");
        };
        check("SSN 357/37/5799.", Some("SSN 357-37-5799."));
        check("电话1 3 8 0 0 1 3 8 0 0 0。", Some("电话13800138000。"));
        check("call 138—9093—7865", Some("call 138-9093-7865"));
        check("at 192.168.100.1 now", None);
        check("138 0013 8000", None);
    }

    #[test]
    fn the_way_back() {
        let normal = Normal::new("号%31%32x");
        let view = unescaped(&normal).unwrap();
        let at = view.text.find("12").unwrap();
        assert_eq!(view.original(at..at + 2), 1..7);
    }
}
