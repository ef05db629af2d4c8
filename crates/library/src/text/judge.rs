//! Judges decodings of the same bytes by how much they look like a language.
//!
//! chardetng is made for web pages; short GBK, CP866 and mixed bytes mislead it. These scores are only for
//! choosing among decodings that had no error.

use super::common::{KANJI, RUSSIAN, SIMPLIFIED, TRADITIONAL};
use encoding_rs::Encoding;

/// How much a text looks like what people write in the encoding's language, about 0 to 1. Only characters
/// beyond ASCII count; none of them is 0.
#[must_use]
pub(super) fn east_asian_score(text: &str, encoding: &'static Encoding) -> f64 {
    let korean = encoding == encoding_rs::EUC_KR;
    let japanese = encoding == encoding_rs::SHIFT_JIS || encoding == encoding_rs::EUC_JP;
    let big5 = encoding == encoding_rs::BIG5;
    let (mut sum, mut all, mut kana) = (0.0, 0_u32, 0_u32);
    for c in text.chars().filter(|c| !c.is_ascii()) {
        all += 1;
        sum += match c {
            '\u{3041}'..='\u{30FE}' => {
                kana += 1;
                if japanese { 1.0 } else { 0.5 }
            }
            '\u{AC00}'..='\u{D7A3}' => 0.85,
            '，' | '。' | '、' | '：' | '；' | '？' | '！' | '（' | '）' | '《' | '》' | '「'
            | '」' | '“' | '”' | '￥' | '\u{3000}' => 0.8,
            '\u{4E00}'..='\u{9FFF}' if korean => -0.5,
            '\u{4E00}'..='\u{9FFF}' if japanese && KANJI.contains(c) => 1.0,
            '\u{4E00}'..='\u{9FFF}'
                if big5 && (TRADITIONAL.contains(c) || SIMPLIFIED.contains(c)) =>
            {
                1.0
            }
            '\u{4E00}'..='\u{9FFF}' if !japanese && SIMPLIFIED.contains(c) => 1.0,
            '\u{4E00}'..='\u{9FFF}' => 0.3,
            '\u{20000}'..='\u{3FFFF}' => 0.1,
            '\u{FF01}'..='\u{FF5E}' => 0.6,
            '\u{E000}'..='\u{F8FF}' => -2.0,
            _ => -0.4,
        };
    }
    if all == 0 {
        return 0.0;
    }
    let kana_bonus = if japanese && kana > 0 { 0.05 } else { 0.0 };
    sum / f64::from(all) + kana_bonus
}

/// How much a text looks like Russian or a neighbour in a one-byte encoding: letter frequency, small
/// letters within words, words of one script. 0 when it is not to be believed.
#[must_use]
pub(super) fn cyrillic_score(text: &str) -> f64 {
    let (mut letters, mut frequent, mut odd, mut beyond, mut words) =
        (0_u32, 0_u32, 0_u32, 0_u32, 0_u32);
    let mut before = ' ';
    for c in text.chars() {
        beyond += u32::from(!c.is_ascii());
        if is_cyrillic(c) {
            letters += 1;
            let small = c.to_lowercase().next().unwrap_or(c);
            frequent += u32::from(RUSSIAN.contains(small));
            words += u32::from(!before.is_alphabetic());
            let mixed = before.is_ascii_alphabetic();
            odd += u32::from(mixed || (c.is_uppercase() && before.is_lowercase()));
        } else {
            odd += u32::from(c.is_ascii_alphabetic() && is_cyrillic(before));
        }
        before = c;
    }
    if letters < 4 || words == 0 {
        return 0.0;
    }
    let share = |count: u32, of: u32| f64::from(count) / f64::from(of.max(1));
    let believable = share(letters, beyond) >= 0.6
        && share(letters, words) >= 2.5
        && share(odd, letters) <= 0.08
        && share(frequent, letters) >= 0.45;
    if believable {
        share(frequent, letters) + share(letters, beyond) - 2.0 * share(odd, letters)
    } else {
        0.0
    }
}

fn is_cyrillic(c: char) -> bool {
    matches!(c, '\u{400}'..='\u{45F}' | '\u{490}' | '\u{491}')
}
