//! Street lines in continental order, a name and then a number: by the word for a street in front of the name or at
//! its end, and by the postcode behind it. What follows the line is the grammar's.

use nearside_types::EntityType;

use super::address_en::with_surroundings;
use super::names::is_common_word;
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const LINE: Recognizer = Recognizer {
    kind: EntityType::Address,
    edges: Edges::Word,
    check: with_surroundings,
    score: 80,
    in_context: 86,
    ..Recognizer::BASE
};

/// A house's number: `12`, `12a`, `12-14`, `10/12`, `n. 5`.
macro_rules! house {
    () => {
        r"(?:n[.º°]{0,2}\s?)?\d{1,4}(?:\s?[a-zA-Z]\b)?(?:\s?[/\-]\s?\d{1,4}[a-zA-Z]?)?"
    };
}

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "street_by_ending",
        pattern: concat!(
            r"(?:\d{1,6}\s)?(?:\p{Lu}[\p{L}.\-]*[ ]){0,2}\p{Lu}[\p{L}\-]*(?:stra(?:ß|ss)e|str\.|[ ]Str\.|weg|platz|allee|gasse|ufer|damm|steig|gatan|gata|gate|vägen|veien|vegen|vej|gade|stræde|katu|polku|kuja|straat|gracht|laan|plein|kade|dreef|utca|stræti|braut|vegur)[ ]",
            house!()
        ),
        trigger: Trigger::Words(&[
            "straße", "strasse", "str.", "weg ", "platz ", "allee ", "gasse ", "ufer ", "damm ",
            "steig ", "gatan ", "gata ", "gate ", "vägen ", "veien ", "vegen ", "vej ", "gade ",
            "stræde ", "katu ", "polku ", "kuja ", "straat ", "gracht ", "laan ", "plein ",
            "kade ", "dreef ", "utca ", "stræti ", "braut ", "vegur ",
        ]),
        reach: Some((56, 32)),
        check: |c| {
            // "Gateway 5", "Gate 12" and "Damm 3": the word alone is no street's name.
            let named = c
                .text()
                .split([' ', '.'])
                .any(|w| w.chars().filter(|ch| ch.is_alphabetic()).count() >= 6);
            if named && !c.text().contains("Gate ") { with_surroundings(c) } else { Verdict::No }
        },
        ..LINE
    },
    Recognizer {
        name: "street_by_beginning",
        pattern: concat!(
            r"(?:\d{1,6}\s)?(?:(?i:calle|avenida|avda\.?|paseo|carrer|camino|carretera|rua|travessa|praça|via|viale|piazza|corso|largo|vicolo|strada|bulevardul|ul\.|ulica|aleja|al\.|plac|chaussée|place|quai|allée|rue)|C/|Av\.|Rúa)[ ]?(?:(?:de|del|della|delle|dei|di|da|do|dos|das|la|las|los|le|les|du|des|el|al|y|e)[ ]|d'|l'|dell'|(?:\p{Lu}|\d{1,2}[ ]\p{Ll})[\p{L}.'’\-]*[ ]){1,6}",
            house!()
        ),
        trigger: Trigger::Words(&[
            "calle ",
            "avenida ",
            "avda",
            "paseo ",
            "carrer ",
            "camino ",
            "carretera ",
            "rua ",
            "travessa ",
            "praça ",
            "via ",
            "viale ",
            "piazza ",
            "corso ",
            "largo ",
            "vicolo ",
            "strada ",
            "bulevardul ",
            "ul.",
            "ulica ",
            "aleja ",
            "al.",
            "plac ",
            "chaussée ",
            "place ",
            "quai ",
            "allée ",
            "rue ",
            "c/",
            "av.",
            "rúa ",
        ]),
        reach: Some((10, 96)),
        check: |c| {
            // "via Zoom 5": a name with a capital, and more than one word or a capital of the street's own.
            let mut words =
                c.text().split([' ', '.']).filter(|w| w.starts_with(char::is_alphabetic));
            let kind = words.next().unwrap_or("");
            let capitals = words.filter(|w| w.starts_with(char::is_uppercase)).count();
            let small = kind.starts_with(char::is_lowercase);
            if capitals > 0
                && !(small && matches!(kind, "via" | "place" | "al" | "largo" | "corso"))
            {
                with_surroundings(c)
            } else {
                Verdict::No
            }
        },
        ..LINE
    },
    Recognizer {
        name: "french_street",
        pattern: r"\d{1,4}(?:\s?(?:bis|ter))?,?\s(?i:rue|avenue|boulevard|place|impasse|allée|chemin|quai|cours|square)\s(?:(?:(?:de|du|des|la|le|les|al|el|en)\s|l'|d'){0,3}\p{Lu}[\p{L}'’\-]+(?:\s(?:(?:de|du|des|la|le|et|al)\s){0,2}\p{Lu}[\p{L}'’\-]+){0,4}|(?:de|du|des)\s(?:la\s)?\d{1,2}\s\p{L}+(?:\s\d{4})?|(?:du|des|de la)\s\p{Ll}{4,})",
        trigger: Trigger::Words(&[
            "rue ",
            "avenue ",
            "boulevard ",
            "place ",
            "impasse ",
            "allée ",
            "chemin ",
            "quai ",
            "cours ",
            "square ",
        ]),
        reach: Some((16, 80)),
        ..LINE
    },
    Recognizer {
        // "Keizersgracht 123, 1015 CJ Amsterdam": any name and number before a postcode and a town.
        name: "street_before_postcode",
        pattern: r"\p{Lu}[\p{L}'’.\-]+(?:[ ](?:(?:de|del|da|do|dos|van|von|der|den|la|le|des|du|z)[ ])?\p{Lu}[\p{L}'’.\-]+){0,3}[ ]\d{1,4}(?:[ ]?[a-zA-Z])?(?:[/\-]\d{1,4})?(?:,|\n|,\n)[ ]?(?:[A-Z]{1,2}-)?(?:\d{4,5}(?:[ ][A-Z]{2})?|\d{3}[ ]\d{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{5}-\d{3})[ ]\p{Lu}\p{L}+",
        trigger: Trigger::Digits(5),
        check: street_before_postcode,
        score: 74,
        ..LINE
    },
];

/// The line must not be a chapter, a version or a year's; the name is looked for backwards where the window cut it.
fn street_before_postcode(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let Some(line) = text.split([',', '\n']).next() else { return Verdict::No };
    let code = text[line.len()..].trim_start_matches([',', '\n', ' ']);
    let digits: String = code.chars().take_while(char::is_ascii_digit).collect();
    let year = digits.len() == 4
        && digits.parse::<u32>().is_ok_and(|n| (1900..2100).contains(&n))
        && !code[4..].starts_with('-')
        && !code.get(5..7).is_some_and(|two| two.bytes().all(|b| b.is_ascii_uppercase()));
    let everyday = line.split([' ', '.', '-']).any(|w| {
        is_common_word(w)
            || matches!(
                w,
                "Windows"
                    | "Article"
                    | "Chapter"
                    | "Version"
                    | "Item"
                    | "Lot"
                    | "Room"
                    | "Model"
                    | "Level"
                    | "Step"
                    | "Line"
            )
    });
    if year || everyday {
        return Verdict::No;
    }
    let core = c.range.start + line.len();
    let core = Candidate { whole: c.whole, range: c.range.start..core };
    with_surroundings(&core)
}
