//! Street addresses in American, British and similar writing, and PO boxes. A street without a number is no
//! address, and a town alone is a place.

use nearside_types::EntityType;

use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const STREETS: &[&str] = &[
    "street",
    "road",
    "avenue",
    "lane",
    "drive",
    "court",
    "place",
    "square",
    "terrace",
    "close",
    "boulevard",
    "way",
    "parkway",
    "circle",
    "crescent",
    "grove",
    "hill",
    "gardens",
    "row",
    "mews",
    "highway",
    " st",
    " rd",
    " ave",
    " blvd",
    " ln",
    " dr",
    " ct",
    " pl",
    " hwy",
    " pkwy",
    "plaza",
    "trail",
    "loop",
    "walk",
    "quay",
    "alley",
    "ridge",
    "straße",
    "strasse",
    "broadway",
];

const ADDRESS: Recognizer = Recognizer {
    kind: EntityType::Address,
    edges: Edges::Word,
    score: 86,
    in_context: 90,
    ..Recognizer::BASE
};

macro_rules! street {
    () => {
        r"\d{1,6}[A-Za-z]?(?:[-/]\d{1,5})?,?\s(?:(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\.?\s)?(?:[\p{Lu}\d][\p{L}\d'’.\-]*\s){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Ter|Close|Boulevard|Blvd|Way|Parkway|Pkwy|Circle|Cir|Crescent|Cres|Grove|Hill|Gardens|Gdns|Row|Mews|Highway|Hwy|Plaza|Trail|Loop|Walk|Quay|Alley|Ridge|Run|Path|Pike|Broadway|Green|Park|View|Rise)\b\.?"
    };
}
macro_rules! unit {
    () => {
        r"(?:,?\s{1,3}(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|Rm|Bldg|#)\.?\s?#?[\w\-]{1,6})?"
    };
}
macro_rules! town {
    () => {
        r"(?:,?\s{1,3}\p{Lu}[\p{L}'.\-]+(?:\s\p{Lu}[\p{L}'.\-]+){0,3})?(?:,?\s{1,3}(?:[A-Z]{2}\b)(?:,?\s{1,3}\d{5}(?:-\d{4})?\b)?|,?\s{1,3}[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b|,?\s{1,3}\d{5}(?:-\d{4})?\b)?"
    };
}

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "street_address",
        pattern: concat!(street!(), unit!(), town!()),
        trigger: Trigger::Words(STREETS),
        check: street_address,
        ..ADDRESS
    },
    Recognizer {
        name: "flat_address",
        pattern: concat!(
            r"(?:Flat|Apartment|Apt|Unit|Suite)\.?\s?[\w]{1,5},?\s",
            street!(),
            town!()
        ),
        trigger: Trigger::Words(STREETS),
        ..ADDRESS
    },
    Recognizer {
        name: "po_box",
        pattern: concat!(r"(?i:P\.?\s?O\.?\s?Box|Post Office Box)\s#?\d{1,7}", town!()),
        trigger: Trigger::Words(&["box"]),
        ..ADDRESS
    },
    Recognizer {
        name: "military_address",
        pattern: r"(?:(?:PSC|Unit|CMR)\s\d{2,5},?\s?Box\s\d{2,5}|USNS\s\p{Lu}\p{L}+|USS\s\p{Lu}\p{L}+|USNV\s\p{Lu}\p{L}+)\s{0,3}\n?(?:APO|FPO|DPO)\s(?:AA|AE|AP)\s\d{5}(?:-\d{4})?",
        trigger: Trigger::Words(&["apo ", "fpo ", "dpo "]),
        ..ADDRESS
    },
    Recognizer {
        // Continental order: street name, then number, perhaps behind a block's number.
        name: "numbered_building",
        pattern: r"(?:\d{1,6}\s)?(?:[\p{Lu}\d][\p{L}\d'’.\-]*\s){1,5}\d{1,5}[A-Za-z]?,?\s(?:Apt|Suite|Flat|Unit)\.?\s\d{1,5}(?:(?:\s|,){1,3}(?:[\p{L}][\p{L}'’.\-]*)){0,5}(?:(?:\s|,){1,4}\d{3,6}(?:-\d{3,4})?)?",
        trigger: Trigger::Words(&["apt", "suite", "flat", "unit"]),
        score: 78,
        ..ADDRESS
    },
    Recognizer {
        name: "german_street",
        pattern: r"\p{Lu}[\p{L}\-]{2,24}(?:straße|strasse|str\.|weg|platz|allee|gasse|ring|ufer|damm)\s\d{1,4}\s?[a-z]?(?:,?\s\d{5}\s\p{Lu}[\p{L}\-]+)?",
        trigger: Trigger::Words(&[
            "straße", "strasse", "str.", "weg", "platz", "allee", "gasse", "ring", "ufer", "damm",
        ]),
        score: 80,
        ..ADDRESS
    },
    Recognizer {
        name: "french_street",
        pattern: r"\d{1,4}(?:\s?(?:bis|ter))?,?\s(?:rue|avenue|boulevard|place|impasse|allée|chemin|quai)\s(?:(?:de|du|des|la|le|l'|d')\s?){0,3}\p{Lu}[\p{L}'\-]+(?:\s\p{Lu}[\p{L}'\-]+){0,3}(?:,?\s\d{5}\s\p{Lu}[\p{L}\-]+)?",
        trigger: Trigger::Words(&[
            "rue ",
            "avenue ",
            "boulevard ",
            "impasse",
            "allée",
            "chemin",
            "quai",
        ]),
        score: 80,
        ..ADDRESS
    },
    Recognizer {
        name: "uk_postcode",
        kind: EntityType::Postcode,
        pattern: r"(?:GIR ?0AA|[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKPSTUW]|[A-HK-Y]\d[ABEHMNPRVWXY])\s\d[ABD-HJLNP-UW-Z]{2})",
        trigger: Trigger::Digits(2),
        context: &["postcode", "post code", "zip", "address"],
        score: 60,
        ..ADDRESS
    },
    Recognizer {
        name: "zip_code",
        kind: EntityType::Postcode,
        pattern: r"(?i)(?:zip ?(?:code)?|postal code|post ?code|plz|邮编|邮政编码|邮政编码是)(?:\s?(?:is|:|=|为|是)){0,2}\s?([A-Z\d]{3,7}(?:[ \-][A-Z\d]{2,4})?)\b",
        trigger: Trigger::Words(&["zip", "postal", "post", "plz", "邮编", "邮政编码"]),
        check: |c| Verdict::plausible_if(c.digits().len() >= 3),
        score: 60,
        in_context: 60,
        ..ADDRESS
    },
];

fn street_address(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    // "1600 players joined the Street" has a small letter between; "2024 Hill" and "100 Park" need more.
    let number: u32 =
        text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
    let year = (1900..=2100).contains(&number);
    let bare = !text.contains(',') && text.split_whitespace().count() <= 3;
    Verdict::plausible_if(number > 0 && !(year && bare))
}
