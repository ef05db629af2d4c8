//! Phone numbers: Chinese mobile and landline, international (E.164), North American, British, and any
//! plausible number that the words around it call a phone. Public hotlines and emergency numbers stay.

use nearside_types::EntityType;

use super::OTHER_NUMBERS;
use crate::checksum::is_trivial;
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const CONTEXT: &[&str] = &[
    "phone",
    "telephone",
    "tel",
    "mobile",
    "cell",
    "call",
    "fax",
    "desk",
    "whatsapp",
    "sms",
    "text",
    "dial",
    "contact",
    "reach",
    "answer",
    "ring",
    "number is",
    "phone number",
    "handy",
    "messages to",
    "message to",
    "text to",
    "registered",
    "pager",
    "numero",
    "numara",
    "telefon",
    "móvil",
    "电话",
    "手机",
    "手機",
    "電話",
    "联系",
    "联系方式",
    "致电",
    "拨打",
    "传真",
    "座机",
    "号码",
    "来电",
    "短信",
    "热线",
    "微信同号",
];

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "cn_mobile",
        kind: EntityType::Phone,
        pattern: r"(?:\(?(?:\+|00)?\s?86\)?[ .\-]{0,2})?1[ .\-]?[3-9](?:[ .\-_·]{0,2}\d){9}",
        trigger: Trigger::Digits(11),
        edges: Edges::Word,
        check: cn_mobile,
        context: CONTEXT,
        against: OTHER_NUMBERS,
        score: 75,
        when_sure: 80,
        ..PHONE
    },
    Recognizer {
        // WeChat and the number in one word.
        name: "cn_mobile_wechat",
        pattern: r"(?i)\b(?:wx|vx|weixin|wechat)[:_\-]?(1[3-9]\d{9})",
        trigger: Trigger::Words(&["wx", "vx", "weixin", "wechat"]),
        edges: Edges::Digit,
        check: |_| Verdict::Sure("mobile prefix and length"),
        score: 85,
        ..PHONE
    },
    Recognizer {
        // Broken by the lines of a narrow column.
        name: "cn_mobile_wrapped",
        pattern: r"1[3-9]\d(?:[ \t]?\r?\n[ \t]?\d{4}[ \t]?\r?\n[ \t]?\d{4}|[ \-]?\d{4}[ \-]?\r?\n[ \t]?\d{4}|[ \-]?\r?\n[ \t]?\d{4}[ \-]?\d{4})",
        trigger: Trigger::Digits(11),
        edges: Edges::Word,
        check: |c| Verdict::plausible_if(!is_glued(c)),
        context: CONTEXT,
        against: OTHER_NUMBERS,
        score: 60,
        ..PHONE
    },
    Recognizer {
        name: "cn_landline",
        kind: EntityType::Phone,
        pattern: r"\(?(?:(?:\+|00)86[ \-]?)?\(?0?(?:10|2[0-57-9]|[3-9]\d{2})\)?[ \-]{0,2}[2-8](?:[ \-]?\d){6,7}(?:\s?(?:转|-|ext\.?|x)\s?\d{1,5})?",
        trigger: Trigger::Digits(9),
        edges: Edges::Word,
        check: cn_landline,
        context: CONTEXT,
        against: OTHER_NUMBERS,
        score: 30,
        when_sure: 70,
        ..PHONE
    },
    Recognizer {
        name: "international",
        kind: EntityType::Phone,
        pattern: r"(?:\+|\b00)\s?[1-9]\d{0,2}(?:[ .\-/]{0,2}\(?\d{1,5}\)?){1,7}(?:\s?(?:x|ext\.?|extension)\s?\d{1,6})?",
        trigger: Trigger::Digits(8),
        edges: Edges::Word,
        check: international,
        context: CONTEXT,
        against: OTHER_NUMBERS,
        score: 40,
        when_sure: 80,
        ..PHONE
    },
    Recognizer {
        name: "north_american",
        kind: EntityType::Phone,
        pattern: r"(?i)(?:(?:\+?1|001)[ .\-]?)?\(?[2-9]\d{2}\)?[ .\-]{0,2}[2-9]\d{2}[ .\-]?\d{4}(?:\s?(?:x|ext\.?|extension)\s?\d{1,6})?",
        trigger: Trigger::Digits(10),
        edges: Edges::Word,
        check: north_american,
        context: CONTEXT,
        against: OTHER_NUMBERS,
        score: 30,
        when_sure: 75,
        ..PHONE
    },
    Recognizer {
        name: "british",
        kind: EntityType::Phone,
        pattern: r"\(?0(?:1\d{2,4}|2\d|3\d{2}|7\d{3}|8\d{2})\)?[ \-]?\d{3,4}[ \-]?\d{3,4}",
        trigger: Trigger::Digits(10),
        edges: Edges::Word,
        check: british,
        context: CONTEXT,
        against: OTHER_NUMBERS,
        score: 45,
        when_sure: 70,
        ..PHONE
    },
    Recognizer {
        // Mobile numbers behind a trunk zero, as in the Philippines and Turkey.
        name: "trunk_mobile",
        kind: EntityType::Phone,
        pattern: r"09\d{9}|0\s?5\d{2}[ .\-]?\d{3}[ .\-]?\d{2}[ .\-]?\d{2}|5\d{2}[ .\-]\d{3}[ .\-]\d{2}[ .\-]\d{2}",
        trigger: Trigger::Digits(10),
        edges: Edges::Word,
        check: |c| Verdict::plausible_if(!is_glued(c)),
        context: CONTEXT,
        against: OTHER_NUMBERS,
        score: 52,
        in_context: 87,
        ..PHONE
    },
    Recognizer {
        name: "called_a_phone",
        kind: EntityType::Phone,
        pattern: r"(?i)(?:phone|telephone|tel|mobile|cell|fax|desk|whatsapp|handy|telefon|call(?: me| us| him| her)?(?: at| on)?|answer(?:ing)?(?: at| on)|ring(?: me| us)?(?: at| on)?|reach (?:me|us|him|her) (?:at|on)|(?:phone|contact|mobile) number|numara|numero)(?:\s?(?:no|nr|number|num|is|are|at|on|to|my|:|=|#|\.|\||->|for|[,\s\x22'*_\-])){0,8}\s?(\(?\+?\(?\d[\d .\-/()]{5,20}\d(?:\s?(?:x|ext\.?)\s?\d{1,6})?)",
        trigger: Trigger::Words(&[
            "phone", "tel", "mobile", "cell", "fax", "desk", "whatsapp", "handy", "call", "reach",
            "answer", "ring", "number", "numara", "numero",
        ]),
        edges: Edges::Word,
        check: called_a_phone,
        context: CONTEXT,
        against: OTHER_NUMBERS,
        score: 55,
        in_context: 60,
        ..PHONE
    },
    Recognizer {
        // Groups that no plan of this table explains: only with a word beside it.
        name: "grouped_phone",
        kind: EntityType::Phone,
        pattern: r"\(?\+?\d{2,4}\)?[ .\-]\d{2,4}(?:[ .\-]\d{2,4}){0,4}|\d{4}[\-]\d{7,8}",
        trigger: Trigger::Digits(7),
        edges: Edges::Word,
        check: |c| {
            let count = c.digits().len();
            let text = c.text();
            let date = text.len() >= 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
            // Alone it could be anything.
            let named = c.before().chars().rev().take(80).any(char::is_alphabetic);
            Verdict::plausible_if(
                (7..=13).contains(&count)
                    && named
                    && !is_glued(c)
                    && !date
                    && text.parse::<std::net::Ipv4Addr>().is_err(),
            )
        },
        context: &[
            "phone",
            "telephone",
            "tel",
            "mobile",
            "cell",
            "call",
            "fax",
            "whatsapp",
            "sms",
            "phone number",
            "messages to",
            "message to",
            "text to",
            "registered",
            "dial",
            "ring",
            "contact number",
        ],
        against: OTHER_NUMBERS,
        score: 10,
        in_context: 66,
        ..PHONE
    },
    Recognizer {
        name: "named_a_phone_zh",
        kind: EntityType::Phone,
        pattern: r"(?:电话|手机号?码?|手機|電話|联系方式|座机|传真|小灵通|分机)(?:号码?|是|为|:|请打|打|改为|改成|\s|=|在){0,4}\s?(\(?\+?\(?\d[\d \-()]{5,18}\d)",
        trigger: Trigger::Words(&[
            "电话",
            "手机",
            "手機",
            "電話",
            "联系方式",
            "座机",
            "传真",
            "分机",
        ]),
        edges: Edges::Word,
        check: called_a_phone,
        score: 60,
        ..PHONE
    },
];

const PHONE: Recognizer =
    Recognizer { kind: EntityType::Phone, in_context: 85, ..Recognizer::BASE };

/// A sign before the number that makes it a part of something else, such as `#` or `×`.
fn is_glued(c: &Candidate<'_>) -> bool {
    c.before().ends_with(['#', '×', '*', '$', '^', '@', '¥', '€', '£'])
        || c.after().starts_with(['×', '*', '%', '^', '='])
        || c.after().starts_with("***")
        || is_sum(c)
}

/// One side of an arithmetic expression.
fn is_sum(c: &Candidate<'_>) -> bool {
    let after = c.after().trim_start();
    let before = c.before().trim_end();
    let operator = |t: &str| t.starts_with(['*', '×', '÷']);
    (operator(after) && after.chars().any(|ch| ch.is_ascii_digit()))
        || before.ends_with(['*', '×', '÷'])
}

fn cn_mobile(c: &Candidate<'_>) -> Verdict {
    let digits = c.digits();
    let separators = c.text().bytes().filter(|b| matches!(b, b' ' | b'-' | b'.' | b'_')).count();
    let country = digits.len() > 11;
    if is_glued(c) || digits.len() < 11 || digits.len() > 15 {
        return Verdict::No;
    }
    // Digit by digit, it is a number only if it is not a part of a longer one.
    let spread = separators >= 9;

    let goes_on = |side: Option<char>| side.is_some_and(|ch| ch.is_ascii_digit());
    let before = c.before().trim_end_matches([' ', '-', '.', '_']);
    let after = c.after().trim_start_matches([' ', '-', '.', '_']);
    if spread && (goes_on(before.chars().next_back()) || goes_on(after.chars().next())) {
        return Verdict::No;
    }
    // 138.00 is money; a phone's dots come in even groups.
    let decimal = c.text().matches('.').count() == 1 && !country;
    let timestamp = separators == 0 && !country && c.before().ends_with('-');
    if decimal || timestamp { Verdict::No } else { Verdict::Sure("mobile prefix and length") }
}

fn cn_landline(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let international = text.contains("+86") || text.contains("0086") || text.contains("(86");
    let local =
        text.trim_start_matches(['(', '+']).trim_start_matches("0086").trim_start_matches("86");
    let bare = local.trim_start_matches([' ', '-', '(']);
    if is_glued(c) || (!bare.starts_with('0') && !international) {
        return Verdict::No;
    }
    let main: String = bare.split(['转', 'x', 'e']).next().unwrap_or("").to_owned();
    let count = main.bytes().filter(u8::is_ascii_digit).count();
    let area = if bare.trim_start_matches('0').starts_with(['1', '2']) { 3 } else { 4 };
    let separated = bare.contains(['-', ')', ' ']);
    let length = count + usize::from(!bare.starts_with('0'));
    if !(area + 7..=area + 8 + 5).contains(&length) || !balanced(text) {
        return Verdict::No;
    }
    if separated && length <= area + 8 {
        Verdict::Sure("area code and length")
    } else {
        Verdict::Plausible
    }
}

fn international(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let main = text.split(['x', 'e', 'X', 'E']).next().unwrap_or(text);
    let digits = Candidate { whole: main, range: 0..main.len() }.digits();
    let skip = if text.starts_with('+') { 0 } else { 2 };
    let Some(number) = digits.get(skip..) else { return Verdict::No };
    let known = country_code(number);
    let length = number.len();
    if is_glued(c)
        || !known
        || !(8..=15).contains(&length)
        || !balanced(text)
        || text.contains("..")
    {
        return Verdict::No;
    }
    if text.starts_with('+') {
        Verdict::Sure("country code and length")
    } else {
        Verdict::Plausible
    }
}

/// ITU-T E.164: the assigned country codes, by their first digits.
fn country_code(number: &[u32]) -> bool {
    matches!(
        number,
        [1 | 7, ..]
            | [2, 0 | 7, ..]
            | [2, 1, 1..=3 | 6 | 8, ..]
            | [2, 2..=6, ..]
            | [2, 9, 0 | 1 | 7..=9, ..]
            | [3, 0..=4 | 6 | 9, ..]
            | [3, 5 | 7 | 8, ..]
            | [4, 0 | 1 | 3..=9, ..]
            | [4, 2, 0 | 1 | 3, ..]
            | [5, 1..=8, ..]
            | [5, 0 | 9, ..]
            | [6, 0..=6, ..]
            | [6, 7..=9, ..]
            | [8, 1 | 2 | 4 | 6, ..]
            | [8, 0 | 5 | 7 | 8, ..]
            | [9, 0..=5 | 8, ..]
            | [9, 6 | 7 | 9, ..]
    )
}

fn north_american(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let digits = c.digits();
    let body = if digits.first() == Some(&1) || text.starts_with("001") {
        digits.get(1..)
    } else {
        Some(&digits[..])
    };
    let separators = text.bytes().filter(|b| matches!(b, b'-' | b'.' | b' ' | b'(' | b')')).count();
    // 800 and its sisters are public numbers of companies.
    let toll_free = ["400", "800", "888", "877", "866", "855", "844", "833"]
        .iter()
        .any(|p| text.trim_start_matches(['+', '1', ' ', '-', '(', '.']).starts_with(p));
    let typed = digits.len() >= 9 && is_trivial(&digits[digits.len() - 9..]);
    if is_glued(c) || !balanced(text) || body.is_none() || toll_free || typed {
        return Verdict::No;
    }
    if separators >= 2 { Verdict::Sure("area code and exchange") } else { Verdict::Plausible }
}

fn british(c: &Candidate<'_>) -> Verdict {
    let count = c.digits().len();
    let separated = c.text().contains([' ', '-', ')']);
    if is_glued(c) || !(10..=11).contains(&count) || !balanced(c.text()) {
        return Verdict::No;
    }
    if separated || c.text().starts_with("07") {
        Verdict::Sure("trunk code and length")
    } else {
        Verdict::Plausible
    }
}

fn called_a_phone(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let main = text.split(['x', 'e']).next().unwrap_or(text);
    let count = main.bytes().filter(u8::is_ascii_digit).count();
    let hotline = main.starts_with("400-") || main.starts_with("800-") || main.starts_with("1-800");
    let date = main.len() == 10 && main.as_bytes()[4] == b'-' && main.as_bytes()[7] == b'-';
    let octets = main.parse::<std::net::Ipv4Addr>().is_ok();
    Verdict::plausible_if((7..=15).contains(&count) && !is_glued(c) && !hotline && !date && !octets)
}

fn balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}
