//! Rich Text Format 1.9: the words, without styles, pictures or fields.
//!
//! Bytes are decoded in the code page of the file or of the current font; `\u` characters replace their
//! fallback. Groups that are not text (font tables, pictures, private destinations) are skipped.

use super::Context;
use super::draft::Draft;
use crate::error::LibraryError;
use crate::kind::Kind;
use encoding_rs::{
    BIG5, EUC_KR, Encoding, GB18030, SHIFT_JIS, WINDOWS_874, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257,
    WINDOWS_1258,
};
use nearside_types::{Extracted, Trouble};
use std::collections::HashMap;

pub(super) fn read(bytes: &[u8], context: &mut Context<'_, '_>) -> Result<Extracted, LibraryError> {
    let mut draft = Draft::new(Kind::Rtf, context.limits);
    let mut parser = Parser::new(bytes, context.limits.max_xml_depth.max(256));
    parser.run();
    context.check()?;
    if parser.depth != 0 || parser.too_deep {
        draft.missing(Trouble::CutOff);
    }
    draft.page(None, &parser.text);
    (context.progress)(1, 1);
    Ok(draft.finish())
}

#[derive(Clone, Copy)]
struct Group {
    skip: bool,
    /// Fallback characters after a `\u`.
    fallback: usize,
    encoding: &'static Encoding,
    in_fonts: bool,
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    text: String,
    /// Bytes of the current code page that wait to be decoded together.
    pending: Vec<u8>,
    groups: Vec<Group>,
    group: Group,
    default: &'static Encoding,
    fonts: HashMap<i32, &'static Encoding>,
    font: i32,
    /// Fallback characters still to be dropped.
    drop: usize,
    high: Option<u16>,
    depth: usize,
    max_depth: usize,
    too_deep: bool,
}

const SKIPPED: [&str; 20] = [
    "fonttbl",
    "colortbl",
    "stylesheet",
    "info",
    "pict",
    "object",
    "themedata",
    "colorschememapping",
    "datastore",
    "latentstyles",
    "listtable",
    "listoverridetable",
    "rsidtbl",
    "generator",
    "xmlnstbl",
    "fldinst",
    "filetbl",
    "revtbl",
    "bkmkstart",
    "bkmkend",
];

impl<'a> Parser<'a> {
    fn new(bytes: &'a [u8], max_depth: usize) -> Self {
        let group = Group { skip: false, fallback: 1, encoding: WINDOWS_1252, in_fonts: false };
        Self {
            bytes,
            at: 0,
            text: String::new(),
            pending: Vec::new(),
            groups: Vec::new(),
            group,
            default: WINDOWS_1252,
            fonts: HashMap::new(),
            font: 0,
            drop: 0,
            high: None,
            depth: 0,
            max_depth,
            too_deep: false,
        }
    }

    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'{' => {
                    self.flush();
                    self.depth += 1;
                    if self.groups.len() >= self.max_depth {
                        self.too_deep = true;
                        return;
                    }
                    self.groups.push(self.group);
                    self.drop = 0;
                }
                b'}' => {
                    self.flush();
                    self.depth = self.depth.saturating_sub(1);
                    if let Some(outer) = self.groups.pop() {
                        self.group = outer;
                    }
                    self.drop = 0;
                    if self.depth == 0 {
                        return;
                    }
                }
                b'\\' => self.control(),
                b'\r' | b'\n' => {}
                byte => self.byte(byte),
            }
        }
        self.flush();
    }

    fn byte(&mut self, byte: u8) {
        if self.drop > 0 {
            self.drop -= 1;
        } else if !self.group.skip {
            self.pending.push(byte);
        }
    }

    fn flush(&mut self) {
        if !self.pending.is_empty() {
            let (text, _) = self.group.encoding.decode_without_bom_handling(&self.pending);
            self.text.push_str(&text);
            self.pending.clear();
        }
    }

    fn control(&mut self) {
        let Some(&first) = self.bytes.get(self.at) else { return };
        if !first.is_ascii_alphabetic() {
            self.at += 1;
            match first {
                b'\'' => {
                    let digits = self.bytes.get(self.at..self.at + 2).unwrap_or_default();
                    self.at = (self.at + 2).min(self.bytes.len());
                    let value = std::str::from_utf8(digits).ok();
                    if let Some(byte) = value.and_then(|d| u8::from_str_radix(d, 16).ok()) {
                        self.byte(byte);
                    }
                }
                b'*' => self.group.skip = true,
                b'\\' | b'{' | b'}' => self.byte(first),
                b'~' => self.write("\u{A0}"),
                b'_' => self.write("-"),
                b'\r' | b'\n' => self.write("\n"),
                _ => {}
            }
            return;
        }
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_alphabetic) {
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        let digits = self.at;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        let number = std::str::from_utf8(&self.bytes[digits..self.at])
            .ok()
            .and_then(|d| d.parse::<i32>().ok());
        if self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        if let Ok(word) = std::str::from_utf8(word) {
            self.word(word, number);
        }
    }

    fn word(&mut self, word: &str, number: Option<i32>) {
        match word {
            "par" | "line" | "sect" | "page" | "row" => self.write("\n"),
            "tab" => self.write("\t"),
            "cell" => self.write(" | "),
            "emdash" => self.write("—"),
            "endash" => self.write("–"),
            "lquote" => self.write("‘"),
            "rquote" => self.write("’"),
            "ldblquote" => self.write("“"),
            "rdblquote" => self.write("”"),
            "bullet" => self.write("•"),
            "uc" => {
                self.group.fallback =
                    number.and_then(|n| usize::try_from(n).ok()).unwrap_or(1).min(8)
            }
            "u" => self.unicode(number.unwrap_or(0)),
            "ansicpg" => {
                if let Some(encoding) = number.and_then(by_code_page) {
                    self.default = encoding;
                    self.group.encoding = encoding;
                }
            }
            "f" if self.group.in_fonts => self.font = number.unwrap_or(0),
            "fcharset" if self.group.in_fonts => {
                if let Some(encoding) = number.and_then(by_charset) {
                    self.fonts.insert(self.font, encoding);
                }
            }
            "f" => {
                self.flush();
                let font = number.unwrap_or(0);
                self.group.encoding = self.fonts.get(&font).copied().unwrap_or(self.default);
            }
            // The words of a text box lie in a group that old readers skip.
            "shptxt" => self.group.skip = false,
            "bin" => {
                let count = number.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
                self.at = self.at.saturating_add(count).min(self.bytes.len());
            }
            _ if SKIPPED.contains(&word) => {
                self.group.skip = true;
                self.group.in_fonts |= word == "fonttbl";
            }
            _ => {}
        }
    }

    fn unicode(&mut self, number: i32) {
        self.flush();
        // Written as a signed 16-bit number; beyond the first plane as two halves.
        #[expect(
            clippy::cast_sign_loss,
            clippy::cast_possible_truncation,
            reason = "the format's own wrap"
        )]
        let unit = number as u16;
        let units = [self.high.take().unwrap_or(0), unit];
        if (0xD800..0xDC00).contains(&unit) {
            self.high = Some(unit);
        } else if !self.group.skip {
            let used = if units[0] == 0 { &units[1..] } else { &units[..] };
            self.text.push_str(&String::from_utf16_lossy(used));
        }
        self.drop = self.group.fallback;
    }

    fn write(&mut self, text: &str) {
        if self.drop > 0 {
            self.drop -= 1;
            return;
        }
        self.flush();
        if !self.group.skip {
            self.text.push_str(text);
        }
    }
}

fn by_code_page(page: i32) -> Option<&'static Encoding> {
    Some(match page {
        932 => SHIFT_JIS,
        936 => GB18030,
        949 => EUC_KR,
        950 => BIG5,
        874 => WINDOWS_874,
        1250 => WINDOWS_1250,
        1251 => WINDOWS_1251,
        1252 => WINDOWS_1252,
        1253 => WINDOWS_1253,
        1254 => WINDOWS_1254,
        1255 => WINDOWS_1255,
        1256 => WINDOWS_1256,
        1257 => WINDOWS_1257,
        1258 => WINDOWS_1258,
        65001 => encoding_rs::UTF_8,
        _ => return None,
    })
}

fn by_charset(charset: i32) -> Option<&'static Encoding> {
    by_code_page(match charset {
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        0 => 1252,
        _ => return None,
    })
}
