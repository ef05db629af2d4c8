//! National identity, tax and business numbers of Asia outside China: one table, in the manner of `national`.

use super::OTHER_NUMBERS;
use super::national::{ORG, STRONG, TAX, WEAK};
use crate::checksum::{is_day, is_trivial, number, verhoeff, weighted};
use crate::recognizer::{Candidate, Recognizer, Verdict};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "th_national_id",
        pattern: r"[1-8]-?\d{4}-?\d{5}-?\d{2}-?\d",
        check: |c| {
            let d = c.digits();
            let sum = weighted(&d, &[13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
            Verdict::sure_if(d[12] == (11 - sum % 11) % 10 && !is_trivial(&d), "mod 11")
        },
        context: &["thai", "บัตรประชาชน", "เลขประจำตัวประชาชน", "tnin"],
        ..WEAK
    },
    Recognizer {
        name: "kr_rrn",
        pattern: r"\d{6}-?[0-9]\d{6}",
        check: |c| {
            let d = c.digits();
            Verdict::plausible_if(
                is_day(number(&d[2..4]), number(&d[4..6]))
                    && d[6] != 0
                    && d[6] != 9
                    && !is_trivial(&d),
            )
        },
        context: &[
            "주민등록번호",
            "주민번호",
            "외국인등록번호",
            "rrn",
            "resident registration",
            "frn",
        ],
        in_context: 87,
        ..WEAK
    },
    Recognizer {
        name: "kr_rrn_dashed",
        pattern: r"\d{6}-[1-8]\d{6}",
        check: |c| {
            let d = c.digits();
            Verdict::plausible_if(is_day(number(&d[2..4]), number(&d[4..6])))
        },
        against: OTHER_NUMBERS,
        score: 72,
        ..STRONG
    },
    Recognizer {
        name: "kr_brn",
        kind: ORG,
        pattern: r"\d{3}-?\d{2}-?\d{5}",
        check: |c| {
            let d = c.digits();
            let sum = weighted(&d, &[1, 3, 7, 1, 3, 7, 1, 3, 5]) + d[8] * 5 / 10;
            Verdict::sure_if(d[9] == (10 - sum % 10) % 10 && number(&d[..5]) > 0, "check digit")
        },
        context: &["사업자등록번호", "사업자", "brn", "business registration"],
        ..WEAK
    },
    Recognizer {
        name: "in_aadhaar",
        pattern: r"[2-9]\d{3}[ \-:]?\d{4}[ \-:]?\d{4}",
        check: |c| {
            let d = c.digits();
            let mirrored = d.iter().eq(d.iter().rev());
            Verdict::sure_if(verhoeff(&d) && !mirrored, "Verhoeff")
        },
        context: &["aadhaar", "aadhar", "uidai", "आधार", "uid"],
        when_sure: 48,
        in_context: 90,
        ..WEAK
    },
    Recognizer {
        name: "in_pan",
        kind: TAX,
        pattern: r"(?i)[a-z]{3}[abcfghljpt][a-z]\d{4}[a-z]",
        context: &["pan", "permanent account", "income tax"],
        score: 72,
        ..STRONG
    },
    Recognizer {
        name: "in_voter",
        pattern: r"(?i)[a-z]{3}\d{7}",
        context: &["voter", "epic", "election", "vote"],
        in_context: 84,
        ..WEAK
    },
    Recognizer {
        name: "in_gstin",
        kind: ORG,
        pattern: r"(?i)(?:0[1-9]|[12]\d|3[0-7])[a-z]{5}\d{4}[a-z][1-9a-z]z[0-9a-z]",
        score: 90,
        ..STRONG
    },
    Recognizer {
        name: "sg_nric",
        pattern: r"(?i)[stfgm]\d{7}[a-z]",
        check: |c| {
            if sg_nric(&c.compact()) { Verdict::Sure("check letter") } else { Verdict::Plausible }
        },
        context: &["nric", "fin", "singapore", "identity"],
        score: 52,
        when_sure: 88,
        ..STRONG
    },
    Recognizer {
        name: "sg_uen",
        kind: ORG,
        pattern: r"(?i)\d{8}[a-z]|(?:19|20)\d{7}[a-z]|[rst]\d{2}[a-z]{2}\d{4}[a-z]",
        context: &["uen", "unique entity"],
        in_context: 84,
        ..WEAK
    },
    Recognizer {
        name: "ph_tin",
        kind: TAX,
        pattern: r"\d{3}-?\d{3}-?\d{3}(?:-?\d{3,5})?",
        check: |c| mod_is_last(c, &[1, 2, 3, 4, 5, 6, 7, 8], 11, 8),
        context: &["tin", "bir"],
        ..WEAK
    },
];

fn mod_is_last(c: &Candidate<'_>, weights: &[u32], modulus: u32, last: usize) -> Verdict {
    let d = c.digits();
    let rest = weighted(&d, weights) % modulus;
    Verdict::sure_if(d.get(last) == Some(&rest) && number(&d[..9]) > 0, "weights and modulus")
}

fn sg_nric(id: &str) -> bool {
    let d: Vec<u32> = id.chars().filter_map(|c| c.to_digit(10)).collect();
    let sum = weighted(&d, &[2, 7, 6, 5, 4, 3, 2]);
    let (table, offset): (&[u8], u32) = match id.as_bytes().first() {
        Some(b'S') => (b"JZIHGFEDCBA", 0),
        Some(b'T') => (b"JZIHGFEDCBA", 4),
        Some(b'F') => (b"XWUTRQPNMLK", 0),
        Some(b'G') => (b"XWUTRQPNMLK", 4),
        Some(b'M') => (b"XWUTRQPNJLK", 3),
        _ => return false,
    };
    let index = ((sum + offset) % 11) as usize;
    // M counts its table from the end.
    let index = if id.starts_with('M') { 10 - index } else { index };
    id.bytes().next_back() == table.get(index).copied()
}
