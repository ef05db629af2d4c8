//! Addresses among other findings: names inside one are parts of it, and an address whose number stands before a line
//! that has its own number, or whose lines stand in a marked block, is listed in parts. Pure.

use std::ops::Range;

use nearside_types::EntityType;

use crate::overlap::Finding;
use crate::recognizers::is_country;

/// From this score on an address is sure enough to take the names in it.
const SURE: u8 = 60;

/// Leaves out names that lie inside a sure address: streets and towns are called after people.
pub(crate) fn outside_addresses(findings: Vec<Finding>) -> Vec<Finding> {
    let addresses: Vec<Range<usize>> = findings
        .iter()
        .filter(|f| f.kind == EntityType::Address && f.score >= SURE)
        .map(|f| f.range.clone())
        .collect();
    if addresses.is_empty() {
        return findings;
    }
    let named = |kind| {
        use EntityType as T;
        matches!(kind, T::Person | T::Org | T::Location | T::Nrp)
    };
    let inside =
        |f: &Finding| addresses.iter().any(|a| a.start <= f.range.start && f.range.end <= a.end);
    findings.into_iter().filter(|f| !(named(f.kind) && inside(f))).collect()
}

/// Lists an address in parts where its form says so.
pub(crate) fn into_parts(text: &str, findings: Vec<Finding>) -> Vec<Finding> {
    if findings.iter().all(|f| f.kind != EntityType::Address) {
        return findings;
    }
    let signs: Vec<char> = text.chars().collect();
    let mut listed = Vec::with_capacity(findings.len());
    for finding in findings {
        let parts = if finding.kind == EntityType::Address {
            let envelope = is_envelope(&signs, finding.range.start);
            signs.get(finding.range.clone()).map(|s| parts(s, envelope)).unwrap_or_default()
        } else {
            Vec::new()
        };
        if parts.is_empty() {
            listed.push(finding);
            continue;
        }
        for (range, kind) in parts {
            let range = finding.range.start + range.start..finding.range.start + range.end;
            listed.push(Finding { range, kind, ..finding.clone() });
        }
    }
    listed
}

/// The parts of an address, or none where it is one whole. `envelope` says that a name stands in the line above it,
/// and nothing announces it.
fn parts(signs: &[char], envelope: bool) -> Vec<(Range<usize>, EntityType)> {
    let lines = lines(signs);
    let Some(first) = lines.first() else { return Vec::new() };
    // Lines that each bear a mark, as in a quotation or a list, are parts; so are those of an envelope whose
    // street line is in parts, and what follows a unit in front.
    let marked = lines.len() > 1
        && lines.windows(2).all(|pair| {
            signs[pair[0].end..pair[1].start].iter().any(|c| matches!(c, '?' | '>' | '*' | '•'))
        });
    let unit_first = words(signs, first).first().is_some_and(|w| is_unit(signs, w));
    let numbered_first = numbered(signs, first);
    if lines.len() > 1 && !(marked || numbered_first.is_some() && (envelope || unit_first)) {
        return Vec::new();
    }
    if lines.len() == 1 {
        return numbered_first.unwrap_or_default();
    }
    let mut parts = Vec::new();
    for line in &lines {
        match numbered(signs, line) {
            Some(more) => parts.extend(more),
            None => parts.extend(town_line(signs, line)),
        }
    }
    parts
}

/// A line below the street line: a unit, or a town, a region or a country with a postcode behind.
fn town_line(signs: &[char], line: &Range<usize>) -> Vec<(Range<usize>, EntityType)> {
    let words = words(signs, line);
    let digits = |w: &Range<usize>| signs[w.clone()].iter().any(char::is_ascii_digit);
    if words.iter().any(|w| is_unit(signs, w)) || words.first().is_none_or(digits) {
        return vec![(line.clone(), EntityType::Address)];
    }
    let at = words.iter().position(digits).unwrap_or(words.len());
    let code = |w: &Range<usize>| {
        let text: String = signs[w.clone()].iter().collect();
        w.len() <= 3 && (text == "nan" || text.chars().all(char::is_uppercase))
    };
    let region = at > 1 && code(&words[at - 1]);
    let mut parts = Vec::new();
    let towns = if region { at - 1 } else { at };
    if let (Some(first), Some(last)) = (words.first(), words.get(towns.max(1) - 1)) {
        let end = last.end - usize::from(signs[last.end - 1] == ',');
        parts.push((first.start..end, EntityType::Location));
    }
    if region {
        parts.push((words[at - 1].clone(), EntityType::Location));
    }
    if let (Some(first), Some(last)) = (words.get(at), words.last()) {
        // Behind a region it is a postcode by its place; behind a country it is a part of the address.
        let kind = if region { EntityType::Postcode } else { EntityType::Address };
        parts.push((first.start..last.end, kind));
    }
    parts
}

fn is_unit(signs: &[char], word: &Range<usize>) -> bool {
    let word: String = signs[word.clone()].iter().collect::<String>().to_lowercase();
    matches!(word.trim_end_matches('.'), "apt" | "apartment" | "suite" | "ste" | "unit" | "flat")
}

/// Whether the address at `at` begins a line, below one that names somebody and ends in no colon.
fn is_envelope(signs: &[char], at: usize) -> bool {
    let mark = |c: &char| matches!(c, '?' | '>' | '*' | '•' | ' ');
    let mut before = signs.get(..at).unwrap_or_default().iter().rev().skip_while(|c| mark(c));
    before.next() == Some(&'\n')
        && before
            .find(|c| !matches!(c, ' ' | '\n'))
            .is_some_and(|c| !matches!(c, ':' | '.' | '?' | '!'))
}

/// The ranges of the lines without the marks in front.
fn lines(signs: &[char]) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for end in
        signs.iter().enumerate().filter(|(_, c)| **c == '\n').map(|(at, _)| at).chain([signs.len()])
    {
        let mark = |c: &char| matches!(c, '?' | '>' | '*' | '•' | ' ' | ',');
        let skipped = signs[start..end].iter().take_while(|c| mark(c)).count();
        let tail =
            signs[start + skipped..end].iter().rev().take_while(|c| matches!(c, ' ' | ',')).count();
        if start + skipped < end - tail {
            lines.push(start + skipped..end - tail);
        }
        start = end + 1;
    }
    lines
}

/// "Apt. 12 4071 Mill Lane 8, Ystad": a unit, a number, a line with its own number, a town. Where a postcode, a
/// region or a country makes it a postal address it is one whole.
fn numbered(signs: &[char], line: &Range<usize>) -> Option<Vec<(Range<usize>, EntityType)>> {
    let words: Vec<Range<usize>> = words(signs, line);
    let text = |range: &Range<usize>| signs[range.clone()].iter().collect::<String>();
    let is_number = |word: &Range<usize>| {
        let digits = signs[word.clone()].iter().take_while(|c| c.is_ascii_digit()).count();
        (1..=6).contains(&digits) && word.len() - digits <= 1
    };
    let mut parts = Vec::new();
    let mut at = 0;
    if is_unit(signs, words.first()?) && is_number(words.get(1)?) {
        parts.push((words[0].start..words[1].end, EntityType::Address));
        at = 2;
    }
    // A unit behind the street is a part of its own.
    let trailing = words
        .len()
        .checked_sub(2)
        .filter(|i| *i > at && is_unit(signs, &words[*i]) && is_number(&words[*i + 1]));
    let behind = trailing.map(|i| words[i].start..words[i + 1].end);
    let mut words = words;
    words.truncate(trailing.unwrap_or(words.len()));
    let number = words.get(at).filter(|w| is_number(w) && signs[w.end - 1].is_ascii_digit())?;
    let comma = (at + 1..words.len()).find(|i| signs[words[*i].end - 1] == ',');
    let last = comma.unwrap_or(words.len().checked_sub(1)?);
    let street = words.get(at + 1..=last)?;
    let (first, end) = (street.first()?, street.last()?);
    let end = end.end - usize::from(comma.is_some());
    let bare = first.start..end;
    let own = is_number(first) || is_number(&(street.last()?.start..end));
    let lettered = signs[bare.clone()].iter().any(|c| c.is_alphabetic());
    if !own || !lettered || street.len() < 2 || street.iter().any(|w| is_unit(signs, w)) {
        return None;
    }
    parts.push((number.clone(), EntityType::Address));
    parts.push((bare.clone(), EntityType::Address));
    if let Some(comma) = comma {
        let town = words.get(comma + 1)?.start..words.last()?.end;
        let town_text = text(&town);
        let plain = !town_text.contains(|c: char| c.is_ascii_digit() || c == ',');
        if !plain || is_country(&town_text) {
            return None;
        }
        parts.push((town, EntityType::Location));
    }
    parts.extend(behind.map(|unit| (unit, EntityType::Address)));
    Some(parts)
}

fn words(signs: &[char], line: &Range<usize>) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    let inside = signs.iter().enumerate().take(line.end).skip(line.start);
    for (at, sign) in inside.chain([(line.end, &' ')]) {
        match (*sign == ' ', start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                words.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let check = |address: &str, expected: &[&str]| {
            let signs: Vec<char> = address.chars().collect();
            let found: Vec<String> = parts(&signs, false)
                .into_iter()
                .map(|(range, kind)| {
                    let part: String = signs[range].iter().collect();
                    if kind == EntityType::Location { format!("in {part}") } else { part }
                })
                .collect();
            assert_eq!(found, expected, "{address}");
        };
        check("22 Baker Street, London", &[]);
        check("1400 5th Avenue, Seattle", &[]);
        check("407 Mill Lane 8, Ystad", &["407", "Mill Lane 8", "in Ystad"]);
        check("407 18 Mill Lane", &["407", "18 Mill Lane"]);
        check("Flat 2, 14 Acacia Avenue, Leeds LS1 4AP", &[]);
        check("Apt. 12 407 Mill Lane 8", &["Apt. 12", "407", "Mill Lane 8"]);
        check("407 Mill Lane 8, Ystad, Sweden", &[]);
        check("407 Mill Lane 8 Apt. 12, Ystad 27101", &[]);
        check("407 Mill Lane 8\n Apt. 12\n Ystad", &[]);
        check("> 407 Mill Lane 8\n> Apt. 12", &["407", "Mill Lane 8", "Apt. 12"]);
    }
}
