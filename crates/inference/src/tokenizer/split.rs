//! Pre-tokenizers: where a text is cut into words before merging. Written by hand, because their published
//! regular expressions look ahead (`\s+(?!\S)`), which linear-time regex engines do not.
//!
//! Each function does what llama.cpp does for the same `tokenizer.ggml.pre`. Nothing is dropped or
//! normalised: the words of a text, joined, are the text.

use super::classes::{Class, Classes};

/// The pre-tokenizers that are known, by what they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
    Gpt2,
    /// Every digit alone first, and then what lies between them as in `Gpt2`.
    Smollm,
    /// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,n}| ?[^\s\p{L}\p{N}]+[\r\n]*|`
    /// `\s*[\r\n]+|\s+(?!\S)|\s+`, where `n` is 3 for llama3 and 1 for qwen2.
    Llama3 { longest_number: usize },
}

impl Style {
    /// By the name in `tokenizer.ggml.pre`.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "gpt-2" => Self::Gpt2,
            "smollm" => Self::Smollm,
            "llama-bpe" | "llama3" | "llama-v3" => Self::Llama3 { longest_number: 3 },
            "qwen2" | "deepseek-r1-qwen" => Self::Llama3 { longest_number: 1 },
            _ => return None,
        })
    }

    /// Hands out the words of `text` in order.
    pub(super) fn words<'t>(self, classes: &Classes, text: &'t str, mut word: impl FnMut(&'t str)) {
        match self {
            Self::Gpt2 => cut(text, |rest| gpt2_word(classes, rest), &mut word),
            Self::Llama3 { longest_number } => {
                cut(text, |rest| llama3_word(classes, rest, longest_number), &mut word);
            }
            Self::Smollm => {
                let digit = |letter| classes.of(letter) == Class::Number;
                let mut rest = text;
                while !rest.is_empty() {
                    let digit_at = rest.find(digit).unwrap_or(rest.len());
                    let (between, from_digit) = rest.split_at(digit_at);
                    cut(between, |rest| gpt2_word(classes, rest), &mut word);
                    let digit_len = from_digit.chars().next().map_or(0, char::len_utf8);
                    let (digit, after) = from_digit.split_at(digit_len);
                    if !digit.is_empty() {
                        word(digit);
                    }
                    rest = after;
                }
            }
        }
    }
}

/// Cuts words off the front until nothing is left. `length` is that of the first word of a text that is
/// not empty, at least one character.
fn cut<'t>(text: &'t str, length: impl Fn(&str) -> usize, word: &mut impl FnMut(&'t str)) {
    let mut rest = text;
    while !rest.is_empty() {
        let (first, after) = rest.split_at(length(rest));
        word(first);
        rest = after;
    }
}

/// Bytes at the start of `text` whose characters all have this class.
fn run(classes: &Classes, text: &str, class: Class) -> usize {
    text.find(|letter| classes.of(letter) != class).unwrap_or(text.len())
}

/// Bytes of the English contraction that `text` starts with.
fn contraction(text: &str, any_case: bool) -> Option<usize> {
    let rest = text.as_bytes().strip_prefix(b"'")?;
    ["s", "t", "m", "d", "re", "ve", "ll"].iter().find_map(|ending| {
        let start = rest.get(..ending.len())?;
        let equal = if any_case {
            start.eq_ignore_ascii_case(ending.as_bytes())
        } else {
            start == ending.as_bytes()
        };
        equal.then_some(1 + ending.len())
    })
}

/// Bytes of a run of white space up to its last line break, if it has one.
fn through_last_line_break(run: &str) -> Option<usize> {
    run.rfind(['\r', '\n']).map(|at| at + 1)
}

/// Bytes of the white space that `\s+(?!\S)|\s+` takes: all of a run that ends the text or has one
/// character, otherwise all but its last character, which goes with the word that follows.
fn white_word(text: &str, run: usize) -> usize {
    let last = text[..run].chars().next_back().map_or(0, char::len_utf8);
    if run < text.len() && run > last { run - last } else { run }
}

fn first_and_second(classes: &Classes, text: &str) -> (char, Class, Option<Class>) {
    let mut letters = text.chars();
    let first = letters.next().unwrap_or('\0');
    (first, classes.of(first), letters.next().map(|second| classes.of(second)))
}

fn gpt2_word(classes: &Classes, text: &str) -> usize {
    if let Some(length) = contraction(text, false) {
        return length;
    }
    let (first, class, second) = first_and_second(classes, text);
    let (space, class) = match (first, second) {
        (' ', Some(second)) if second != Class::White => (1, second),
        _ => (0, class),
    };
    match class {
        Class::White => white_word(text, run(classes, text, Class::White)),
        class => space + run(classes, &text[space..], class),
    }
}

fn llama3_word(classes: &Classes, text: &str, longest_number: usize) -> usize {
    if let Some(length) = contraction(text, true) {
        return length;
    }
    let (first, class, second) = first_and_second(classes, text);
    let may_lead = !matches!(first, '\r' | '\n') && class != Class::Number;
    if class == Class::Letter || (may_lead && second == Some(Class::Letter)) {
        let lead = first.len_utf8();
        return lead + run(classes, &text[lead..], Class::Letter);
    }
    if class == Class::Number {
        let number = text.chars().take(longest_number);
        let number = number.take_while(|letter| classes.of(*letter) == Class::Number);
        return number.map(char::len_utf8).sum();
    }
    let space = usize::from(first == ' ' && second == Some(Class::Other));
    if space == 1 || class == Class::Other {
        let end = space + run(classes, &text[space..], Class::Other);
        let breaks = text[end..].find(|letter| !matches!(letter, '\r' | '\n'));
        return breaks.map_or(text.len(), |breaks| end + breaks);
    }
    let white = run(classes, text, Class::White);
    through_last_line_break(&text[..white]).unwrap_or_else(|| white_word(text, white))
}
