//! Bank accounts: IBAN (ISO 13616, length by country and mod 97), American routing numbers (ABA 3-7-1),
//! SWIFT/BIC next to its name, and account numbers that the words around them name.

use nearside_types::EntityType;

use crate::checksum::{mod_97, weighted};
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "iban",
        kind: EntityType::BankAccount,
        pattern: r"(?i)[a-z]{2}[ \-]?\d{2}(?:[ \-]?[a-z0-9]{1,4}){2,9}",
        trigger: Trigger::Digits(8),
        edges: Edges::Word,
        check: iban,
        score: 0,
        in_context: 0,
        when_sure: 98,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "aba_routing",
        kind: EntityType::BankAccount,
        pattern: r"\d{4}-?\d{4}-?\d",
        trigger: Trigger::Digits(9),
        check: |c| {
            let digits = c.digits();
            let sum = weighted(&digits, &[3, 7, 1, 3, 7, 1, 3, 7, 1]);
            let district = matches!(digits[0] * 10 + digits[1], 0..=12 | 21..=32 | 61..=72 | 80);
            Verdict::plausible_if(sum.is_multiple_of(10) && district && sum > 0)
        },
        context: &["routing", "aba", "bank", "transit", "rtn", "wire", "direct deposit"],
        against: super::OTHER_NUMBERS,
        score: 40,
        in_context: 88,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "named_account",
        kind: EntityType::BankAccount,
        pattern: r"(?i)(?:account|acct|a/c|checking|savings|conto|konto|compte)(?:\s?(?:no|nr|number|num|is|:|=|#|\.|,|\x22|'|-)){0,5}\s?(\d(?:[ \-]?\d){5,16})",
        trigger: Trigger::Words(&[
            "account", "acct", "a/c", "checking", "savings", "conto", "konto", "compte",
        ]),
        check: |c| Verdict::plausible_if((6..=17).contains(&c.digits().len())),
        score: 75,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "named_account_zh",
        kind: EntityType::BankAccount,
        pattern: r"(?:银行账号|银行帐号|账号|帐号|账户|帐户|对公账户|收款账号|开户账号)(?:号码?|是|为|:|\s){0,3}\s?(\d(?:[ \-]?\d){8,24})",
        trigger: Trigger::Words(&["账号", "帐号", "账户", "帐户"]),
        check: |c| Verdict::plausible_if((9..=25).contains(&c.digits().len())),
        score: 70,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "sort_code",
        kind: EntityType::BankAccount,
        pattern: r"\d{2}-\d{2}-\d{2}",
        trigger: Trigger::Words(&["sort code", "sort-code", "sortcode"]),
        context: &["sort code", "sort-code", "sortcode"],
        score: 10,
        in_context: 85,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "swift",
        kind: EntityType::BankAccount,
        pattern: r"[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?",
        trigger: Trigger::Words(&["swift", "bic"]),
        context: &["swift", "bic", "swift code"],
        score: 10,
        in_context: 70,
        ..Recognizer::BASE
    },
];

/// SWIFT's registry: characters in all, by country.
const LENGTHS: &str = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 \
DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 \
IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 \
OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 \
UA29 VA22 VG24 XK20 YE30";

fn iban(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let country = text.get(..2).unwrap_or("").to_ascii_uppercase();
    let Some(length) = LENGTHS
        .split_ascii_whitespace()
        .find_map(|entry| entry.strip_prefix(country.as_str())?.parse::<usize>().ok())
    else {
        return Verdict::No;
    };
    // The pattern may have run on into the next words: the country says where the number ends.
    let mut signs = 0;
    let mut end = None;
    for (at, character) in text.char_indices() {
        signs += usize::from(character.is_ascii_alphanumeric());
        if signs == length {
            end = Some(at + 1);
            break;
        }
    }
    let Some(end) = end else { return Verdict::No };
    if text[end..].starts_with(|ch: char| ch.is_ascii_alphanumeric()) {
        return Verdict::No;
    }
    let compact: String = text[..end].chars().filter(char::is_ascii_alphanumeric).collect();
    let rotated = compact[4..].chars().chain(compact[..4].chars());
    if mod_97(rotated) != Some(1) {
        return Verdict::No;
    }
    Verdict::Part {
        range: c.range.start..c.range.start + end,
        sure: true,
        why: "country length and mod 97",
    }
}
