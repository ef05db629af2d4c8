//! China, Hong Kong, Macau and Taiwan: identity numbers, travel papers and plates.
//!
//! Resident ID: GB 11643 (ISO 7064 mod 11-2, province, day). Unified credit code: GB 32100. HKID: mod 11.
//! Taiwan: weights mod 10. Papers and plates have no check digit: shape, and words around the weaker ones.

use nearside_types::EntityType;

use super::OTHER_NUMBERS;
use crate::checksum::{is_date, is_trivial, mod_11_2, number, uscc, weighted};
use crate::recognizer::{Candidate, Edges, Recognizer, Trigger, Verdict};

const ID_WORDS: &[&str] = &[
    "身份证",
    "身份證",
    "身分證",
    "公民身份",
    "身份号码",
    "证件",
    "证号",
    "身份证号",
    "证件号",
    "idcard",
    "id card",
    "id_card",
    "resident id",
    "national id",
    "identity",
    "id number",
    "id no",
];

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "cn_resident_id",
        pattern: r"[1-8][ \-._·]{0,2}(?:\d[ \-._·]{0,2}){16}[\dXx]",
        trigger: Trigger::Digits(17),
        edges: Edges::Word,
        check: resident_id,
        context: ID_WORDS,
        when_sure: 99,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "cn_resident_id_15",
        pattern: r"[1-8]\d{5}[ \-]?\d{6}[ \-]?\d{3}",
        trigger: Trigger::Digits(15),
        check: resident_id_15,
        context: ID_WORDS,
        against: OTHER_NUMBERS,
        score: 30,
        in_context: 90,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "cn_credit_code",
        kind: EntityType::OrgId,
        pattern: r"[159AHJNY][0-9A-HJ-NPQRTUWXYa-hj-npqrtuwxy](?:[ \-]?\d){6}(?:[ \-]?[0-9A-HJ-NPQRTUWXYa-hj-npqrtuwxy]){10}",
        trigger: Trigger::Digits(7),
        check: |c| Verdict::sure_if(uscc(&c.compact()), "mod 31"),
        when_sure: 96,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "hk_id",
        pattern: r"(?i)[a-z]{1,2}\s?\d{6}\s?\(?[\da]\)?",
        trigger: Trigger::Digits(6),
        check: hk_id,
        context: &[
            "hkid",
            "hong kong id",
            "hk id",
            "香港身份",
            "香港居民",
            "身份证",
            "身份證",
            "港澳",
        ],
        against: OTHER_NUMBERS,
        score: 20,
        in_context: 92,
        when_sure: 45,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "tw_id",
        pattern: r"(?i)[a-z][1289a-d]\d{8}",
        trigger: Trigger::Digits(8),
        check: |c| Verdict::sure_if(tw_id(&c.compact()), "weights mod 10"),
        context: &[
            "台湾",
            "台灣",
            "臺灣",
            "身分證",
            "身份证",
            "taiwan",
            "居留證",
            "national id",
            "统一编号",
            "統一編號",
        ],
        against: OTHER_NUMBERS,
        when_sure: 75,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "mo_id",
        pattern: r"[157]\d{6}\(?\d\)?|[157]/\d{6}/\d",
        trigger: Trigger::Context,
        context: &["澳门身份", "澳門", "澳门居民", "macau", "macao"],
        score: 10,
        in_context: 85,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "cn_passport",
        kind: EntityType::Passport,
        pattern: r"(?i)(?:[eg]\d{8}|e[a-hj-np-z]\d{7}|[dsp]e?\d{7}|k[a-z]?\d{7,8}|14\d{7}|15\d{7})",
        trigger: Trigger::Digits(7),
        context: &["护照", "護照", "passport"],
        against: OTHER_NUMBERS,
        score: 20,
        in_context: 92,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "cn_permit",
        kind: EntityType::Passport,
        pattern: r"(?i)(?:[hm]\d{8}(?:\d{2})?|[cw][a-z]?\d{7,8}|[tl]\d{8}|\d{8})",
        trigger: Trigger::Context,
        context: &[
            "通行证",
            "通行證",
            "回乡证",
            "台胞证",
            "港澳通行",
            "来往港澳",
            "来往内地",
            "往来港澳",
            "permit",
            "home return",
            "大陆居民往来",
        ],
        against: OTHER_NUMBERS,
        score: 10,
        in_context: 92,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "cn_plate",
        kind: EntityType::LicensePlate,
        pattern: r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼使领][A-HJ-NP-Z][·•\.\- ]{0,2}(?:[DF][A-HJ-NP-Z0-9]\d{4}|\d{5}[DF]|[A-HJ-NP-Z0-9]{4}[A-HJ-NP-Z0-9港澳警学挂领使])",
        trigger: Trigger::Always,
        edges: Edges::Free,
        check: plate,
        score: 85,
        ..Recognizer::BASE
    },
    Recognizer {
        name: "cn_military_plate",
        kind: EntityType::LicensePlate,
        pattern: r"(?:WJ[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]?\d{4,5}|[军空海北沈兰济南广成][A-Z][ ·\-]?\d{5})",
        trigger: Trigger::Context,
        edges: Edges::Free,
        context: &["车牌", "车号", "牌照", "军牌", "军车", "车辆", "plate"],
        score: 20,
        in_context: 80,
        ..Recognizer::BASE
    },
];

/// Provinces of GB/T 2260, with the codes for Taiwan, Hong Kong and Macau residents.
fn is_province(code: u32) -> bool {
    matches!(code, 11..=15 | 21..=23 | 31..=37 | 41..=46 | 50..=54 | 61..=65 | 71 | 81..=83 | 91)
}

fn resident_id(c: &Candidate<'_>) -> Verdict {
    let id = c.compact();
    let digits: Vec<u32> = id.chars().take(17).filter_map(|d| d.to_digit(10)).collect();
    if digits.len() != 17 || id.len() != 18 {
        return Verdict::No;
    }
    let day = is_date(number(&digits[6..10]), number(&digits[10..12]), number(&digits[12..14]));
    Verdict::sure_if(
        is_province(number(&digits[..2])) && day && mod_11_2(&id),
        "check digit, province and day of birth",
    )
}

fn resident_id_15(c: &Candidate<'_>) -> Verdict {
    let digits = c.digits();
    Verdict::plausible_if(
        digits.len() == 15
            && is_province(number(&digits[..2]))
            && is_date(
                1900 + number(&digits[6..8]),
                number(&digits[8..10]),
                number(&digits[10..12]),
            ),
    )
}

fn hk_id(c: &Candidate<'_>) -> Verdict {
    let id = c.compact();
    let letters = id.chars().take_while(char::is_ascii_alphabetic).count();
    let padded = if letters == 1 { format!(" {id}") } else { id };
    let mut sum = 0;
    for (character, weight) in padded.chars().zip((1..=9_u32).rev()) {
        let value = match character {
            ' ' => 36,
            // Only the check digit, and there an A is ten.
            'A' if weight == 1 => 10,
            other => other.to_digit(36).unwrap_or(0),
        };
        sum += value * weight;
    }
    let open = c.text().contains('(');
    if padded.len() != 9 || !sum.is_multiple_of(11) || open != c.text().ends_with(')') {
        return Verdict::No;
    }
    let why = "mod 11";
    if open {
        // The brackets around the check digit are nobody else's habit.
        return Verdict::Part {
            range: c.range.clone(),
            sure: true,
            why: "mod 11 and bracketed check digit",
        };
    }
    Verdict::Sure(why)
}

fn tw_id(id: &str) -> bool {
    const LETTERS: &str = "ABCDEFGHJKLMNPQRSTUVXYWZIO";
    let mut signs = id.chars();
    let Some(area) = signs.next().and_then(|c| LETTERS.find(c)) else { return false };
    let area = u32::try_from(area).unwrap_or(0) + 10;
    let mut digits = vec![area / 10, area % 10];
    for (i, character) in signs.enumerate() {
        let value = match character {
            'A'..='D' if i == 0 => (LETTERS.find(character).unwrap_or(0) as u32 + 10) % 10,
            c => match c.to_digit(10) {
                Some(d) => d,
                None => return false,
            },
        };
        digits.push(value);
    }
    digits.len() == 11
        && weighted(&digits, &[1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]).is_multiple_of(10)
        && !is_trivial(&digits[3..])
}

fn plate(c: &Candidate<'_>) -> Verdict {
    let text = c.text();
    let serial: String = text.chars().skip(2).collect();
    let digits = serial.bytes().filter(u8::is_ascii_digit).count();
    let after = c.after().chars().next();
    let runs_on = after.is_some_and(|ch| ch.is_ascii_alphanumeric());
    // A new-energy plate has six signs; anything longer is a code.
    if runs_on || digits == 0 { Verdict::No } else { Verdict::Plausible }
}
