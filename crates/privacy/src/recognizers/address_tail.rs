//! What belongs to a street address in front of and behind its street line: units, a building's name, towns,
//! regions, postcodes, countries, on one line or on several. A small grammar over words; it knows no towns by name,
//! and where the sentence goes on it stops.

use std::sync::LazyLock;

use regex::Regex;

use super::names::{is_common_word, is_given};
use super::place::is_country;

/// Elements behind a street line at most: unit, floor, locality, town, county, region, postcode, country.
const MOST: usize = 9;
/// Words of one place's name.
const WORDS: usize = 4;

/// A unit, a floor, a door.
const UNIT: &str = r"\A(?:(?i:apt|apartment|suite|ste|unit|flat|floor|fl|room|rm|bldg|building|block|lot|level|appt|wohnung|piso|interno|int)\b\.?\s?(?:#|no\.?\s?)?(?:\d[\w\-]{0,5}|[A-Z])\b|#\s?\d[\w\-]{0,5}\b|\d{1,2}(?:st|nd|rd|th)\s(?i:floor)\b|\d{1,2}(?:[ºª°oa]|\.)\s?(?:[A-Z]\b|OG\b|Stock\b|Etage\b|sal\b|tv\b|th\b|(?i:izq|dcha|centro)\b\.?))";
/// Postcodes that are nothing else by their form.
const FORMED: &str = r"\A(?:(?:[A-Z]{1,2}-)?\d{5}-\d{3,4}\b|\d{3}-\d{4}\b|\d{2}-\d{3}\b|\d{4}-\d{3}\b|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b|[A-Z]\d[A-Z]\s?\d[A-Z]\d\b|\d{4}\s[A-Z]{2}\b|\d{3}\s\d{2}\b|[A-Z]{1,3}-\d{4,6}\b)";
/// Bare numbers that can be a postcode.
const NUMBER: &str = r"\A\d{4,6}\b";

static UNIT_FORM: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(UNIT).ok());
static FORMED_FORM: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(FORMED).ok());
static NUMBER_FORM: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(NUMBER).ok());

/// What parts two elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    Space,
    Comma,
    Line,
}

/// What an element was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Street,
    Unit,
    Place,
    Region,
    Postcode,
    Country,
}

/// The byte behind the address whose street line ends at `at`.
pub(super) fn tail(text: &str, at: usize) -> usize {
    let (mut here, mut firm, mut last) = (at, at, Part::Street);
    let mut lines = 0;
    let mut doubtful = false;
    for _ in 0..MOST {
        let Some((gap, start)) = gap(text, here) else { break };
        lines += usize::from(gap == Gap::Line);
        if lines > 5 {
            break;
        }
        let Some((part, end)) = element(text, start, gap, last) else { break };
        // A line of words alone may be a greeting: only what follows on it or below tells.
        doubtful = (doubtful || gap == Gap::Line) && part == Part::Place;
        here = end;
        if !doubtful {
            firm = end;
        }
        if last == Part::Country && part == Part::Postcode {
            break;
        }
        last = part;
    }
    firm
}

/// The byte where the address begins whose street line begins at `at`: a unit or a building's name in front.
pub(super) fn head(text: &str, at: usize) -> usize {
    const BUILDINGS: &[&str] = &[
        "House",
        "Building",
        "Tower",
        "Towers",
        "Lodge",
        "Cottage",
        "Villa",
        "Hall",
        "Mansions",
        "Apartments",
        "Farm",
        "Mill",
        "Centre",
        "Center",
        "Heights",
        "Chambers",
    ];
    let before = &text[..at];
    let line = before.rfind(['\n', '.', ':', ';', '(', '"', '\'']).map_or(0, |i| i + 1);
    let line = &before[line..];
    let Some(led) = line.trim_end_matches(' ').strip_suffix(',').or_else(|| line.strip_suffix(' '))
    else {
        return at;
    };
    let element = led.rsplit(", ").next().unwrap_or(led).trim_start();
    let words: Vec<&str> = element.split(' ').collect();
    let unit = words.len() >= 2 && {
        let tail = words[words.len() - 2..].join(" ");
        UNIT_FORM.as_ref().and_then(|u| u.find(&tail)).is_some_and(|m| m.end() == tail.len())
    };
    let named = line.trim_end_matches(' ').ends_with(',')
        && words.last().is_some_and(|w| BUILDINGS.contains(w))
        && (2..=4).contains(&words.len())
        && words.iter().all(|w| w.starts_with(char::is_uppercase));
    let taken = if unit { words[words.len() - 2..].join(" ").len() } else { element.len() };
    if !(unit || named) {
        return at;
    }
    let start = at - (line.len() - led.len()) - taken;
    if unit && start > 0 { head_of_building(text, start, BUILDINGS) } else { start }
}

/// "Rose House, Flat 2, 14 Mill Lane": the name in front of the unit.
fn head_of_building(text: &str, at: usize, buildings: &[&str]) -> usize {
    let Some(before) = text[..at].strip_suffix(", ") else { return at };
    let from = before.rfind(['\n', '.', ':', ';', ',', '"']).map_or(0, |i| i + 1);
    let name = before[from..].trim_start();
    let words: Vec<&str> = name.split(' ').collect();
    let fits = (2..=4).contains(&words.len())
        && words.iter().all(|w| w.starts_with(char::is_uppercase))
        && words.last().is_some_and(|w| buildings.contains(w));
    if fits { before.len() - name.len() } else { at }
}

fn gap(text: &str, at: usize) -> Option<(Gap, usize)> {
    let (mut comma, mut line, mut end) = (false, false, at);
    for sign in text[at..].chars() {
        match sign {
            ' ' => {}
            ',' if !comma => comma = true,
            '\n' if !line => line = true,
            // Marks of a quotation or a list in front of each line.
            '?' | '>' | '*' | '•' if line => {}
            // A full stop of an abbreviated street: "Oak Ave., Denver".
            '.' if end == at && text[at + 1..].starts_with(", ") => {}
            _ => break,
        }
        end += sign.len_utf8();
        if end - at > 8 {
            return None;
        }
    }
    let kind = if line {
        Gap::Line
    } else if comma {
        Gap::Comma
    } else {
        Gap::Space
    };
    (end > at).then_some((kind, end))
}

fn element(text: &str, at: usize, gap: Gap, last: Part) -> Option<(Part, usize)> {
    let rest = &text[at..];
    let found = |form: &LazyLock<Option<Regex>>| {
        form.as_ref().and_then(|f| f.find(rest)).map(|m| at + m.end())
    };
    if matches!(last, Part::Street | Part::Unit)
        && let Some(end) = found(&UNIT_FORM)
    {
        return Some((Part::Unit, end));
    }
    if let Some(end) = found(&FORMED_FORM).filter(|_| last != Part::Postcode) {
        return Some((Part::Postcode, end));
    }
    if let Some(end) = found(&NUMBER_FORM).filter(|_| last != Part::Postcode) {
        return number(text, at, end, gap, last).then_some((Part::Postcode, end));
    }
    if let Some(end) = region(text, at, gap, last) {
        return Some((Part::Region, end));
    }
    let (end, name) = words(text, at)?;
    if is_country(name) {
        return (gap != Gap::Space || last != Part::Street).then_some((Part::Country, end));
    }
    place(text, at, end, gap, last).then_some((Part::Place, end))
}

/// A bare number is a postcode behind a region, a place or a country, or in front of a place.
fn number(text: &str, at: usize, end: usize, gap: Gap, last: Part) -> bool {
    let after = &text[end..];
    let goes_on = after.starts_with(['%', ':', '/', '-'])
        || after.starts_with(".") && after[1..].starts_with(|c: char| c.is_ascii_digit());
    let value: u32 = text[at..end].parse().unwrap_or(0);
    let year = (1900..2100).contains(&value) && end - at == 4;
    let town_follows = words(text, end + 1)
        .is_some_and(|(_, name)| after.starts_with(' ') && !is_common_word(name));
    let behind = matches!(last, Part::Region | Part::Country) || (last == Part::Place && !year);
    let zip = end - at == 5 && gap != Gap::Space && ends_here(after);
    !goes_on && (behind || (town_follows && gap != Gap::Space && !year) || zip)
}

/// Two or three capitals, or the mark that tables write for no value, with what must stand around them.
fn region(text: &str, at: usize, gap: Gap, last: Part) -> Option<usize> {
    const CODES: &str = " AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK \
OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR GU VI AA AE AP ON QC BC AB MB SK NS NB NL PE YT NT NU NSW VIC QLD TAS ACT ";
    if matches!(last, Part::Postcode | Part::Country) && gap == Gap::Line {
        return None;
    }
    let rest = &text[at..];
    if rest.starts_with("D.C.") {
        return Some(at + 4);
    }
    let end = at + rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let code = &text[at..end];
    let missing = code == "nan";
    if !(2..=3).contains(&code.len()) || !(missing || code.bytes().all(|b| b.is_ascii_uppercase()))
    {
        return None;
    }
    let after = &text[end..];
    let number =
        after.trim_start_matches([' ', '\n', ',']).starts_with(|c: char| c.is_ascii_digit());
    let known = CODES.contains(&format!(" {code} "));
    let country = matches!(code, "USA" | "UK" | "UAE");
    let settled =
        country || (known && ends_here(after)) || (last == Part::Postcode && ends_here(after));
    let led = gap != Gap::Space || last != Part::Street;
    (led && (settled || (number && (known || last == Part::Place))) || number && known)
        .then_some(end)
}

/// Whether words in capitals are a place here, and not the next thing of the sentence.
fn place(text: &str, at: usize, end: usize, gap: Gap, last: Part) -> bool {
    let name = &text[at..end];
    let after = &text[end..];
    let stops = ends_here(after) || after.starts_with(',');
    let (_, behind) = gap_or_here(text, end);
    let number = text[behind..].starts_with(|c: char| c.is_ascii_digit())
        || region(text, behind, Gap::Space, Part::Place).is_some();
    if after.starts_with(':') || after.starts_with("'s") || after.starts_with("’s") {
        return false;
    }
    match gap {
        Gap::Space if last == Part::Postcode => true,
        Gap::Space => number && matches!(last, Part::Unit | Part::Place | Part::Street),
        Gap::Comma => stops || number || !is_given(name),
        Gap::Line => stops || number,
    }
}

fn gap_or_here(text: &str, at: usize) -> (Gap, usize) {
    gap(text, at).unwrap_or((Gap::Space, at))
}

/// The end of a line, a sentence or a quotation.
fn ends_here(after: &str) -> bool {
    let mut signs = after.chars();
    match signs.next() {
        None | Some('\n' | ';' | ')' | ']' | '"' | '\'' | '”' | '’' | '|' | '<' | '!' | '?') => {
            true
        }
        Some('.' | ',') => {
            signs.next().is_none_or(|c| c == ' ' || c == '\n' || c == '"' || c == '\'')
        }
        _ => false,
    }
}

/// One to four capitalised words with particles between, none of them an everyday word.
fn words(text: &str, at: usize) -> Option<(usize, &str)> {
    const PARTICLES: &[&str] = &[
        "de", "del", "della", "la", "le", "les", "di", "da", "do", "dos", "du", "des", "am", "an",
        "der", "den", "im", "in", "bei", "upon", "on", "sur", "sous", "of", "the", "and", "na",
        "nad", "op",
    ];
    let mut end = None;
    let mut here = at;
    let mut count = 0;
    while count < WORDS + 2 {
        let rest = text.get(here..)?;
        let length: usize = rest
            .chars()
            .take_while(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
            .map(char::len_utf8)
            .sum();
        let word = rest[..length].trim_end_matches(['\'', '’', '-']);
        if word.is_empty() {
            break;
        }
        let mut stop = here + word.len();
        // "LS1 4AP" and "NSW 2000" are no words of a town.
        let code = text[stop..].starts_with(|c: char| c.is_ascii_digit());
        if code || count > 0 && region(text, here, Gap::Space, Part::Place).is_some() {
            break;
        }
        if matches!(word, "St" | "Ste" | "Ft" | "Mt") && text[stop..].starts_with('.') {
            stop += 1;
        }
        let capital = word.starts_with(char::is_uppercase);
        let everyday = is_common_word(word) && !is_compass(word) && !is_country(word);
        if capital && word.chars().count() > 1 && (!everyday || end.is_some() && is_kind(word)) {
            end = Some(stop);
        } else if end.is_none() || !PARTICLES.contains(&word) {
            break;
        }
        count += 1;
        if !text[stop..].starts_with(' ') {
            break;
        }
        here = stop + 1;
    }
    // "Dublin 6", "Paris 12e", "Aarhus C": a district of a city.
    let end = end.map(|end| end + district(&text[end..]));
    end.map(|end| (end, &text[at..end]))
}

/// Length of a space and a district of one or two digits, where nothing but a comma or an end follows.
fn district(after: &str) -> usize {
    let Some(rest) = after.strip_prefix(' ') else { return 0 };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let letter = digits == 0 && rest.starts_with(|c: char| c.is_ascii_uppercase());
    let length = if letter { 1 } else { digits };
    if (1..=2).contains(&length) && ends_here(&rest[length..]) { length + 1 } else { 0 }
}

fn is_compass(word: &str) -> bool {
    matches!(
        word,
        "North"
            | "South"
            | "East"
            | "West"
            | "New"
            | "San"
            | "Great"
            | "Central"
            | "Royal"
            | "Saint"
            | "St"
    )
}

fn is_kind(word: &str) -> bool {
    matches!(
        word,
        "City"
            | "County"
            | "Kingdom"
            | "States"
            | "Republic"
            | "Emirates"
            | "Island"
            | "Islands"
            | "Lake"
            | "River"
            | "Beach"
            | "Valley"
            | "Park"
            | "Bay"
            | "Forest"
    )
}
