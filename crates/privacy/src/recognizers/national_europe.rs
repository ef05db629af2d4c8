//! National identity, tax and business numbers of the European continent and Turkey: one table, in the manner of
//! `national`.

use super::national::{ORG, STRONG, TAX, WEAK};
use crate::checksum::{icao, is_day, is_trivial, luhn, mod_11_10, number, weighted};
use crate::recognizer::{Candidate, Recognizer, Verdict};

pub(super) const ALL: &[Recognizer] = &[
    Recognizer {
        name: "de_id_card",
        pattern: r"(?i)[cfghjklmnprtvwxyz][cfghjklmnprtvwxyz0-9]{7}\d|t\d{8}",
        check: |c| Verdict::sure_if(icao(&c.compact()), "ICAO 7-3-1"),
        context: &["personalausweis", "ausweis", "ausweisnummer", "identity card", "id card"],
        in_context: 91,
        ..WEAK
    },
    Recognizer {
        name: "de_tax_id",
        kind: TAX,
        pattern: r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}",
        check: |c| {
            let d = c.digits();
            Verdict::sure_if(mod_11_10(&d) && !is_trivial(&d), "ISO 7064 mod 11,10")
        },
        context: &[
            "steuer",
            "steuer-id",
            "steuernummer",
            "identifikationsnummer",
            "idnr",
            "tax id",
        ],
        ..WEAK
    },
    Recognizer {
        name: "de_social_security",
        pattern: r"(?i)\d{2} ?\d{6} ?[a-z] ?\d{3}",
        check: de_social,
        context: &["sozialversicherung", "rentenversicherung", "versicherungsnummer", "svnr"],
        when_sure: 88,
        ..STRONG
    },
    Recognizer {
        name: "es_nif",
        pattern: r"(?i)\d{7,8}[ \-]?[a-hj-np-tv-z]",
        check: |c| Verdict::sure_if(es_letter(number(&c.digits()), c.text()), "mod 23 letter"),
        context: &["nif", "dni", "documento nacional", "identificación"],
        when_sure: 72,
        ..STRONG
    },
    Recognizer {
        name: "es_nie",
        pattern: r"(?i)[xyz]-?\d{7}-?[a-hj-np-tv-z]",
        check: |c| {
            let first = match c.compact().as_bytes().first() {
                Some(b'X') => 0,
                Some(b'Y') => 1,
                _ => 2,
            };
            let n = first * 10_000_000 + number(&c.digits());
            Verdict::sure_if(es_letter(n, c.text()), "mod 23 letter")
        },
        context: &["nie", "extranjero"],
        when_sure: 88,
        ..STRONG
    },
    Recognizer {
        name: "fi_hetu",
        pattern: r"(?i)\d{6}[-+abcdefuvwxy]\d{3}[0-9a-fhj-np-y]",
        check: fi_hetu,
        context: &["hetu", "henkilötunnus"],
        ..STRONG
    },
    Recognizer {
        name: "fr_nir",
        pattern: r"[12]\s?\d{2}\s?(?:0[1-9]|1[0-2]|[2-9]\d)\s?(?:\d{2}|2[ABab])\s?\d{3}\s?\d{3}\s?\d{2}",
        check: |c| {
            let id = c.compact().replace("2A", "19").replace("2B", "18");
            let (Ok(body), Ok(key)) = (id[..13].parse::<u64>(), id[13..].parse::<u64>()) else {
                return Verdict::No;
            };
            Verdict::sure_if(97 - body % 97 == key, "mod 97 key")
        },
        context: &["sécurité sociale", "nir", "insee", "numéro de sécu"],
        when_sure: 88,
        ..STRONG
    },
    Recognizer {
        name: "it_fiscal_code",
        kind: TAX,
        pattern: r"(?i)[a-z]{6}[0-9lmnpqrstuv]{2}[abcdehlmprst][0-9lmnpqrstuv]{2}[a-z][0-9lmnpqrstuv]{3}[a-z]",
        check: |c| Verdict::sure_if(it_fiscal(&c.compact()), "control letter"),
        context: &["codice fiscale", "c.f."],
        ..STRONG
    },
    Recognizer {
        name: "it_vat",
        kind: ORG,
        pattern: r"\d{5}_?\d{3}_?\d{3}|\d{8}_\d{3}",
        check: |c| {
            let d = c.digits();
            Verdict::sure_if(luhn(&d) && number(&d[..7]) > 0, "Luhn")
        },
        context: &["partita iva", "p.iva", "piva", "vat"],
        ..WEAK
    },
    Recognizer {
        name: "it_identity_card",
        pattern: r"(?i)[a-z]{2}\s?\d{7}|\d{7}[a-z]{2}|[a-z]{2}\d{5}[a-z]{2}",
        context: &[
            "carta d'identità",
            "carta identità",
            "carta di identità",
            "identity card",
            "cie",
        ],
        ..WEAK
    },
    Recognizer {
        name: "nl_bsn",
        pattern: r"\d{9}|\d{4}\.\d{2}\.\d{3}",
        check: |c| {
            let d = c.digits();
            let sum = weighted(&d[..8], &[9, 8, 7, 6, 5, 4, 3, 2]);
            Verdict::sure_if(
                sum >= d[8] && (sum - d[8]).is_multiple_of(11) && sum > 0,
                "eleven-test",
            )
        },
        context: &["bsn", "burgerservicenummer", "sofinummer"],
        ..WEAK
    },
    Recognizer {
        name: "be_rrn",
        pattern: r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}",
        check: |c| {
            let id = c.compact();
            let (Ok(body), Ok(key)) = (id[..9].parse::<u64>(), id[9..].parse::<u64>()) else {
                return Verdict::No;
            };
            let fits = 97 - body % 97 == key || 97 - (2_000_000_000 + body) % 97 == key;
            Verdict::sure_if(fits, "mod 97 key")
        },
        ..STRONG
    },
    Recognizer {
        name: "ch_ahv",
        pattern: r"756\.?\d{4}\.?\d{4}\.?\d{2}",
        check: |c| {
            let d = c.digits();
            let sum = weighted(&d[..12], &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]);
            Verdict::sure_if((10 - sum % 10) % 10 == d[12], "EAN check digit")
        },
        ..STRONG
    },
    Recognizer {
        name: "no_fnr",
        pattern: r"\d{6} ?\d{5}",
        check: |c| {
            let d = c.digits();
            let first = (11 - weighted(&d, &[3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11) % 11;
            let second = (11 - weighted(&d, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11) % 11;
            let day = is_day(number(&d[2..4]), number(&d[..2]));
            Verdict::sure_if(d[9] == first && d[10] == second && day, "two check digits and date")
        },
        context: &["fødselsnummer", "personnummer", "fnr"],
        when_sure: 75,
        ..WEAK
    },
    Recognizer {
        name: "pl_pesel",
        pattern: r"\d{11}",
        check: |c| {
            let d = c.digits();
            let check = (10 - weighted(&d, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10) % 10;
            let month = number(&d[2..4]) % 20;
            Verdict::sure_if(
                d[10] == check && is_day(month, number(&d[4..6])),
                "check digit and date",
            )
        },
        context: &["pesel"],
        ..WEAK
    },
    Recognizer {
        name: "se_personnummer",
        pattern: r"(?:18|19|20)?\d{6}[-+]?\d{4}",
        check: |c| {
            let d = c.digits();
            let tail = &d[d.len() - 10..];
            // A coordination number adds 60 to the day.
            let day = number(&tail[4..6]) % 60;
            Verdict::sure_if(luhn(tail) && is_day(number(&tail[2..4]), day), "Luhn and date")
        },
        context: &["personnummer", "samordningsnummer", "personal identity number", "pnr"],
        in_context: 87,
        when_sure: 47,
        ..WEAK
    },
    Recognizer {
        name: "se_organisationsnummer",
        kind: ORG,
        pattern: r"\d{2}[2-9]\d{3}-?\d{4}",
        check: |c| Verdict::sure_if(luhn(&c.digits()), "Luhn"),
        context: &["organisationsnummer", "orgnr", "org.nr", "företag"],
        ..WEAK
    },
    Recognizer {
        name: "tr_national_id",
        pattern: r"[1-9]\d{10}",
        check: |c| {
            let d = c.digits();
            let odd = d[0] + d[2] + d[4] + d[6] + d[8];
            let even = d[1] + d[3] + d[5] + d[7];
            let tenth = (7 * odd + 90 - even) % 10;
            let eleventh = d[..10].iter().sum::<u32>() % 10;
            Verdict::sure_if(d[9] == tenth && d[10] == eleventh, "two check digits")
        },
        context: &["tckn", "tc kimlik", "kimlik", "kimlik no"],
        when_sure: 78,
        ..WEAK
    },
    Recognizer {
        name: "eu_vat",
        kind: ORG,
        pattern: r"(?:ATU|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|GB) ?[0-9A-Z]{8,12}",
        context: &["vat", "ust-id", "ust-idnr", "umsatzsteuer", "tva", "btw"],
        ..WEAK
    },
];

fn es_letter(n: u32, text: &str) -> bool {
    const LETTERS: &[u8] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    let letter = text.bytes().next_back().map(|b| b.to_ascii_uppercase());
    letter == LETTERS.get((n % 23) as usize).copied()
}

fn fi_hetu(c: &Candidate<'_>) -> Verdict {
    const SIGNS: &[u8] = b"0123456789ABCDEFHJKLMNPRSTUVWXY";
    let text = c.text().to_ascii_uppercase();
    let bytes = text.as_bytes();
    let digits: Vec<u32> =
        bytes[..10].iter().filter(|b| b.is_ascii_digit()).map(|b| u32::from(b - b'0')).collect();
    if digits.len() != 9 {
        return Verdict::No;
    }
    let day = is_day(number(&digits[2..4]), number(&digits[..2]));
    let sign = SIGNS[(number(&digits) % 31) as usize];
    Verdict::sure_if(day && bytes[10] == sign, "date and mod 31 sign")
}

fn de_social(c: &Candidate<'_>) -> Verdict {
    let id = c.compact();
    let mut digits = Vec::new();
    for character in id.chars() {
        match character.to_digit(36) {
            Some(value @ 0..=9) => digits.push(value),
            Some(value) => digits.extend([(value - 9) / 10, (value - 9) % 10]),
            None => return Verdict::No,
        }
    }
    let Some((check, body)) = digits.split_last() else { return Verdict::No };
    let sum: u32 = body
        .iter()
        .zip([2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1])
        .map(|(d, w)| d * w / 10 + d * w % 10)
        .sum();
    let day = number(&digits[2..4]) % 50;
    Verdict::sure_if(
        digits.len() == 13 && sum % 10 == *check && is_day(number(&digits[4..6]), day),
        "check digit and date",
    )
}

fn it_fiscal(id: &str) -> bool {
    const ODD: [u32; 26] = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24,
        23,
    ];
    let mut sum = 0;
    for (i, byte) in id.bytes().take(15).enumerate() {
        let value = if byte.is_ascii_digit() { byte - b'0' } else { byte.wrapping_sub(b'A') };
        sum += if i % 2 == 0 {
            ODD.get(value as usize).copied().unwrap_or(0)
        } else {
            u32::from(value)
        };
    }
    id.as_bytes().get(15).copied() == u8::try_from(sum % 26).ok().map(|v| b'A' + v)
}
