//! Medical identifiers: NHS numbers, American NPI, MBI and DEA, German insurance and doctors' numbers,
//! Australian Medicare, and record numbers that the words around them name.

use nearside_types::EntityType;

use super::OTHER_NUMBERS;
use crate::checksum::{luhn, number, weighted};
use crate::recognizer::{Candidate, Recognizer, Trigger, Verdict};

const MEDICAL: Recognizer = Recognizer {
    kind: EntityType::MedicalId,
    trigger: Trigger::Digits(4),
    against: OTHER_NUMBERS,
    score: 20,
    in_context: 88,
    when_sure: 40,
    ..Recognizer::BASE
};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "uk_nhs",
        pattern: r"\d{3}[ \-]?\d{3}[ \-]?\d{4}",
        check: nhs,
        context: &["nhs", "national health", "health service"],
        when_sure: 48,
        ..MEDICAL
    },
    Recognizer {
        name: "us_npi",
        pattern: r"[12]\d{3}[ \-]?\d{3}[ \-]?\d{3}",
        check: |c| {
            let mut digits = vec![8, 0, 8, 4, 0];
            digits.extend(c.digits());
            let alike = digits[6..14].windows(2).all(|w| w[0] == w[1]);
            Verdict::sure_if(luhn(&digits) && !alike, "Luhn with prefix 80840")
        },
        context: &["npi", "national provider", "provider"],
        ..MEDICAL
    },
    Recognizer {
        name: "us_mbi",
        pattern: r"(?i)[1-9][ac-hj-km-np-rt-y][ac-hj-km-np-rt-y0-9]\d-?[ac-hj-km-np-rt-y][ac-hj-km-np-rt-y0-9]\d-?[ac-hj-km-np-rt-y]{2}\d{2}",
        context: &["mbi", "medicare", "beneficiary"],
        score: 80,
        ..MEDICAL
    },
    Recognizer {
        name: "us_dea",
        pattern: r"(?i)[abcdefghjklmprstux][a-z9]\d{7}",
        check: |c| {
            let d = c.digits();
            let Some(d) = d.get(d.len() - 7..) else { return Verdict::No };
            let sum = d[0] + d[2] + d[4] + 2 * (d[1] + d[3] + d[5]);
            Verdict::sure_if(sum % 10 == d[6], "DEA check digit")
        },
        context: &["dea", "prescriber", "medical license", "certificate"],
        ..MEDICAL
    },
    Recognizer {
        name: "au_medicare",
        pattern: r"[2-6]\d{3} ?\d{5} ?\d",
        check: |c| {
            let d = c.digits();
            Verdict::sure_if(weighted(&d, &[1, 3, 7, 9, 1, 3, 7, 9]) % 10 == d[8], "weights mod 10")
        },
        context: &["medicare"],
        ..MEDICAL
    },
    Recognizer {
        name: "de_kvnr",
        pattern: r"(?i)[a-z]\d{9}",
        check: |c| {
            let text = c.compact();
            let letter = u32::from(text.as_bytes()[0] - b'A') + 1;
            let mut digits = vec![letter / 10, letter % 10];
            digits.extend(c.digits());
            let Some((check, body)) = digits.split_last() else { return Verdict::No };
            let sum: u32 =
                body.iter().zip([1, 2].iter().cycle()).map(|(d, w)| d * w / 10 + d * w % 10).sum();
            Verdict::sure_if(sum % 10 == *check, "check digit")
        },
        context: &["kvnr", "krankenkasse", "krankenversicherung", "versichertennummer"],
        when_sure: 56,
        ..MEDICAL
    },
    Recognizer {
        name: "de_lanr",
        pattern: r"\d{9}",
        check: |c| {
            let d = c.digits();
            let check = (10 - weighted(&d, &[4, 9, 4, 9, 4, 9]) % 10) % 10;
            Verdict::sure_if(d[6] == check && number(&d[..6]) > 0, "check digit")
        },
        context: &["lanr", "arztnummer"],
        in_context: 80,
        ..MEDICAL
    },
    Recognizer {
        name: "de_bsnr",
        pattern: r"(?:0[1-3]|1[3-7]|2[0-8]|3[1-9]|4[0-9]|5[1-6]|6[0-9]|7[1-4]|7[8-9]|8[0-9]|9[3-9])\d{7}",
        context: &["bsnr", "betriebsstättennummer", "praxis"],
        in_context: 79,
        ..MEDICAL
    },
    Recognizer {
        name: "record_number",
        pattern: r"(?i)(?:mrn|pat|pt)[ \-#:]{0,2}\d{5,10}|\d{5,10}|[a-z]{1,4}-?\d{5,10}",
        trigger: Trigger::Context,
        context: &[
            "mrn",
            "medical record",
            "patient id",
            "patient number",
            "health plan",
            "member id",
            "insurance id",
            "policy number",
            "病历号",
            "病案号",
            "住院号",
            "门诊号",
            "就诊卡",
            "医保卡",
            "医保号",
            "社保卡",
            "医保编号",
            "健康卡",
            "医疗证",
        ],
        in_context: 84,
        ..MEDICAL
    },
    Recognizer {
        name: "mrn",
        pattern: r"(?i)mrn[ \-#:]{0,2}\d{5,10}",
        trigger: Trigger::Words(&["mrn"]),
        score: 88,
        ..MEDICAL
    },
];

fn nhs(c: &Candidate<'_>) -> Verdict {
    let d = c.digits();
    let check = 11 - weighted(&d, &[10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    let alike = d.windows(2).all(|w| w[0] == w[1]);
    Verdict::sure_if(check % 11 == d[9] && check != 10 && !alike, "mod 11")
}
