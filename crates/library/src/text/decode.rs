//! From bytes in any encoding to text, and which encoding it was.
//!
//! In this order: byte order mark; UTF-16 by its zero halves; strict UTF-8; the declared encoding; a file of
//! lines in two encodings; judged candidates of East Asia and Cyrillic; chardetng. Bytes that no text
//! encoding explains are not text, and are refused rather than shown as mojibake.

use super::judge::{cyrillic_score, east_asian_score};
use super::unicode16::{Order, decode16, decode32, guess_order};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_2022_JP, ISO_8859_5, KOI8_R,
    SHIFT_JIS, UTF_8, WINDOWS_1251,
};

/// Decoded text.
pub struct Decoded {
    pub text: String,
    /// As the WHATWG names it; two names joined by ` + ` for a file of mixed lines.
    pub encoding: String,
    /// Places that could not be decoded; each is U+FFFD in the text.
    pub broken: usize,
}

/// Bytes that are enough to judge an encoding by.
const SAMPLE: usize = 1 << 16;

/// Decodes a text file, or says that it is none. `declared` is what a tag or header claims; the bytes
/// decide when they contradict it.
#[must_use]
pub fn decode(bytes: &[u8], declared: Option<&str>) -> Option<Decoded> {
    if let Some(found) = by_mark(bytes) {
        return Some(found);
    }
    if bytes.contains(&0) {
        return with_zeros(bytes, declared);
    }
    if !few_controls(bytes) {
        return None;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let jis = bytes.windows(2).any(|pair| pair == b"\x1B$");
        if jis && let Some(found) = strictly(bytes, ISO_2022_JP) {
            return Some(found);
        }
        if let Some(order) = guess_order(bytes).filter(|_| has_raw_utf16_lines(bytes)) {
            return Some(utf16(bytes, order));
        }
        return Some(Decoded { text: text.to_owned(), encoding: name(UTF_8), broken: 0 });
    }
    if let Some(order) = guess_order(bytes) {
        return Some(utf16(bytes, order));
    }
    by_declaration(bytes, declared).or_else(|| mixed_lines(bytes)).or_else(|| Some(judged(bytes)))
}

fn by_mark(bytes: &[u8]) -> Option<Decoded> {
    if let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        // A mark that lies: the bytes behind it decide.
        return match std::str::from_utf8(rest) {
            Ok(text) => Some(Decoded { text: text.to_owned(), encoding: name(UTF_8), broken: 0 }),
            Err(_) => decode(rest, None),
        };
    }
    if bytes.len().is_multiple_of(4) && bytes.starts_with(b"\xFF\xFE\0\0") {
        let (text, broken) = decode32(&bytes[4..], Order::Little);
        return Some(Decoded { text, encoding: "UTF-32LE".to_owned(), broken });
    }
    if bytes.len().is_multiple_of(4) && bytes.starts_with(b"\0\0\xFE\xFF") {
        let (text, broken) = decode32(&bytes[4..], Order::Big);
        return Some(Decoded { text, encoding: "UTF-32BE".to_owned(), broken });
    }
    let order = match bytes.get(..2)? {
        b"\xFF\xFE" => Order::Little,
        b"\xFE\xFF" => Order::Big,
        _ => return None,
    };
    let found = utf16(&bytes[2..], order);
    // Two bytes can be there by chance; a text is mostly whole units.
    (found.broken * 20 <= found.text.chars().count()).then_some(found)
}

fn utf16(bytes: &[u8], order: Order) -> Decoded {
    let (text, broken) = decode16(bytes, order);
    let encoding = if order == Order::Little { "UTF-16LE" } else { "UTF-16BE" };
    Decoded { text, encoding: encoding.to_owned(), broken }
}

/// Zeros mean UTF-16, or a text with a few stray ones (a log that was cut off), or no text at all.
fn with_zeros(bytes: &[u8], declared: Option<&str>) -> Option<Decoded> {
    if let Some(order) = guess_order(bytes) {
        return Some(utf16(bytes, order));
    }
    let kept: Vec<u8> = bytes.iter().copied().filter(|&b| b != 0).collect();
    let zeros = bytes.len() - kept.len();
    if zeros * 50 > bytes.len() || kept.is_empty() {
        return None;
    }
    let mut found = decode(&kept, declared)?;
    found.broken += zeros;
    Some(found)
}

/// Text has next to no control characters besides blanks, line ends and escapes of colour.
fn few_controls(bytes: &[u8]) -> bool {
    let controls = bytes
        .iter()
        .filter(|&&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B | 0x1A | 0x08))
        .count();
    controls * 100 <= bytes.len()
}

/// UTF-16 whose characters all have two non-zero halves can be valid UTF-8 by accident; it then has no
/// ASCII line ends or blanks of its own.
fn has_raw_utf16_lines(bytes: &[u8]) -> bool {
    bytes.len() > 64 && !bytes.iter().any(|b| matches!(b, b'\n' | b' '))
}

fn by_declaration(bytes: &[u8], declared: Option<&str>) -> Option<Decoded> {
    let encoding = Encoding::for_label(declared?.trim().as_bytes())?;
    if encoding == UTF_8 || encoding.name().starts_with("UTF-16") {
        return None;
    }
    let encoding = if encoding == GBK { GB18030 } else { encoding };
    let found = strictly(bytes, encoding)?;
    if encoding.is_single_byte() {
        // Any bytes decode as any one-byte encoding, so a claim of one must not contradict the detector
        // when that sees an encoding of two bytes, or controls appear.
        let guess = detect(bytes);
        let odd = found.text.chars().any(|c| matches!(c, '\u{80}'..='\u{9F}'));
        if odd || (!guess.is_single_byte() && guess != UTF_8) {
            return None;
        }
    }
    Some(found)
}

fn strictly(bytes: &[u8], encoding: &'static Encoding) -> Option<Decoded> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some(Decoded { text: text.into_owned(), encoding: name(encoding), broken: 0 })
}

fn loosely(bytes: &[u8], encoding: &'static Encoding) -> Decoded {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let broken = text.chars().filter(|&c| c == char::REPLACEMENT_CHARACTER).count();
    Decoded { text: text.into_owned(), encoding: name(encoding), broken }
}

fn name(encoding: &'static Encoding) -> String {
    encoding.name().to_owned()
}

/// Logs that two programs wrote: each line is UTF-8 or something else. Line ends are never part of a
/// two-byte character in the encodings at stake, so cutting there is safe.
fn mixed_lines(bytes: &[u8]) -> Option<Decoded> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
    let utf8 = |line: &[u8]| std::str::from_utf8(line).is_ok();
    let valid: Vec<&str> = lines
        .iter()
        .filter(|line| !line.is_ascii())
        .filter_map(|line| std::str::from_utf8(line).ok())
        .collect();
    // A line of one Chinese character in GBK can be valid UTF-8 of two bytes by chance; three bytes in a row
    // are not, nor are two where all the rest looks like a one-byte encoding.
    let surely_utf8 = valid.iter().any(|line| line.chars().any(|c| c.len_utf8() >= 3))
        || (!valid.is_empty() && choose(bytes).is_single_byte());
    if !surely_utf8 {
        return None;
    }
    let others: Vec<u8> =
        lines.iter().filter(|line| !utf8(line)).copied().flatten().copied().collect();
    let other = believable(&others).unwrap_or(UTF_8);
    let mut text = String::with_capacity(bytes.len());
    let mut broken = 0;
    for line in lines {
        if let Ok(line) = std::str::from_utf8(line) {
            text.push_str(line);
        } else {
            let found = loosely(line, other);
            broken += found.broken;
            text.push_str(&found.text);
        }
    }
    let encoding = if other == UTF_8 { name(UTF_8) } else { format!("UTF-8 + {}", other.name()) };
    Some(Decoded { text, encoding, broken })
}

/// The encoding of the lines that are not UTF-8, unless they are rather damage: any byte is a letter in a
/// one-byte encoding, but words of Latin letters are mostly ASCII.
fn believable(bytes: &[u8]) -> Option<&'static Encoding> {
    let encoding = choose(bytes);
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let all = text.chars().filter(|c| !c.is_whitespace()).count();
    let beyond = text.chars().filter(|c| !c.is_ascii()).count();
    let latin = encoding.is_single_byte() && cyrillic_score(&text) == 0.0;
    (!latin || beyond * 5 <= all * 2).then_some(encoding)
}

fn judged(bytes: &[u8]) -> Decoded {
    loosely(bytes, choose(bytes))
}

/// The likeliest encoding of bytes that are not UTF-8.
fn choose(bytes: &[u8]) -> &'static Encoding {
    let guess = detect(bytes);
    let sample = whole_lines(bytes);
    let mut best: Option<(f64, &'static Encoding)> = None;
    for encoding in [GB18030, BIG5, SHIFT_JIS, EUC_JP, EUC_KR] {
        let Some(found) = strictly(sample, encoding) else { continue };
        let agrees = if guess == encoding { 0.15 } else { 0.0 };
        let score = east_asian_score(&found.text, encoding) + agrees;
        if best.is_none_or(|(other, _)| score > other) {
            best = Some((score, encoding));
        }
    }
    if let Some((score, encoding)) = best
        && (score >= 0.5 || (guess == encoding && score >= 0.3))
    {
        return encoding;
    }
    let mut cyrillic: Option<(f64, &'static Encoding)> = None;
    for encoding in [WINDOWS_1251, KOI8_R, IBM866, ISO_8859_5] {
        let Some(found) = strictly(sample, encoding) else { continue };
        let score = cyrillic_score(&found.text);
        if score > 0.0 && cyrillic.is_none_or(|(other, _)| score > other) {
            cyrillic = Some((score, encoding));
        }
    }
    cyrillic.map_or(guess, |(_, encoding)| encoding)
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[..bytes.len().min(1 << 20)], true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    if guess == GBK { GB18030 } else { guess }
}

/// The beginning, cut after a line, so that no character is cut in two.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    if bytes.len() <= SAMPLE {
        return bytes;
    }
    let end = bytes[..SAMPLE].iter().rposition(|&b| b == b'\n').map_or(SAMPLE, |at| at + 1);
    &bytes[..end]
}
