//! Digits written as words become digits: 一三八零零…, 洞幺…, "one three eight", "double five". Only long runs:
//! a short one is prose, not a number that somebody spells out.

use crate::normalise::Traced;

const ENGLISH: [(&str, char); 12] = [
    ("zero", '0'),
    ("oh", '0'),
    ("nought", '0'),
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
/// Digits in a run at least, and spelled ones among them.
const SHORTEST: usize = 7;
const SPELLED: usize = 3;
/// Code points between two digits of a run at most.
const BETWEEN: usize = 3;

/// Whether a plain ASCII text can hold a spelled number at all.
pub(crate) fn worth_a_look(text: &str) -> bool {
    let mut words = 0;
    let bytes = text.as_bytes();
    let mut begins = true;
    for at in 0..bytes.len() {
        if begins && begins_digit(char::from(bytes[at])) && word(&text[at..]).is_some() {
            words += 1;
            if words >= SPELLED {
                return true;
            }
        }
        begins = !bytes[at].is_ascii_alphanumeric();
    }
    false
}

fn hanzi(character: char) -> Option<char> {
    Some(match character {
        '零' | '〇' | '○' | '洞' => '0',
        '一' | '壹' | '幺' => '1',
        '二' | '贰' | '貳' | '两' => '2',
        '三' | '叁' | '參' => '3',
        '四' | '肆' => '4',
        '五' | '伍' => '5',
        '六' | '陆' | '陸' => '6',
        '七' | '柒' | '拐' => '7',
        '八' | '捌' => '8',
        '九' | '玖' | '勾' => '9',
        _ => return None,
    })
}

fn begins_digit(character: char) -> bool {
    matches!(character.to_ascii_lowercase(), 'z' | 'o' | 't' | 'f' | 's' | 'e' | 'n' | 'd')
        || character.is_ascii_digit()
        || hanzi(character).is_some()
}

fn head(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|h| h.eq_ignore_ascii_case(word))
        && !text[word.len()..].starts_with(|c: char| c.is_ascii_alphanumeric())
}

fn word(text: &str) -> Option<(usize, char)> {
    ENGLISH.iter().find(|(word, _)| head(text, word)).map(|(word, digit)| (word.len(), *digit))
}

/// Bytes used, the digit, how many times, and whether it was spelled.
fn step(text: &str) -> Option<(usize, char, usize, bool)> {
    let first = text.chars().next()?;
    if first.is_ascii_digit() {
        return Some((1, first, 1, false));
    }
    if let Some(digit) = hanzi(first) {
        return Some((first.len_utf8(), digit, 1, true));
    }
    for (times, name) in [(2, "double "), (3, "triple ")] {
        if text.get(..name.len()).is_some_and(|h| h.eq_ignore_ascii_case(name)) {
            let (used, digit) = word(&text[name.len()..])?;
            return Some((name.len() + used, digit, times, true));
        }
    }
    word(text).map(|(used, digit)| (used, digit, 1, true))
}

fn separates(character: char) -> bool {
    matches!(character, ' ' | '-' | ',' | '.' | '、' | '·' | '/' | '_' | '，' | '~' | '—')
}

/// A run at the start of `text`: digits with their bytes, where it ends, and how many were spelled.
fn run(text: &str) -> (Vec<(char, usize, usize)>, usize) {
    let mut digits = Vec::new();
    let mut spelled = 0;
    let mut at = 0;
    let mut gap = 0;
    while at < text.len() {
        let boundary = !text[..at].ends_with(|c: char| c.is_ascii_alphabetic());
        if boundary && let Some((used, digit, times, by_word)) = step(&text[at..]) {
            for _ in 0..times {
                digits.push((digit, at, at + used));
            }
            spelled += usize::from(by_word);
            at += used;
            gap = 0;
            continue;
        }
        let Some(next) = text[at..].chars().next().filter(|c| separates(*c)) else { break };
        gap += 1;
        if gap > BETWEEN || digits.is_empty() {
            break;
        }
        at += next.len_utf8();
    }
    (digits, spelled)
}

/// The text with each long run of spelled digits written in digits.
pub(crate) fn digits(traced: Traced) -> Traced {
    let text = &traced.text;
    let mut plain = Traced::default();
    let mut at = 0;
    let mut changed = false;
    let mut before = ' ';
    while at < text.len() {
        let Some(first) = text[at..].chars().next() else { break };
        let mut stop = at + first.len_utf8();
        if !before.is_ascii_alphanumeric() && begins_digit(first) {
            let (run, spelled) = run(&text[at..]);
            if let Some((_, _, end)) = run.last() {
                if run.len() >= SHORTEST && spelled >= SPELLED {
                    for (digit, start, end) in &run {
                        plain.push(*digit, traced.from(at + start..at + end));
                    }
                    changed = true;
                    at += end;
                    before = '0';
                    continue;
                }
                // A short run cannot become a long one further in.
                stop = stop.max(at + end);
            }
        }
        for (offset, character) in text[at..stop].char_indices() {
            let start = at + offset;
            plain.push(character, traced.from(start..start + character.len_utf8()));
            before = character;
        }
        at = stop;
    }
    if changed { plain } else { traced }
}
