//! Street addresses in American, British and similar writing, and PO boxes. A street without a number is no
//! address, and a town alone is a place.

use nearside_types::EntityType;

use super::address_tail::{head, tail};
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
        r"(?:\d{1,6}[A-Za-z]?(?:[-/]\d{1,5})?,?|One|Two|Three|Four|Five|Ten)\s(?:(?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\.?\s)?(?:[\p{Lu}\d][\p{L}\d'’.\-]*\s){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Ter|Close|Boulevard|Blvd|Way|Parkway|Pkwy|Circle|Cir|Crescent|Cres|Grove|Hill|Gardens|Gdns|Row|Mews|Highway|Hwy|Plaza|Trail|Loop|Walk|Quay|Alley|Ridge|Run|Path|Pike|Broadway|Green|Park|View|Rise)\b\.?"
    };
}
/// A sign of an announced address: a full stop belongs to it behind an abbreviation, and where it goes on small or
/// with a number or a unit.
macro_rules! sign {
    () => {
        r"(?:\b(?i:apt|ste|st|str|ul|av|ave|rd|blvd|u|al|pl)\.|[ ,]\p{Lu}\.|\.\s(?i:apt|suite|ste|unit|flat)\b|[^.;:!?\n\x22]|\.[\s,]{0,2}[\d\p{Ll}])"
    };
}
/// A number and what follows, or some words and a number, to the end of the sentence, on several lines.
macro_rules! announced {
    () => {
        concat!(
            r"(?:\d{1,6}[\w/\-]{0,4}[ ,]{1,2}(?:\p{Lu}\.\s)?|\p{Lu}[\p{L}'’\-]*\s(?:(?:ul|str|st|av|al|pl|u)\.\s|\p{Lu}?[\p{L}'’\-]*\s){0,4}\d{1,5}\b)",
            sign!(),
            r"*(?:\n[ ,]{0,3}",
            sign!(),
            r"+)*"
        )
    };
}

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "street_address",
        pattern: street!(),
        trigger: Trigger::Words(STREETS),
        check: street_address,
        ..ADDRESS
    },
    Recognizer {
        name: "po_box",
        pattern: r"(?:\d{1,6}\s)?(?i:P\.?\s?O\.?\s?Box|Post Office Box|Postbox|Postfach|Apartado|Casilla)\s(?:#\s?)?\d{1,7}",
        trigger: Trigger::Words(&["box", "postfach", "apartado", "casilla"]),
        reach: Some((24, 40)),
        check: with_surroundings,
        ..ADDRESS
    },
    Recognizer {
        // Rural delivery of the United States: a route and a box.
        name: "rural_route",
        pattern: r"(?i:RR|R\.R\.|rural route|HC|star route)\s#?\d{1,4},?\s(?i:box)\s\d{1,6}[A-Z]?",
        trigger: Trigger::Words(&["box"]),
        reach: Some((32, 24)),
        check: with_surroundings,
        ..ADDRESS
    },
    Recognizer {
        name: "numbered_highway",
        pattern: r"\d{1,6}\s(?:[NSEW]\.?\s)?(?i:(?:state|us|u\.s\.|county|old|rural|interstate)\s)?(?i:highway|hwy\.?|route|rte\.?|county road|state road|farm road)\s\d{1,4}[A-Z]?(?:\s(?:North|South|East|West|[NSEW])\b)?",
        trigger: Trigger::Words(&[
            "highway",
            "hwy",
            "route",
            "rte",
            "county road",
            "state road",
            "farm road",
        ]),
        reach: Some((24, 48)),
        check: with_surroundings,
        ..ADDRESS
    },
    Recognizer {
        name: "military_address",
        pattern: r"(?:(?:PSC|Unit|CMR)\s\d{2,5},?\s?Box\s\d{2,5}|US[A-Z]{1,4}\s\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+)?)\s{0,3}\n?(?:APO|FPO|DPO)\s(?:AA|AE|AP)\s\d{5}(?:-\d{4})?",
        trigger: Trigger::Words(&["apo ", "fpo ", "dpo "]),
        ..ADDRESS
    },
    Recognizer {
        // Continental order: street name, then number, perhaps behind a block's number.
        name: "numbered_building",
        pattern: r"(?:\d{1,6}\s)?(?:[\p{Lu}\d][\p{L}\d'’.\-]*\s){1,5}\d{1,5}[A-Za-z]?,?\s(?:Apt|Suite|Flat|Unit)\.?\s\d{1,5}(?:(?:\s|,){1,3}\p{Lu}[\p{L}'’\-]*){0,5}(?:(?:\s|,){1,4}\d{3,6}(?:-\d{3,4})?)?",
        trigger: Trigger::Words(&["apt", "suite", "flat", "unit"]),
        score: 78,
        ..ADDRESS
    },
    Recognizer {
        // Whatever stands where an address is announced, to the end of the sentence, if it has a number.
        name: "labelled_address",
        pattern: concat!(
            r"(?i:\b(?:address(?:es)?[,?]?(?:\s(?:is|was|of\s[^.\n]{2,40}?\sis|with|to))?|(?:home|billing|shipping|postal|mailing|street) address(?: is)?|(?:live|lives|lived|living|resides?|residing|located|staying) (?:at|in)|(?:is|be|are) (?:sent|shipped|delivered|mailed) to\?(?: user)?|(?:deliver|ship|mail|sent|send|move|moved) (?:it |this |them )?to|is at)(?:\s?:)?\s{1,3}(?:it is |is |here (?:it is|they are): ?)?)((?:the corner of )?",
            announced!(),
            ")"
        ),
        trigger: Trigger::Words(&[
            "address",
            "live at",
            "live in",
            "lives at",
            "lives in",
            "lived at",
            "lived in",
            "living at",
            "living in",
            "reside at",
            "reside in",
            "resides at",
            "resides in",
            "residing at",
            "residing in",
            "located at",
            "located in",
            "staying at",
            "staying in",
            "sent to",
            "shipped to",
            "delivered to",
            "mailed to",
            "deliver it to",
            "deliver to",
            "deliver this to",
            "ship to",
            "ship it to",
            "ship this to",
            "mail to",
            "mail it to",
            "mail this to",
            "send to",
            "send it to",
            "send them to",
            "send this to",
            "move to",
            "moved to",
            "is at",
        ]),
        reach: Some((10, 320)),
        edges: Edges::Free,
        check: labelled_address,
        score: 77,
        in_context: 77,
        ..ADDRESS
    },
    Recognizer {
        // A second address behind the first one of a list.
        name: "listed_address",
        pattern: concat!(r"(?:,|;|\n)\s?(?:and|or)\s((?:the corner of )?", announced!(), ")"),
        trigger: Trigger::Words(&["addresses"]),
        reach: Some((2, 320)),
        edges: Edges::Free,
        check: |c| {
            let lower = c.text().to_lowercase();
            let postal = [
                "apt",
                "suite",
                "unit",
                "flat",
                "box",
                "corner of",
                "\n",
                "street",
                "road",
                "avenue",
            ];
            if postal.iter().any(|p| lower.contains(p)) { labelled_address(c) } else { Verdict::No }
        },
        score: 77,
        in_context: 77,
        ..ADDRESS
    },
    Recognizer {
        // A part of an address that stands alone, and a house in front of or behind it.
        name: "numbered_unit",
        pattern: r"\b(?:Apt|Apartment|Suite|Ste|Flat|apt|suite)\.?\s#?\d{1,5}[A-Z]?(?:,?\s\d{1,6}\s(?:\p{Lu}[\p{L}'’.\-]*\s){1,4}\d{1,4})?",
        trigger: Trigger::Words(&["apt", "apartment", "suite", "ste", "flat"]),
        reach: Some((1, 120)),
        check: |c| {
            // "Suite 16 by", "Suite 3 for cello": a piece of music.
            let after = c.after().trim_start().split([' ', ',', '.', '\n']).next().unwrap_or("");
            if matches!(after, "by" | "for" | "in" | "is" | "was" | "of" | "from" | "to") {
                return Verdict::No;
            }
            // A house and its number behind the unit: what follows is the address's too.
            let numbers =
                c.text().split(|ch: char| !ch.is_ascii_digit()).filter(|n| !n.is_empty()).count();
            if numbers >= 2 { with_surroundings(c) } else { Verdict::Plausible }
        },
        score: 62,
        ..ADDRESS
    },
    Recognizer {
        // A line of an address block: house and street, with a unit or a postcode on the lines below.
        name: "address_line",
        pattern: r"(?m)^[?>*•\-]{0,3}[ ]?(\d{1,6}\s(?:[\p{L}\d][\p{L}\d.'’\-]*\s){0,4}[\p{L}][\p{L}.'’\-]*(?:\s\d{1,5})?)[ ]?$",
        trigger: Trigger::Words(&["apt", "apartment", "suite", "ste", "flat", "unit"]),
        reach: Some((160, 40)),
        check: |c| {
            let below: String = c.after().chars().take(80).collect::<String>().to_lowercase();
            let unit = ["apt", "apartment", "suite", "ste ", "flat ", "unit "]
                .iter()
                .any(|u| below.contains(u));
            if unit && c.text().chars().filter(|ch| ch.is_alphabetic()).count() >= 4 {
                with_surroundings(c)
            } else {
                Verdict::No
            }
        },
        score: 66,
        ..ADDRESS
    },
    Recognizer {
        // The postcode in the last line of an address block is a part of it.
        name: "postcode_of_an_address",
        pattern: r"(?m)^[? ]{0,5}\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+)?\s(\d{4,6})\.?$",
        trigger: Trigger::Words(&["apt", "apartment", "suite", "ste", "flat", "unit"]),
        reach: Some((2, 120)),
        check: |c| {
            let year = c.text().parse::<u32>().is_ok_and(|n| (1500..2100).contains(&n));
            Verdict::plausible_if(!year)
        },
        score: 56,
        ..ADDRESS
    },
    Recognizer {
        name: "street_corner",
        pattern: r"(?i:the )?corner of (?:(?:[\p{Lu}\d][\p{L}\d'’.\-]*|ul\.|rue|via|calle)\s(?:(?:de|la|del|di|du|the)\s)?){1,6}(?:and|&)(?:\s(?:[\p{Lu}\d][\p{L}\d'’\-]*|ul\.|rue|via|calle)){1,4}",
        trigger: Trigger::Words(&["corner of"]),
        reach: Some((8, 160)),
        score: 79,
        ..ADDRESS
    },
    Recognizer {
        name: "uk_postcode",
        kind: EntityType::Postcode,
        pattern: r"(?:GIR ?0AA|[A-PR-UWYZ](?:\d{1,2}|[A-HK-Y]\d{1,2}|\d[A-HJKPSTUW]|[A-HK-Y]\d[ABEHMNPRVWXY])\s\d[ABD-HJLNP-UW-Z]{2})",
        trigger: Trigger::Digits(2),
        context: &["postcode", "post code", "zip", "address"],
        score: 60,
        in_context: 60,
        ..ADDRESS
    },
    Recognizer {
        name: "zip_code",
        kind: EntityType::Postcode,
        pattern: r"(?i)(?:zip ?(?:code)?|postal code|post ?code|plz|邮编|邮政编码|邮政编码是)(?:\s?(?:is|:|=|为|是)){0,2}\s?([A-Z\d]{3,7}(?:[ \-]\d[A-Z\d]{1,3}|[ ](?-i:[A-Z]{2}))?)\b",
        trigger: Trigger::Words(&["zip", "postal", "post", "plz", "邮编", "邮政编码"]),
        check: |c| Verdict::plausible_if(c.digits().len() >= 3),
        score: 60,
        in_context: 60,
        ..ADDRESS
    },
];

/// A street line that is one by its form, with what stands around it.
pub(super) fn with_surroundings(c: &Candidate<'_>) -> Verdict {
    Verdict::Part {
        range: head(c.whole, c.range.start)..tail(c.whole, c.range.end),
        sure: false,
        why: "a street line and its town",
    }
}

fn street_address(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    // "1600 players joined the Street" has a small letter between; "2024 Hill" and "100 Park" need more.
    if text.starts_with(|ch: char| ch.is_alphabetic()) {
        // "One Microsoft Way, Redmond": a number in words needs a town.
        return if tail(c.whole, c.range.end) > c.range.end {
            with_surroundings(c)
        } else {
            Verdict::No
        };
    }
    // "Unit 5, 22 King Street": the first number is the unit's.
    if let Some((unit, rest)) = text.split_once(", ")
        && unit.bytes().all(|b| b.is_ascii_alphanumeric())
        && rest.starts_with(|ch: char| ch.is_ascii_digit())
    {
        let range = c.range.start + unit.len() + 2..c.range.end;
        return with_surroundings(&Candidate { whole: c.whole, range });
    }
    let number: u32 =
        text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
    let year = (1900..=2100).contains(&number);
    let listed = year && text.split_whitespace().next().is_some_and(|first| first.ends_with(','));
    let bare = listed || !text.contains(',') && text.split_whitespace().count() <= 3;
    // "020 7946 0585, 7 Franklin Road": the end of another number is no house.
    let follows = c.before().ends_with([' ', '-'])
        && c.before().trim_end_matches([' ', '-']).ends_with(|ch: char| ch.is_ascii_digit());
    if number == 0 || (year && bare) || follows {
        return Verdict::No;
    }
    with_surroundings(c)
}

/// Cuts what was announced as an address where the sentence goes on: before "for this card", "and I", "it
/// serves". A name, a capital or a second number must be in it: "lives at 3 in the afternoon" has none.
fn labelled_address(c: &Candidate<'_>) -> Verdict {
    const STOPS: &[&str] = &[
        ", and ",
        ", where ",
        ", which ",
        ", but ",
        " for this",
        " for the",
        " and i ",
        " and my",
        " and was ",
        " and is ",
        " and has ",
        " and her ",
        " and his ",
        " and their ",
        " and can ",
        " and works ",
        " where ",
        " which ",
        " with ",
        " it serves",
        " please",
        " because",
        " but ",
        " since ",
        " until ",
        " by ",
        " last ",
        " next ",
        " yesterday",
        " today",
        " tomorrow",
        " before ",
        " after ",
        " if ",
        " when ",
        " while ",
        " so ",
        " during ",
        " every ",
        " instead",
        " in case",
        " as soon",
    ];
    const GREETINGS: &[&str] = &[
        "Thank",
        "Best",
        "Kind",
        "Regards",
        "Yours",
        "Sincerely",
        "Cheers",
        "Phone",
        "Tel",
        "Mobile",
        "Fax",
        "Email",
        "E-mail",
        "Please",
        "Hi",
        "Hello",
        "Dear",
        "Website",
        "Web",
    ];
    let text = c.text();
    let mut cut = STOPS.iter().filter_map(|stop| text.find(stop)).min().unwrap_or(text.len());
    if c.whole.contains(char::is_uppercase) && !text.contains("orner of") {
        // "at 9 Elm Street and work at the bank": a small word behind "and" is the sentence's.
        let small = text.match_indices(" and ").find(|(at, and)| {
            text[at + and.len()..].starts_with(char::is_lowercase)
                && !text[at + and.len()..].starts_with("ul.")
        });
        cut = cut.min(small.map_or(cut, |(at, _)| at));
    }
    let lines = text.match_indices('\n');
    for (count, (at, _)) in lines.enumerate() {
        let line = text[at + 1..].trim_start_matches([' ', ',']);
        // A line that names its own value, or a greeting, is none of the address.
        let named = !line.contains('\n') && c.after().starts_with(':');
        if count >= 4 || named || GREETINGS.iter().any(|g| line.starts_with(g)) {
            cut = cut.min(at);
            break;
        }
    }
    let Some(kept) = text.get(..cut) else { return Verdict::No };
    let kept = kept.trim_end_matches([' ', ',', '\n', '(']);
    let numbers = kept.split(|ch: char| !ch.is_ascii_digit()).filter(|n| !n.is_empty()).count();
    let words = kept.split_whitespace().filter(|w| w.chars().any(char::is_alphabetic)).count();
    let capital = kept.chars().any(char::is_uppercase);
    let money =
        ["%", "percent", "am", "pm", "degrees", "km", "miles", "people", "employees", "o'clock"];
    const MONTHS: &[&str] = &[
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    if MONTHS.iter().any(|month| kept.starts_with(month)) {
        return Verdict::No;
    }
    let measured = kept.split([' ', ',']).nth(1).is_some_and(|w| money.contains(&w));
    if words == 0 || measured || !(capital || numbers >= 2) {
        return Verdict::No;
    }
    Verdict::Part {
        range: c.range.start..c.range.start + kept.len(),
        sure: false,
        why: "announced as an address",
    }
}
