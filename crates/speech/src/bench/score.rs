//! Word and character error rates. Words are compared without case and punctuation, with Mr. as mister and numbers
//! digit by digit; Chinese by characters, after traditional to simplified.

use nearside_types::ChineseScript;

use crate::Script;

/// Errors out of how many words or characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Errors {
    pub errors: usize,
    pub units: usize,
}

/// How `heard` differs from what was said.
#[must_use]
pub fn errors(said: &str, heard: &str, language: &str, script: &Script) -> Errors {
    let said = units(said, language, script);
    let heard = units(heard, language, script);
    Errors { errors: distance(&said, &heard), units: said.len() }
}

/// What is counted in a text: words, or characters of Chinese.
#[must_use]
pub fn units(text: &str, language: &str, script: &Script) -> Vec<String> {
    if language == "zh" {
        let text = script.convert(text, ChineseScript::Simplified).to_lowercase();
        return text.chars().filter(|letter| letter.is_alphanumeric()).map(String::from).collect();
    }
    const DIGITS: [&str; 10] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    let mut out = Vec::new();
    for word in text.to_lowercase().split(|letter: char| letter.is_whitespace() || letter == '-') {
        let bare: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
        if !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit()) {
            out.extend(bare.bytes().map(|byte| DIGITS[usize::from(byte - b'0')].to_owned()));
            continue;
        }
        out.push(match bare.as_str() {
            "" => continue,
            "mr" => "mister".to_owned(),
            "mrs" => "missus".to_owned(),
            "dr" => "doctor".to_owned(),
            "oh" => "zero".to_owned(),
            _ => bare,
        });
    }
    out
}

/// Fewest insertions, deletions and substitutions.
fn distance(a: &[String], b: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, left) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, right) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(left != right);
            diagonal = row[column + 1];
            row[column + 1] = substituted.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_as_the_set_counts() {
        let script = Script::load().unwrap();
        for (said, heard, language, expected, of) in [
            ("MISTER QUILTER IS THE APOSTLE", "Mr. Quilter is the apostle.", "en", 0, 5),
            (
                "one zero zero zero one nine oh two one oh zero one eight zero three",
                "1,001 90210 01803",
                "en",
                1,
                15,
            ),
            ("one two three", "1, 2, 3.", "en", 0, 3),
            ("you can call me Abbie", "you can call me Abby", "en", 1, 5),
            ("I'm here", "Im here, now", "en", 1, 2),
            ("每一天都要快乐喔", "每一天都要快樂喔。", "zh", 0, 8),
            ("甚至出现交易几乎停滞的情况", "甚至出现交易几乎停止的情况", "zh", 1, 13),
            ("", "", "en", 0, 0),
        ] {
            assert_eq!(
                errors(said, heard, language, &script),
                Errors { errors: expected, units: of },
                "{said}"
            );
        }
    }
}
