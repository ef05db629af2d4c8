//! Passports, driving licences, plates and vehicle numbers outside China. Few of them have check digits:
//! the words around them decide, except for shapes that are used for nothing else (VIN, British licences).

use nearside_types::EntityType;

use super::OTHER_NUMBERS;
use crate::checksum::icao;
use crate::recognizer::{Candidate, Recognizer, Trigger, Verdict};

const NAMED: Recognizer = Recognizer {
    trigger: Trigger::Context,
    against: OTHER_NUMBERS,
    score: 10,
    in_context: 84,
    ..Recognizer::BASE
};
const PASSPORT: &[&str] = &[
    "passport",
    "travel document",
    "pasaporte",
    "reisepass",
    "pass-nr",
    "passeport",
    "passaporto",
    "여권",
    "护照",
    "passport number",
    "pass no",
];
const LICENCE: &[&str] = &[
    "driver",
    "driving",
    "licence",
    "license",
    "driver's license",
    "dl",
    "permis",
    "führerschein",
    "fuehrerschein",
    "patente",
    "운전면허",
    "驾驶证",
    "驾照",
    "dmv",
];
const PLATE: &[&str] = &[
    "plate",
    "license plate",
    "licence plate",
    "registration",
    "reg",
    "vehicle",
    "vehicles",
    "kennzeichen",
    "plaka",
    "plakası",
    "targa",
    "matrícula",
    "rego",
    "number plate",
    "car",
];

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "passport",
        kind: EntityType::Passport,
        pattern: r"(?i)[a-z]{0,3}\d{6,9}[a-z]?|[a-z]\d{3}[a-z]\d{4}|[a-z]{1,2}[0-9a-z]\d[0-9a-z]{5,6}\d?",
        check: |c| {
            Verdict::plausible_if((7..=10).contains(&c.text().len()) && c.digits().len() >= 4)
        },
        context: PASSPORT,
        ..NAMED
    },
    Recognizer {
        name: "de_passport",
        kind: EntityType::Passport,
        pattern: r"(?i)[cfghjk][cfghjklmnprtvwxyz0-9]{7}\d",
        trigger: Trigger::Digits(4),
        check: |c| Verdict::sure_if(icao(&c.compact()), "ICAO 7-3-1"),
        context: &["reisepass", "pass-nr", "passnummer", "passport"],
        when_sure: 40,
        in_context: 90,
        ..NAMED
    },
    Recognizer {
        name: "driver_license",
        kind: EntityType::DriverLicense,
        pattern: r"(?i)[a-z]{1,3}-?\d{3}[ \-]?\d{3,4}[ \-]?\d{0,4}[ \-]?\d{0,4}|\d{2,4}-\d{2,4}-\d{3,4}|[a-z]\d{12,14}|\d{7,10}|[a-z]{2}\d{6}[a-z]|u1[a-z0-9]{8}",
        check: |c| {
            Verdict::plausible_if(
                (7..=18).contains(&c.text().len()) && !c.text().ends_with([' ', '-']),
            )
        },
        context: LICENCE,
        in_context: 82,
        ..NAMED
    },
    Recognizer {
        name: "uk_driving_licence",
        kind: EntityType::DriverLicense,
        pattern: r"(?i)[a-z9]{5}\d[0156]\d[0-3]\d\d[a-z9]{2}\d?[a-z0-9]{1,2}[a-z]{1,2}",
        trigger: Trigger::Digits(5),
        check: |c| {
            let text = c.compact();
            let padded =
                text.bytes().take(5).skip_while(u8::is_ascii_alphabetic).all(|b| b == b'9');
            Verdict::plausible_if(text.len() == 16 && padded && !text.starts_with('9'))
        },
        score: 86,
        ..NAMED
    },
    Recognizer {
        name: "it_driver_license",
        kind: EntityType::DriverLicense,
        pattern: r"(?i)[a-z]{2}\d{7}[a-z]|u1[0-9a-hj-np-z]{7}[a-z]",
        trigger: Trigger::Digits(3),
        context: LICENCE,
        score: 52,
        ..NAMED
    },
    Recognizer {
        name: "kr_driver_license",
        kind: EntityType::DriverLicense,
        pattern: r"(?:1[1-9]|2[0-68])-\d{2}-\d{6}-\d{2}",
        trigger: Trigger::Digits(12),
        context: LICENCE,
        score: 80,
        ..NAMED
    },
    Recognizer {
        name: "vin",
        kind: EntityType::VehicleId,
        pattern: r"(?i)[a-hj-npr-z0-9]{17}",
        trigger: Trigger::Run,
        check: vin,
        context: &[
            "vin",
            "chassis",
            "vehicle identification",
            "车架号",
            "车辆识别",
            "frame number",
            "vehicle",
        ],
        against: &[],
        score: 20,
        in_context: 92,
        when_sure: 70,
        ..NAMED
    },
    Recognizer {
        name: "engine_number",
        kind: EntityType::VehicleId,
        pattern: r"(?i)[a-z0-9]{6,14}",
        check: |c| Verdict::plausible_if(c.digits().len() >= 4),
        context: &["发动机号", "engine number", "engine no"],
        against: &[],
        ..NAMED
    },
    Recognizer {
        name: "uk_plate",
        kind: EntityType::LicensePlate,
        pattern: r"(?i)[a-hj-pr-y][a-hj-pr-y](?:0[2-9]|[12]\d|5[1-9]|6\d|7\d) ?[a-hj-pr-z]{3}",
        trigger: Trigger::Digits(2),
        check: |c| {
            let upper = c.text().bytes().all(|b| !b.is_ascii_lowercase());
            let word = c.compact();
            // I and Q are never used; a space in the middle is how it is written.
            Verdict::plausible_if(upper && !word.contains(['I', 'Q']))
        },
        context: PLATE,
        score: 68,
        ..NAMED
    },
    Recognizer {
        name: "tr_plate",
        kind: EntityType::LicensePlate,
        pattern: r"(?i)(?:0[1-9]|[1-7]\d|8[01]) (?:[a-z] \d{2,4}|[a-z]{2} \d{3,4}|[a-z]{3} \d{2,4})",
        trigger: Trigger::Digits(4),
        context: PLATE,
        score: 20,
        ..NAMED
    },
    Recognizer {
        name: "in_plate",
        kind: EntityType::LicensePlate,
        pattern: r"(?i)(?:a[npr]|as|br|c[gh]|d[dln]|g[aj]|h[pr]|j[hk]|k[al]|l[ad]|m[hlnpz]|nl|o[drx]|p[by]|rj|sk|t[nrs]|u[akp]|wb)[ -]?\d{2}[ -]?[a-hj-np-z]{1,3}[ -]?\d{4}",
        trigger: Trigger::Digits(6),
        context: PLATE,
        score: 74,
        ..NAMED
    },
    Recognizer {
        name: "ng_plate",
        kind: EntityType::LicensePlate,
        pattern: r"(?i)[a-z]{3}-\d{3}[a-z]{2}",
        trigger: Trigger::Digits(3),
        context: PLATE,
        score: 66,
        ..NAMED
    },
    Recognizer {
        name: "de_plate",
        kind: EntityType::LicensePlate,
        pattern: r"[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2}[ -]\d{1,4}[EH]?",
        context: &["kennzeichen", "kfz", "nummernschild", "plate"],
        ..NAMED
    },
    Recognizer {
        name: "named_plate",
        kind: EntityType::LicensePlate,
        pattern: r"(?:(?i:(?:(?:licen[cs]e|number|registration|vehicle|car) ?)?plate(?: number| no\.?)?|tag number|rego))(?:(?i: is| of|:|#| number| no\.?)){0,3}\s{0,2}([A-Z0-9]{2,4}[ \-·]?[A-Z0-9]{2,5})",
        check: |c| Verdict::plausible_if(c.text().bytes().any(|b| b.is_ascii_digit())),
        context: &["plate", "license plate", "licence plate", "tag number", "rego", "number plate"],
        against: &[],
        ..NAMED
    },
];

/// ISO 3779; the check digit in place nine is used in North America and China, and not elsewhere.
fn vin(c: &Candidate<'_>) -> Verdict {
    let text = c.compact();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if !(1..17).contains(&digits) || c.text().bytes().any(|b| b.is_ascii_lowercase()) && digits > 12
    {
        return Verdict::No;
    }
    let value = |b: u8| match b {
        b'0'..=b'9' => u32::from(b - b'0'),
        b'A'..=b'H' => u32::from(b - b'A') + 1,
        b'J'..=b'R' => u32::from(b - b'J') + 1,
        b'S'..=b'Z' => u32::from(b - b'S') + 2,
        _ => 0,
    };
    let weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
    let sum: u32 = text.bytes().zip(weights).map(|(b, w)| value(b) * w).sum();
    let expected = if sum % 11 == 10 { b'X' } else { b'0' + u8::try_from(sum % 11).unwrap_or(0) };
    if text.as_bytes().get(8) == Some(&expected) {
        Verdict::Sure("seventeen signs and check digit")
    } else {
        Verdict::Plausible
    }
}
