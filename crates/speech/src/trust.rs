//! What of the model's writing was not said: tags, loops, and sentences made up over noise.
//!
//! Pure. Voice activity has already taken the silence away; this judges what is left by how sure the model was and
//! by what the text looks like.

use crate::whisper::Heard;

/// Where the model itself thinks that nobody speaks, it must be this sure of its words.
const NO_SPEECH: f32 = 0.6;
const SURE_IN_NOISE: f32 = -0.7;

/// Nobody's words come out so unsure.
const SURE: f32 = -1.6;

/// So often in a row is a loop and no emphasis.
const LOOP: usize = 4;

/// The words that were said, tidied; none where the model made them up.
pub(crate) fn trusted(heard: &Heard) -> Option<String> {
    if heard.sureness < SURE || heard.no_speech > NO_SPEECH && heard.sureness < SURE_IN_NOISE {
        return None;
    }
    let text = without_loops(&without_tags(&heard.text));
    text.chars().any(char::is_alphanumeric).then_some(text)
}

/// Without `[music]`, `(applause)`, `【字幕】`, `♪` and doubled spaces.
fn without_tags(text: &str) -> String {
    const PAIRS: [(char, char); 5] =
        [('[', ']'), ('(', ')'), ('（', '）'), ('【', '】'), ('*', '*')];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        let closed = PAIRS
            .iter()
            .find(|(open, _)| *open == letter)
            .and_then(|(_, close)| after.find(*close).map(|at| &after[at + close.len_utf8()..]));
        rest = match closed {
            Some(closed) => closed,
            None => {
                if !matches!(letter, '♪' | '♫' | '\u{FFFD}') {
                    out.push(letter);
                }
                after
            }
        };
    }
    let mut tidy = String::with_capacity(out.len());
    for letter in out.trim().chars() {
        if !(letter.is_whitespace() && tidy.ends_with(char::is_whitespace)) {
            tidy.push(letter);
        }
    }
    tidy
}

/// A word or phrase said over and over is written once.
fn without_loops(text: &str) -> String {
    let spaced = text.contains(' ');
    let units: Vec<&str> = if spaced {
        text.split_inclusive(' ').collect()
    } else {
        text.char_indices().map(|(at, letter)| &text[at..at + letter.len_utf8()]).collect()
    };
    let same = |a: &[&str], b: &[&str]| {
        a.iter().zip(b).all(|(a, b)| {
            let bare = |word: &str| -> String {
                word.chars()
                    .filter(|letter| letter.is_alphanumeric())
                    .flat_map(char::to_lowercase)
                    .collect()
            };
            bare(a) == bare(b)
        })
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    'units: while at < units.len() {
        for length in 1..=20.min((units.len() - at) / LOOP) {
            let unit = &units[at..at + length];
            // Digits may well repeat.
            if unit.iter().all(|word| !word.chars().any(char::is_alphabetic)) {
                continue;
            }
            let times =
                units[at..].chunks_exact(length).take_while(|next| same(unit, next)).count();
            if times >= LOOP {
                out.extend(unit.iter().copied());
                at += length * times;
                continue 'units;
            }
        }
        out.push_str(units[at]);
        at += 1;
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, sureness: f32, no_speech: f32, expected: Option<&str>) {
        let heard = Heard { start: 0.0, end: 1.0, text: text.into(), sureness, no_speech };
        assert_eq!(trusted(&heard).as_deref(), expected, "{text}");
    }

    #[test]
    fn what_was_said_stays() {
        check(" And so, my fellow Americans.", -0.2, 0.1, Some("And so, my fellow Americans."));
        check("近几年,不但我用书给女儿压岁", -0.4, 0.5, Some("近几年,不但我用书给女儿压岁"));
        check("No, no, no.", -0.2, 0.1, Some("No, no, no."));
        check("1 0 0 0 0 0 1", -0.2, 0.1, Some("1 0 0 0 0 0 1"));
        check("哈哈哈", -0.2, 0.1, Some("哈哈哈"));
        check("sure in noise", -0.3, 0.9, Some("sure in noise"));
    }

    #[test]
    fn what_was_not_said_goes() {
        check("[Music]", -0.2, 0.1, None);
        check(" (applause) Hello.", -0.2, 0.1, Some("Hello."));
        check("♪♪", -0.2, 0.1, None);
        check(" ... ", -0.2, 0.1, None);
        check("请不吝点赞订阅", -0.8, 0.9, None);
        check("Thank you.", -2.0, 0.1, None);
    }

    #[test]
    fn loops_are_written_once() {
        check("so I think so I think so I think so I think", -0.2, 0.1, Some("so I think"));
        check("谢谢谢谢谢谢谢谢大家", -0.2, 0.1, Some("谢大家"));
        check("the end. The end. the end. the end. Yes.", -0.2, 0.1, Some("the end. Yes."));
    }
}
