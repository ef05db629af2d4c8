//! Names that a text itself says belong to one person: 张伟（Zhang Wei）, "Robert (Bob)", a surname with a title or a
//! single part of a full name that only one person of the conversation has. Pure: it pairs values, and the
//! pseudonym map gives a pair one number.

use nearside_types::EntityType;

use crate::recognizers::{is_common_word, is_word_too, surname};

/// A name as it stands in a text.
#[derive(Debug, Clone)]
pub(crate) struct Mention<'t> {
    pub(crate) value: &'t str,
    /// The text from its end on, a little of it.
    pub(crate) after: &'t str,
}

/// Words that say two names are one person's.
const CUES: &[&str] = &[
    "aka",
    "a.k.a.",
    "also known as",
    "known as",
    "nicknamed",
    "called",
    "or",
    "英文名叫",
    "英文名是",
    "英文名",
    "中文名叫",
    "中文名",
    "又名",
    "也叫",
    "别名",
    "人称",
    "昵称",
    "花名",
    "外号",
    "大家叫他",
    "大家叫她",
    "大家都叫他",
    "大家都叫她",
    "本名",
    "原名",
];

/// Pairs of values of one person. `known` are the names of earlier turns.
pub(crate) fn aliases(mentions: &[Mention<'_>], known: &[&str]) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for pair in mentions.windows(2) {
        if let [first, second] = pair
            && says_so(first, second)
        {
            pairs.push((first.value.to_owned(), second.value.to_owned()));
        }
    }
    let mut values: Vec<&str> =
        mentions.iter().map(|m| m.value).chain(known.iter().copied()).collect();
    values.sort_unstable();
    values.dedup();
    for part in &values {
        let mut whole = values.iter().filter(|w| is_part(part, w));
        if let (Some(one), None) = (whole.next(), whole.next()) {
            pairs.push(((*one).to_owned(), (*part).to_owned()));
        }
    }
    pairs
}

/// `first（second）` in two writings, or with a word that says so between.
fn says_so(first: &Mention<'_>, second: &Mention<'_>) -> bool {
    let Some(at) = first.after.find(second.value).filter(|at| *at <= 48) else { return false };
    let between = first.after[..at].trim();
    let behind = first.after[at + second.value.len()..].trim_start();
    let bare = between.trim_matches(|c: char| "(（[,， \"“'‘/:：".contains(c)).trim();
    let bracketed = between == "(" || between == "（" || between == "[";
    let closed = behind.starts_with([')', '）', ']']);
    let quoted = matches!(between, "\"" | "“") && behind.starts_with(['"', '”']);
    if CUES.iter().any(|cue| cue.eq_ignore_ascii_case(bare)) {
        return true;
    }
    let two_writings = is_chinese(first.value) != is_chinese(second.value);
    (bracketed && closed && (two_writings || is_part(second.value, first.value)))
        || (quoted && !is_chinese(first.value))
}

/// Whether `part` is the surname, the given name or one word of `whole`.
pub(crate) fn is_part(part: &str, whole: &str) -> bool {
    if part == whole {
        return false;
    }
    if is_chinese(part) && is_chinese(whole) {
        let family = surname(whole).map_or("", |end| &whole[..end]);
        let nickname = part.strip_prefix(['小', '老', '阿']);
        return whole.chars().count() >= 2
            && whole.len() > family.len()
            && (part == family
                || nickname.is_some_and(|n| {
                    !n.is_empty() && (n == family || whole[family.len()..].ends_with(n))
                }));
    }
    let words: Vec<&str> = whole.split([' ', '\u{a0}']).filter(|w| !w.is_empty()).collect();
    words.len() >= 2
        && part.chars().count() >= 2
        && words.iter().any(|w| w.eq_ignore_ascii_case(part))
}

/// The single words of a full name that can stand for the person elsewhere.
pub(crate) fn telling_parts(name: &str) -> impl Iterator<Item = &str> {
    let several = name.split_whitespace().count() >= 2 && !is_chinese(name);
    name.split_whitespace().filter(move |word| {
        several
            && word.chars().count() >= 4
            && word.starts_with(char::is_uppercase)
            && word
                .chars()
                .skip(1)
                .all(|c| c.is_lowercase() || matches!(c, '\'' | '’' | '-') || c.is_uppercase())
            && !is_common_word(word)
            && !is_word_too(word)
    })
}

fn is_chinese(value: &str) -> bool {
    value.chars().any(|c| matches!(c, '\u{3400}'..='\u{9fff}'))
}

/// Only people have names that vary like this.
pub(crate) fn varies(kind: EntityType) -> bool {
    kind == EntityType::Person
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person() {
        let check = |text: &str, names: &[&str], known: &[&str], expected: &[(&str, &str)]| {
            let mentions: Vec<Mention<'_>> = names
                .iter()
                .map(|name| {
                    let end = text.find(name).unwrap() + name.len();
                    Mention { value: &text[end - name.len()..end], after: &text[end..] }
                })
                .collect();
            let found = aliases(&mentions, known);
            let found: Vec<(&str, &str)> =
                found.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("张伟（Zhang Wei）说", &["张伟", "Zhang Wei"], &[], &[("张伟", "Zhang Wei")]);
        check("张伟，英文名 David，来了", &["张伟", "David"], &[], &[("张伟", "David")]);
        check("张伟（李强的同事）", &["张伟", "李强"], &[], &[]);
        check("张伟、李强", &["张伟", "李强"], &[], &[]);
        check("请张总看", &["张"], &["张伟", "李强"], &[("张伟", "张")]);
        check("请张总看", &["张"], &["张伟", "张强"], &[]);
        check("老张来了", &["老张"], &["张伟"], &[("张伟", "老张")]);
        check("Robert (Bob) Smith", &["Robert", "Bob"], &[], &[]);
        check("Ms. Lee called", &["Lee"], &["Ann Lee"], &[("Ann Lee", "Lee")]);
    }
}
