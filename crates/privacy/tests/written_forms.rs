//! Numbers in disguise: each value in each written form, in a sentence, must be hidden. Values are made at run time
//! with valid check digits; none is anybody's. The forms are those that redaction benchmarks name: separators,
//! full width, zero width, look-alikes, spelled digits in both languages, base64, hexadecimal, URL and other escapes.

#![expect(clippy::unwrap_used, reason = "a test that cannot make its values has failed")]

use nearside_privacy::{Policy, PseudonymMap, redact, restore};
use proptest::prelude::*;

/// A digit's writing in a form.
type Form = (&'static str, fn(&str) -> String);

const ENGLISH: [&str; 10] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

fn grouped(value: &str, separator: &str) -> String {
    let signs: Vec<char> = value.chars().collect();
    let first = if signs.len() == 11 { 3 } else { signs.len() % 4 };
    let mut groups: Vec<String> =
        if first > 0 { vec![signs[..first].iter().collect()] } else { Vec::new() };
    groups.extend(signs[first..].chunks(4).map(|group| group.iter().collect::<String>()));
    groups.join(separator)
}

fn each(value: &str, write: impl Fn(u32) -> String) -> String {
    value.chars().map(|c| c.to_digit(10).map_or(c.to_string(), &write)).collect()
}

fn moved(value: &str, zero: u32) -> String {
    each(value, |digit| char::from_u32(zero + digit).unwrap().to_string())
}

fn base64(value: &str) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in value.as_bytes().chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, b| bits << 8 | u32::from(*b))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(sign) } else { '=' });
        }
    }
    out
}

const FORMS: &[Form] = &[
    ("plain", str::to_owned),
    ("spaces", |v| grouped(v, " ")),
    ("dashes", |v| grouped(v, "-")),
    ("points", |v| grouped(v, ".")),
    ("strokes", |v| grouped(v, "/")),
    ("low lines", |v| grouped(v, "_")),
    ("middle dots", |v| grouped(v, "·")),
    ("long dashes", |v| grouped(v, "—")),
    ("wide spaces", |v| grouped(v, "\u{3000}")),
    ("two spaces", |v| grouped(v, "  ")),
    ("one by one", |v| v.chars().map(String::from).collect::<Vec<_>>().join(" ")),
    ("full width", |v| moved(v, 0xff10)),
    ("circled", |v| {
        each(v, |d| char::from_u32(if d == 0 { 0x24ea } else { 0x245f + d }).unwrap().to_string())
    }),
    ("bold", |v| moved(v, 0x1d7ce)),
    ("Arabic", |v| moved(v, 0x660)),
    ("Devanagari", |v| moved(v, 0x966)),
    ("zero width", |v| v.chars().map(String::from).collect::<Vec<_>>().join("\u{200b}")),
    ("soft hyphen", |v| format!("{}\u{ad}{}", &v[..5], &v[5..])),
    ("keycaps", |v| each(v, |d| format!("{d}\u{fe0f}\u{20e3}"))),
    ("struck out", |v| each(v, |d| format!("{d}\u{336}"))),
    ("capital O", |v| v.replacen('0', "O", 3)),
    ("small l", |v| v.replacen('1', "l", 3)),
    ("Chinese", |v| {
        each(v, |d| "零一二三四五六七八九".chars().nth(d as usize).unwrap().to_string())
    }),
    ("Chinese of banks", |v| {
        each(v, |d| "零壹贰叁肆伍陆柒捌玖".chars().nth(d as usize).unwrap().to_string())
    }),
    ("Chinese on the radio", |v| {
        each(v, |d| "洞幺两三四五六拐八勾".chars().nth(d as usize).unwrap().to_string())
    }),
    ("English", |v| each(v, |d| format!("{} ", ENGLISH[d as usize])).trim_end().to_owned()),
    ("English, dashes", |v| {
        each(v, |d| format!("{}-", ENGLISH[d as usize])).trim_end_matches('-').to_owned()
    }),
    ("base64", base64),
    ("base64, no padding", |v| base64(v).trim_end_matches('=').to_owned()),
    ("hexadecimal", |v| v.bytes().map(|b| format!("{b:02x}")).collect()),
    ("URL", |v| v.bytes().map(|b| format!("%{b:02X}")).collect()),
    ("URL in part", |v| each(v, |d| if d % 2 == 0 { format!("%3{d}") } else { d.to_string() })),
    ("JSON", |v| v.bytes().map(|b| format!("\\u{b:04x}")).collect()),
    ("HTML", |v| v.bytes().map(|b| format!("&#{b};")).collect()),
];

/// A Chinese resident ID of an area, a day and a serial, with its check digit (ISO 7064 mod 11-2).
fn resident_id(area: usize, year: u32, month: u32, day: u32, serial: u32) -> String {
    let areas = ["110105", "310104", "440305", "510107", "330106", "420111", "320505"];
    let body = format!("{}{year}{month:02}{day:02}{serial:03}", areas[area % areas.len()]);
    let rest = body.chars().fold(0, |rest, c| (rest + c.to_digit(10).unwrap()) * 2 % 11);
    let digit = (0..=10).find(|d| (rest + d) % 11 == 1).unwrap();
    format!("{body}{}", if digit == 10 { "X".to_owned() } else { digit.to_string() })
}

fn card(serial: u64) -> String {
    let body = format!("622848{serial:09}");
    let digit = (0..10)
        .find(|check| {
            let digits: Vec<u32> =
                format!("{body}{check}").chars().filter_map(|c| c.to_digit(10)).collect();
            let sum: u32 = digits
                .iter()
                .rev()
                .enumerate()
                .map(|(i, d)| if i % 2 == 0 { *d } else { d * 2 / 10 + d * 2 % 10 })
                .sum();
            sum.is_multiple_of(10)
        })
        .unwrap();
    format!("{body}{digit}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_form_is_hidden(
        area in 0_usize..7, year in 1955_u32..2006, month in 1_u32..13, day in 1_u32..29, serial in 0_u32..1000,
        tail in 10_000_000_u32..99_999_999, number in 100_000_000_u64..999_999_999,
    ) {
        let values = [
            ("身份证号是", resident_id(area, year, month, day, serial)),
            ("call me at ", format!("13{}", 800_000_000 + tail)),
            ("卡号", card(number)),
        ];
        for (lead, value) in &values {
            for (name, form) in FORMS {
                let written = form(value);
                let text = format!("{lead}{written}，thanks");
                let mut map = PseudonymMap::new();
                let redaction = redact(&text, &Policy::default(), &mut map).unwrap();
                // All but a sign at an end, such as the X of an ID that no form disguises.
                let hidden: usize = redaction.spans.iter().map(|s| s.end - s.start).sum();
                let length = written.chars().count();
                prop_assert!(hidden * 10 >= length * 9, "{name}: {text} became {}", &*redaction.text);
                prop_assert_eq!(&*restore(&redaction.text, &map).text, &text);
            }
        }
    }
}
