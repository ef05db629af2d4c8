//! The cheap first stage before the name model: which sentences can hold a name at all. It may pick too many,
//! never too few; `bench redact` counts what it picks and what it misses.
//!
//! Latin writing: a capital that everyday words and the beginning of a sentence do not explain, or a given name
//! without one. Chinese: a surname, a word for a body or a place, or a transliteration. Scripts without capitals
//! of their own are always picked.

use crate::recognizers::{is_common_word, is_given, is_word_too, names_in_chinese};

/// Whether the name model should read this sentence.
pub(crate) fn may_name(sentence: &str) -> bool {
    let mut han = false;
    for character in sentence.chars() {
        match character {
            '\0'..='\u{2af}' | '\u{1e00}'..='\u{20ff}' => {}
            '\u{3400}'..='\u{9fff}' => han = true,
            other => {
                if other.is_alphabetic() && !is_fullwidth(other) {
                    return true;
                }
            }
        }
    }
    (han && names_in_chinese(sentence)) || latin(sentence)
}

fn is_fullwidth(character: char) -> bool {
    matches!(character, '\u{ff00}'..='\u{ff5f}')
}

fn latin(sentence: &str) -> bool {
    let word = |c: char| !(c.is_alphanumeric() || c == '\'' || c == '’' || c == '-' || c == '_');
    let mut begins = true;
    for token in sentence.split(word) {
        if token.is_empty() {
            continue;
        }
        let first = begins;
        begins = false;
        let Some(initial) = token.chars().next() else { continue };
        let code = token.contains(|c: char| c.is_ascii_digit() || c == '_');
        if initial.is_uppercase() || is_fullwidth(initial) {
            let plain = token.trim_end_matches("'s").trim_end_matches("’s");
            let everyday = is_common_word(plain) || (first && is_opening(plain)) || code;
            if !everyday && plain.chars().count() > 1 {
                return true;
            }
        } else if initial.is_lowercase() && !code && is_given(token) && !is_word_too(token) {
            return true;
        }
    }
    false
}

/// Verbs and adverbs that open a request or a sentence.
fn is_opening(word: &str) -> bool {
    const OPENINGS: &str = " write rewrite summarize summarise translate explain fix make find list show tell add remove check \
create describe compare convert generate draft edit review help using use run install open read answer suggest correct improve \
shorten extract classify sort calculate compute given consider assume suppose imagine return output input print install update \
delete change set reply format proofread paraphrase simplify analyse analyze design build test debug refactor implement prove \
solve plan prepare provide include keep turn move put start stop try look think need want add select enter type click press save \
load copy paste upload download search choose pick follow remember forget ensure avoid today tomorrow yesterday currently recently \
finally usually maybe perhaps actually basically overall generally however despite according based due there's here's it's i'm i'd \
i'll i've don't doesn't didn't can't couldn't won't let's that's what's who's isn't aren't we're they're you're ";
    let lower = word.to_lowercase();
    OPENINGS.contains(&format!(" {lower} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks() {
        let check = |text: &str, picked: bool| assert_eq!(may_name(text), picked, "{text}");
        check("Please ask Quixotl about it.", true);
        check("please ask jennifer about it", true);
        check("Summarize the text below in three points.", false);
        check("for (i = 0; i < 10; i++) { total += i; }", false);
        check("请问张伟在吗", true);
        check("这道题怎么做？", false);
        check("Позвони Ивану", true);
        check("12:30 — 14:00", false);
    }
}
