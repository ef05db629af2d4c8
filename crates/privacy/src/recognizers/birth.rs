//! Days of birth by the words that name them (Tier A); other dates and ages (Tier B).

use nearside_types::EntityType;

use crate::checksum::is_date;
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const BORN: &[&str] = &[
    "born",
    "birth",
    "dob",
    "d.o.b",
    "birthday",
    "birthdate",
    "geboren",
    "né",
    "née",
    "nacido",
    "出生",
    "生日",
    "生于",
    "出生日期",
    "出生年月",
    "诞生",
    "出生于",
];
/// Words that name another day.
const OTHER: &[&str] = &[
    "expires",
    "expiry",
    "valid until",
    "deadline",
    "meeting",
    "issued",
    "due",
    "released",
    "build",
    "invoice",
    "order",
    "updated",
    "effective",
    "commencing",
    "有效期",
    "会议",
    "截止",
    "签发",
    "订单",
    "合同",
    "送达",
    "出发",
    "提交",
    "到期",
    "错",
    "号码",
];
macro_rules! date {
    () => {
        r"(?i)(?:\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}(?:\s?日)?|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}|\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}-\d{2,4}|\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}\.?,?\s\d{4}|(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))"
    };
}

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "date_of_birth",
        kind: EntityType::DateOfBirth,
        pattern: date!(),
        trigger: Trigger::Context,
        edges: Edges::Digit,
        check: |c| Verdict::plausible_if(real_date(c) && !inside_a_code(c)),
        context: BORN,
        against: OTHER,
        score: 20,
        in_context: 90,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "date_born_before",
        kind: EntityType::DateOfBirth,
        pattern: r"((?:19|20)\d{2}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}(?:\s?日)?)\s?(?:出生|生人|生(?:,|，|。|$))",
        trigger: Trigger::Words(&["出生", "生人", "生"]),
        edges: Edges::Digit,
        check: |c| Verdict::plausible_if(real_date(c)),
        score: 90,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "date",
        kind: EntityType::DateTime,
        pattern: concat!(
            date!(),
            r"(?:[ T]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d{1,6})?(?:Z|[+\-]\d{2}:?\d{2})?)?"
        ),
        trigger: Trigger::Digits(4),
        edges: Edges::Digit,
        check: |c| {
            Verdict::plausible_if(
                real_date(c)
                    && !inside_a_code(c)
                    && c.text().contains(|ch: char| !ch.is_ascii_digit()),
            )
        },
        score: 55,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "month_and_year",
        kind: EntityType::DateTime,
        pattern: r"(?:January|February|March|April|May|June|July|August|September|October|November|December)(?:\s\d{1,2}(?:st|nd|rd|th)?)?(?:,?\s(?:19|20)\d{2})?\b|\b(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b|\b\d{1,2}:\d{2}\s?(?:am|pm|AM|PM)\b",
        trigger: Trigger::Words(&[
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
            "day",
            ":",
        ]),
        reach: Some((12, 40)),
        check: |c| {
            let digits = c.text().bytes().any(|b| b.is_ascii_digit());
            Verdict::plausible_if(digits || c.text().ends_with("day"))
        },
        score: 50,
        ..Recognizer::BASE
    },
    Recognizer {
        // "May-2021", "07-Mar", "11/2020": a month without its day or its year.
        name: "month_of_a_date",
        kind: EntityType::DateTime,
        pattern: r"(?i)(?:\d{1,2}-)?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[-/](?:19|20)\d{2}|\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)|(?:0?[1-9]|1[0-2])/(?:19|20)\d{2}",
        trigger: Trigger::Digits(2),
        edges: Edges::Word,
        check: |c| Verdict::plausible_if(!inside_a_code(c)),
        score: 54,
        in_context: 54,
        ..Recognizer::BASE
    },
    Recognizer {
        // "12/26": a month and a year, or a day and a month, where a word says that it is a date.
        name: "short_date",
        kind: EntityType::DateTime,
        pattern: r"(?:0?[1-9]|1[0-2])/\d{2}",
        trigger: Trigger::Context,
        edges: Edges::Word,
        check: |c| Verdict::plausible_if(!inside_a_code(c) && !c.after().starts_with('/')),
        context: &[
            "date",
            "exp",
            "expires",
            "expiry",
            "expiration",
            "valid",
            "valid thru",
            "since",
        ],
        score: 20,
        in_context: 54,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "year",
        kind: EntityType::DateTime,
        pattern: r"(?:\b(?:in|since|of|from|by|until|during|year|early|late|mid|circa)\s)((?:1[5-9]|20)\d{2})(?:s)?\b",
        trigger: Trigger::Digits(4),
        check: |c| {
            Verdict::plausible_if(
                !c.after().starts_with(['-', ':', ',']) || c.after().starts_with(", "),
            )
        },
        score: 50,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "age",
        kind: EntityType::Age,
        pattern: r"(?i)\b(?:(\d{1,3})[ \-]?(?:years?[ \-]olds?|y/?o\b|yrs? old|year-old|years? of age)|(?:aged?|age:|turned|turning|turn|age is|age of|(?:i am|i'm|he is|she is|he's|she's|they are|i was|he was|she was|when i was|will be)(?: now| only| just| almost| nearly| about)?)\s(\d{1,3})\b)",
        trigger: Trigger::Words(&[
            "year", "y/o", "yo", "yr", "age", "turn", "i am", "i'm", "he is", "she is", "he's",
            "she's", "they are", "i was", "he was", "she was", "will be",
        ]),
        reach: Some((12, 32)),
        edges: Edges::Digit,
        check: |c| {
            let turned = c.after().trim_start().to_ascii_lowercase();
            let unit = [
                "%", "km", "kg", "min", "hour", "day", "week", "month", "mile", "point", "feet",
                "cm",
            ];
            let age = c.text().parse::<u32>().is_ok_and(|n| (1..=120).contains(&n));
            Verdict::plausible_if(age && !unit.iter().any(|u| turned.starts_with(u)))
        },
        score: 60,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "age_zh",
        kind: EntityType::Age,
        pattern: r"(?:今年|年龄|年仅|现年|已|满|岁数)?[:\s]?(\d{1,3})\s?(?:周岁|岁)",
        trigger: Trigger::Words(&["岁"]),
        reach: Some((24, 4)),
        edges: Edges::Digit,
        score: 60,
        ..Recognizer::BASE
    },
];

/// 3.1.4 is a version and 2026-0314 a contract; the parts must make a day.
fn real_date(c: &Candidate<'_>) -> bool {
    let text = c.text();
    let text = text.split([' ', 'T']).next().filter(|day| day.len() >= 8).unwrap_or(text);
    let parts: Vec<u32> =
        text.split(|ch: char| !ch.is_ascii_digit()).filter_map(|p| p.parse().ok()).collect();
    match parts[..] {
        [y, m, d] if y > 999 => is_date(y, m, d),
        [a, b, y] => {
            let y = if y < 100 { 1900 + y } else { y };
            is_date(y, a, b) || is_date(y, b, a)
        }
        [n] if text.len() == 8 => is_date(n / 10_000, n / 100 % 100, n % 100),
        [d, y] => is_date(y.max(d), 1, y.min(d)),
        _ => false,
    }
}

fn inside_a_code(c: &Candidate<'_>) -> bool {
    c.before()
        .ends_with(|ch: char| ch == '-' || ch == '_' || ch == '/' || ch.is_ascii_alphanumeric())
        || c.after().starts_with(['-', '_', 'T'])
}
