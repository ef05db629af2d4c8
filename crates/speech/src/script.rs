//! Chinese in one set of characters, whichever the model happened to write.

use ferrous_opencc::OpenCC;
use ferrous_opencc::config::BuiltinConfig;
use nearside_types::ChineseScript;

use crate::{Error, Result};

/// Converts to one of the two scripts; the dictionaries are inside the program.
pub struct Script {
    to_simplified: OpenCC,
    to_traditional: OpenCC,
}

impl Script {
    /// # Errors
    /// A fault of the embedded dictionaries.
    pub fn load() -> Result<Self> {
        let load =
            |config| OpenCC::from_config(config).map_err(|error| Error::Failed(error.to_string()));
        Ok(Self {
            to_simplified: load(BuiltinConfig::T2s)?,
            to_traditional: load(BuiltinConfig::S2t)?,
        })
    }

    /// The same text in `script`.
    #[must_use]
    pub fn convert(&self, text: &str, script: ChineseScript) -> String {
        match script {
            ChineseScript::Simplified => self.to_simplified.convert(text),
            ChineseScript::Traditional => self.to_traditional.convert(text),
        }
    }
}

/// Chinese text with the marks that belong to it: a half-width mark after a Chinese character becomes the wide one.
#[must_use]
pub(crate) fn wide_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    let mut after_chinese = false;
    while let Some(letter) = letters.next() {
        let wide = match letter {
            ',' => Some('，'),
            '.' if letters.peek() != Some(&'.') => Some('。'),
            '?' => Some('？'),
            '!' => Some('！'),
            ':' => Some('：'),
            ';' => Some('；'),
            _ => None,
        };
        match wide.filter(|_| after_chinese) {
            Some(mark) => {
                out.push(mark);
                while letters.peek().is_some_and(|next| next.is_whitespace()) {
                    letters.next();
                }
            }
            None => out.push(letter),
        }
        after_chinese = matches!(letter, '\u{3400}'..='\u{9FFF}');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        let script = Script::load().unwrap();
        for (simplified, traditional) in [
            ("而改送压岁书", "而改送壓歲書"),
            ("头发发展", "頭髮發展"),
            ("plain English, 123", "plain English, 123"),
            ("", ""),
        ] {
            assert_eq!(script.convert(traditional, ChineseScript::Simplified), simplified);
            assert_eq!(script.convert(simplified, ChineseScript::Traditional), traditional);
            assert_eq!(script.convert(simplified, ChineseScript::Simplified), simplified);
        }
    }

    #[test]
    fn marks_are_as_wide_as_what_they_follow() {
        for (text, expected) in [
            ("近几年,不但我用书, 也劝说.", "近几年，不但我用书，也劝说。"),
            ("用 Rust, 很好!", "用 Rust, 很好！"),
            ("圆周率是3.14", "圆周率是3.14"),
            ("等等...", "等等..."),
        ] {
            assert_eq!(wide_marks(text), expected);
        }
    }
}
