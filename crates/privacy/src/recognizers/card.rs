//! Payment cards: ISO/IEC 7812 with Luhn, 12 to 19 digits, UnionPay's 19 included. A number that fails
//! Luhn is never reported, whatever the words around it say.

use nearside_types::EntityType;

use crate::checksum::{is_trivial, luhn};
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const CARD: &[&str] = &[
    "card",
    "cc",
    "credit",
    "debit",
    "visa",
    "mastercard",
    "amex",
    "unionpay",
    "diners",
    "discover",
    "maestro",
    "卡号",
    "银行卡",
    "信用卡",
    "储蓄卡",
    "借记卡",
    "银联",
    "账号",
    "卡",
    "刷卡",
    "打款",
];

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "bank_card",
        kind: EntityType::BankCard,
        pattern: r"\d{12,19}|\d{4}(?:[ \-._/·]{1,2}\d{2,15}){1,5}",
        trigger: Trigger::Digits(12),
        edges: Edges::Word,
        check: card,
        context: CARD,
        against: &[
            "order",
            "tracking",
            "invoice",
            "ticket",
            "serial",
            "ean",
            "upc",
            "isbn",
            "imei",
            "epoch",
            "snowflake",
            "订单",
            "订单号",
            "快递",
            "单号",
            "运单",
            "流水号",
            "条形码",
            "时间戳",
            "书号",
            "发票",
            "imei",
        ],
        score: 40,
        in_context: 90,
        when_sure: 90,
        reach: None,
    },
    Recognizer {
        // Groups of any size, where a word says that it is a card: Luhn alone holds for one list of numbers in ten.
        name: "oddly_grouped_card",
        kind: EntityType::BankCard,
        pattern: r"\d{1,6}(?:[ \-.]\d{1,6}){3,9}",
        trigger: Trigger::Context,
        edges: Edges::Word,
        check: |c| if c.digits().len() >= 15 { card(c) } else { Verdict::No },
        context: CARD,
        score: 20,
        in_context: 88,
        when_sure: 20,
        ..Recognizer::BASE
    },
];

fn card(c: &Candidate<'_>) -> Verdict {
    if c.before().ends_with(['.', '-']) {
        return Verdict::No;
    }
    // Another number may follow a card: the longest run of whole groups that passes is the card.
    let text = c.text();
    let mut ends: Vec<usize> = text
        .char_indices()
        .filter(|(_, ch)| !ch.is_ascii_digit())
        .map(|(i, _)| i)
        .chain([text.len()])
        .collect();
    ends.dedup();
    for end in ends.into_iter().rev() {
        let part = Candidate { whole: c.whole, range: c.range.start..c.range.start + end };
        let digits = part.digits();
        if !part.text().ends_with(|ch: char| ch.is_ascii_digit()) || !is_card(&digits) {
            continue;
        }
        let sure = network(&digits);
        // A bare number without an issuer's prefix may be a person's as well.
        if !sure && !c.whole.chars().any(char::is_alphabetic) {
            return Verdict::No;
        }
        let why = if sure { "Luhn and issuer prefix" } else { "Luhn" };
        return Verdict::Part { range: part.range, sure, why };
    }
    Verdict::No
}

fn is_card(digits: &[u32]) -> bool {
    let count = digits.len();
    // 13 digits from 1 on are milliseconds since 1970; EAN and ISBN-13 also have 13.
    let epoch = count == 13 && digits[0] == 1;
    let book = count == 13 && matches!(digits[..3], [9, 7, 8 | 9] | [6, 9, _]);
    (12..=19).contains(&count) && luhn(digits) && !is_trivial(digits) && !epoch && !book
}

/// Issuer prefixes with the lengths in use: Visa, Mastercard, Amex, Diners, Discover, JCB, UnionPay, Maestro,
/// Mir, RuPay.
fn network(digits: &[u32]) -> bool {
    let count = digits.len();
    match digits {
        [4, ..] => matches!(count, 13 | 16 | 18 | 19),
        [5, 1..=5, ..] | [2, 2..=7, ..] => count == 16,
        [3, 4 | 7, ..] => count == 15,
        [3, 0 | 6 | 8 | 9, ..] => (14..=19).contains(&count),
        [3, 5, ..] => (15..=19).contains(&count),
        [6, 2, ..] => (16..=19).contains(&count),
        [6, ..] | [5, ..] | [9, ..] | [8, 1, ..] => (16..=19).contains(&count),
        [1 | 2, ..] => count == 15 || count == 16,
        _ => false,
    }
}
