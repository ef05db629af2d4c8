//! National identity and tax numbers outside China, one table: a shape, a check of the issuing authority,
//! and the words that name the number.
//!
//! Weak checks (one digit in ten or eleven by chance) count only with such words, or where the number is all
//! there is; strong shapes stand alone. `when_sure` says which is which.

use nearside_types::EntityType;

use super::OTHER_NUMBERS;
use crate::checksum::{is_day, is_trivial, luhn, number, verhoeff, weighted};
use crate::recognizer::{Candidate, Recognizer, Trigger, Verdict};

/// A number of digits whose check is weak: it needs a name.
pub(super) const WEAK: Recognizer = Recognizer {
    trigger: Trigger::Digits(4),
    against: OTHER_NUMBERS,
    score: 20,
    in_context: 86,
    when_sure: 40,
    ..Recognizer::BASE
};
/// A shape that hardly anything else has.
pub(super) const STRONG: Recognizer =
    Recognizer { trigger: Trigger::Digits(4), score: 60, when_sure: 92, ..Recognizer::BASE };
pub(super) const TAX: EntityType = EntityType::TaxId;
pub(super) const ORG: EntityType = EntityType::OrgId;

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "us_ssn",
        pattern: r"\d{3}[-. ]\d{2}[-. ]\d{4}",
        check: ssn,
        context: &["ssn", "social security", "social", "ss#", "social_security"],
        against: OTHER_NUMBERS,
        score: 80,
        ..STRONG
    },
    Recognizer {
        name: "us_ssn_bare",
        pattern: r"\d{9}|\d{5}-\d{4}|\d{3}-\d{6}",
        check: ssn,
        context: &["ssn", "social security", "ss#", "social_security"],
        ..WEAK
    },
    Recognizer {
        name: "us_itin",
        kind: TAX,
        pattern: r"9\d{2}[-. ]?(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])[-. ]?\d{4}",
        check: |c| Verdict::plausible_if(c.text().len() == 9 || c.text().contains(['-', ' '])),
        context: &["itin", "taxpayer", "tax id", "individual taxpayer"],
        against: OTHER_NUMBERS,
        score: 45,
        in_context: 95,
        ..STRONG
    },
    Recognizer {
        name: "us_itin_dashed",
        kind: TAX,
        pattern: r"9\d{2}-(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])-\d{4}",
        score: 90,
        ..STRONG
    },
    Recognizer {
        name: "us_ein",
        kind: ORG,
        trigger: Trigger::Context,
        pattern: r"\d{2}-\d{7}",
        context: &["ein", "employer identification", "fein", "tax id"],
        ..WEAK
    },
    Recognizer {
        name: "uk_nino",
        pattern: r"(?i)[a-ceghj-prstw-z][a-ceghj-nprstw-z] ?\d{2} ?\d{2} ?\d{2} ?[a-d]",
        check: |c| {
            let id = c.compact();
            let barred = ["BG", "GB", "NK", "KN", "NT", "TN", "ZZ"];
            Verdict::sure_if(!barred.contains(&&id[..2]), "prefix and suffix in use")
        },
        context: &["national insurance", "nino", "ni number"],
        ..STRONG
    },
    Recognizer {
        name: "uk_utr",
        kind: TAX,
        pattern: r"\d{5} ?\d{5}",
        check: |c| {
            let d = c.digits();
            let rest = weighted(&d[1..], &[6, 7, 8, 9, 10, 5, 4, 3, 2]) % 11;
            let check = [2, 1, 9, 8, 7, 6, 5, 4, 3, 2, 1][rest as usize];
            Verdict::sure_if(d[0] == check, "mod 11")
        },
        context: &["utr", "unique taxpayer"],
        ..WEAK
    },
    Recognizer {
        name: "ca_sin",
        pattern: r"\d{3}[ \-]?\d{3}[ \-]?\d{3}",
        check: |c| {
            let d = c.digits();
            Verdict::sure_if(luhn(&d) && !matches!(d[0], 0 | 8) && even_separators(c), "Luhn")
        },
        context: &["sin", "social insurance", "assurance sociale", "nas"],
        ..WEAK
    },
    Recognizer {
        name: "au_tfn",
        kind: TAX,
        pattern: r"\d{3}[ \-]?\d{3}[ \-]?\d{3}",
        check: |c| mod_is(c, &[1, 4, 3, 7, 5, 8, 6, 9, 10], 11),
        context: &["tfn", "tax file"],
        ..WEAK
    },
    Recognizer {
        name: "au_abn",
        kind: ORG,
        pattern: r"\d{2}[ \-]?\d{3}[ \-]?\d{3}[ \-]?\d{3}",
        check: |c| {
            let mut d = c.digits();
            if d[0] == 0 {
                return Verdict::No;
            }
            d[0] -= 1;
            let sum = weighted(&d, &[10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
            Verdict::sure_if(sum.is_multiple_of(89), "mod 89")
        },
        context: &["abn", "australian business"],
        when_sure: 62,
        ..WEAK
    },
    Recognizer {
        name: "au_acn",
        kind: ORG,
        pattern: r"\d{3}[ \-]?\d{3}[ \-]?\d{3}",
        check: |c| {
            let d = c.digits();
            let check = (10 - weighted(&d[..8], &[8, 7, 6, 5, 4, 3, 2, 1]) % 10) % 10;
            Verdict::sure_if(d[8] == check && number(&d) > 0, "mod 10")
        },
        context: &["acn", "australian company"],
        ..WEAK
    },
    Recognizer {
        name: "za_id",
        pattern: r"\d{6} ?\d{4} ?[01]\d{2}",
        check: |c| {
            let d = c.digits();
            let day = is_day(number(&d[2..4]), number(&d[4..6]));
            Verdict::sure_if(d.len() == 13 && luhn(&d) && day && d[10] < 2, "Luhn and date")
        },
        context: &[
            "south african id",
            "sa id",
            "rsa",
            "rsa id",
            "id number",
            "identity number",
            "resident number",
        ],
        ..WEAK
    },
    Recognizer {
        name: "br_cpf",
        pattern: r"\d{3}\.\d{3}\.\d{3}-\d{2}",
        check: |c| {
            let d = c.digits();
            let digit = |n: u32, body: &[u32]| {
                let sum: u32 = body.iter().zip((2..=n).rev()).map(|(d, w)| d * w).sum();
                sum * 10 % 11 % 10
            };
            let fits =
                d[9] == digit(10, &d[..9]) && d[10] == digit(11, &d[..10]) && !is_trivial(&d);
            Verdict::sure_if(fits, "two check digits")
        },
        ..STRONG
    },
    Recognizer {
        name: "ng_nin",
        pattern: r"\d{11}",
        check: |c| {
            let d = c.digits();
            Verdict::sure_if(verhoeff(&d) && !is_trivial(&d), "Verhoeff")
        },
        context: &["nin", "nimc", "national identification number"],
        ..WEAK
    },
];

fn ssn(c: &Candidate<'_>) -> Verdict {
    let d = c.digits();
    let separators: Vec<char> = c.text().chars().filter(|ch| !ch.is_ascii_digit()).collect();
    let (area, group, serial) = (number(&d[..3]), number(&d[3..5]), number(&d[5..]));
    // Published samples: Woolworth's wallet card and two from leaflets.
    let sample = matches!((area, group, serial), (123, 45, 6789) | (987, 65, 4320) | (78, 5, 1120));
    let fits = area != 0 && area != 666 && group != 0 && serial != 0 && area < 900;
    let even = separators.windows(2).all(|w| w[0] == w[1]);
    let alike = d.windows(2).all(|w| w[0] == w[1]);
    Verdict::plausible_if(d.len() == 9 && fits && even && !alike && !sample)
}

fn even_separators(c: &Candidate<'_>) -> bool {
    let found: Vec<char> = c.text().chars().filter(|ch| !ch.is_ascii_digit()).collect();
    found.is_empty() || (found.len() == 2 && found[0] == found[1])
}

fn mod_is(c: &Candidate<'_>, weights: &[u32], modulus: u32) -> Verdict {
    let d = c.digits();
    let sum = weighted(&d, weights);
    Verdict::sure_if(
        d.len() == weights.len() && sum.is_multiple_of(modulus) && sum > 0,
        "weights and modulus",
    )
}
