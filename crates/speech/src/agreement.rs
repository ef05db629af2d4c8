//! Live text that never takes back what it showed: what two successive writings of the same sound agree on is
//! committed, the rest is tentative (local agreement; Liu et al. 2020, Macháček et al. 2023).
//!
//! Pure. Words are compared without case and punctuation, Chinese by characters.

/// What was committed of a session, and what is still open.
#[derive(Debug, Clone, Default)]
pub(crate) struct Agreement {
    committed: String,
    /// Units of the open window that are committed.
    fixed: Vec<String>,
    /// What the last writing said after them.
    tail: Vec<String>,
}

impl Agreement {
    /// Takes another writing of the open window, which has grown since.
    pub(crate) fn hear(&mut self, text: &str) {
        let fresh = self.rest(text);
        let agreed = fresh.iter().zip(&self.tail).take_while(|(a, b)| bare(a) == bare(b)).count();
        let (agreed, open) = fresh.split_at(agreed);
        self.commit(agreed.to_vec());
        self.tail = open.to_vec();
    }

    /// Takes the last writing of the window: all of it is committed, and another window begins. Gives what was
    /// committed of this one.
    pub(crate) fn close(&mut self, text: &str) -> String {
        let fresh = self.rest(text);
        self.commit(fresh);
        self.tail.clear();
        join(&std::mem::take(&mut self.fixed))
    }

    pub(crate) fn committed(&self) -> &str {
        &self.committed
    }

    /// What may still change.
    pub(crate) fn tentative(&self) -> String {
        join(&self.tail)
    }

    fn commit(&mut self, words: Vec<String>) {
        for word in &words {
            push(&mut self.committed, word);
        }
        self.fixed.extend(words);
    }

    /// What a writing says after the committed words, which it may spell otherwise: after the prefix of it that is
    /// nearest to them.
    fn rest(&self, text: &str) -> Vec<String> {
        let units = units(text);
        let fixed: Vec<String> = self.fixed.iter().map(|unit| bare(unit)).collect();
        // One row of the edit distance for each committed word; the last says how far each prefix is.
        let mut row: Vec<usize> = (0..=units.len()).collect();
        for (at, word) in fixed.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = at + 1;
            for (column, unit) in units.iter().enumerate() {
                let substituted = diagonal + usize::from(*word != bare(unit));
                diagonal = row[column + 1];
                row[column + 1] = substituted.min(diagonal + 1).min(row[column] + 1);
            }
        }
        // Of equally near prefixes the one as long as what is committed.
        let best = (0..row.len())
            .min_by_key(|&prefix| (row[prefix], prefix.abs_diff(fixed.len())))
            .unwrap_or(0);
        units[best..].to_vec()
    }
}

/// Words with their punctuation; characters of Chinese and Japanese, whose punctuation hangs on the one before.
fn units(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut open = false;
    for letter in text.chars() {
        if letter.is_whitespace() {
            open = false;
        } else if wide(letter) && letter.is_alphanumeric() {
            out.push(letter.to_string());
            open = true;
        } else if let Some(last) = out.last_mut()
            && open
            && !(letter.is_alphanumeric() && last.chars().next().is_some_and(wide))
        {
            last.push(letter);
        } else {
            out.push(letter.to_string());
            open = true;
        }
    }
    out
}

fn wide(letter: char) -> bool {
    matches!(letter, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FF60}')
}

fn bare(unit: &str) -> String {
    unit.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn push(text: &mut String, unit: &str) {
    crate::recognizer::append(text, unit);
}

fn join(units: &[String]) -> String {
    let mut text = String::new();
    for unit in units {
        push(&mut text, unit);
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Successive writings, and what is committed and tentative after each.
    fn check(steps: &[(&str, &str, &str)]) {
        let mut agreement = Agreement::default();
        for (heard, committed, tentative) in steps {
            agreement.hear(heard);
            assert_eq!(agreement.committed(), *committed, "after {heard}");
            assert_eq!(agreement.tentative(), *tentative, "after {heard}");
        }
    }

    #[test]
    fn two_writings_that_agree_commit() {
        check(&[
            ("And so", "", "And so"),
            ("And so my fell", "And so", "my fell"),
            ("And so, my fellow Americans", "And so my", "fellow Americans"),
            ("And so, my fellow Americans ask not", "And so my fellow Americans", "ask not"),
        ]);
    }

    #[test]
    fn chinese_commits_by_characters() {
        check(&[
            ("甚至出", "", "甚至出"),
            ("甚至出现交易", "甚至出", "现交易"),
            ("甚至出现交易，几乎", "甚至出现交易，", "几乎"),
        ]);
    }

    #[test]
    fn what_is_committed_stays_when_a_later_writing_says_otherwise() {
        check(&[
            ("I scream now", "", "I scream now"),
            ("I scream now and", "I scream now", "and"),
            ("Ice cream now and then", "I scream now and", "then"),
        ]);
    }

    #[test]
    fn closing_commits_the_rest_and_begins_anew() {
        let mut agreement = Agreement::default();
        agreement.hear("One two");
        agreement.hear("One two three");
        assert_eq!(agreement.close("One two three four."), "One two three four.");
        assert_eq!((agreement.committed(), &*agreement.tentative()), ("One two three four.", ""));
        agreement.hear("Five");
        agreement.hear("Five six");
        assert_eq!(agreement.committed(), "One two three four. Five");
    }

    #[test]
    fn mixed_scripts_keep_their_spaces() {
        let mut agreement = Agreement::default();
        assert_eq!(
            agreement.close("打开 Rust 编译器, 然后 run it."),
            "打开 Rust 编译器, 然后 run it."
        );
    }

    proptest! {
        /// Whatever is heard, the committed text only grows.
        #[test]
        fn nothing_is_taken_back(texts in prop::collection::vec("[abc 你好，.]{0,24}", 1..8), close in 0_usize..8) {
            let mut agreement = Agreement::default();
            let mut before = String::new();
            for (at, text) in texts.iter().enumerate() {
                if at == close {
                    agreement.close(text);
                } else {
                    agreement.hear(text);
                }
                prop_assert!(agreement.committed().starts_with(&before));
                before = agreement.committed().to_owned();
            }
        }
    }
}
