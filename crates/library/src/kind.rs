//! What a file is, by its content. The name only breaks ties among kinds of plain text.
//!
//! It looks at magic numbers and container entries; it parses nothing.

use crate::limits::Limits;
use crate::text::markup;
use std::io::Cursor;

/// What a file turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Empty,
    Pdf,
    Docx,
    Pptx,
    Xlsx,
    Email,
    Html,
    Markdown,
    Csv,
    Json,
    Xml,
    Source,
    Log,
    Text,
    Rtf,
    /// A picture; the word names its format.
    Image(&'static str),
    /// An OLE file of Word, Excel or PowerPoint before 2007.
    LegacyOffice(&'static str),
    /// An OLE file that holds an encrypted Office document.
    EncryptedOffice,
    /// A zip whose directory cannot be read; the word is what it seems to have been.
    BrokenContainer(&'static str),
    /// Known, and nothing here reads it: sound, film, archives, programs.
    Known(&'static str),
    Unknown,
}

impl Kind {
    /// The word in `Extracted::kind`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Pptx => "pptx",
            Self::Xlsx => "xlsx",
            Self::Email => "email",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Xml => "xml",
            Self::Source => "source",
            Self::Log => "log",
            Self::Text => "text",
            Self::Rtf => "rtf",
            Self::EncryptedOffice => "office",
            Self::Image(name)
            | Self::LegacyOffice(name)
            | Self::BrokenContainer(name)
            | Self::Known(name) => name,
            Self::Unknown => "unknown",
        }
    }
}

/// The kind of a file that is not plain text, or none when only its text can tell.
#[must_use]
pub(crate) fn by_magic(bytes: &[u8], limits: &Limits) -> Option<Kind> {
    if bytes.is_empty() {
        return Some(Kind::Empty);
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return Some(by_entries(bytes, limits));
    }
    if bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
        return Some(by_streams(bytes));
    }
    let head = &bytes[..bytes.len().min(1024)];
    if find(head, b"%PDF-").is_some() {
        return Some(Kind::Pdf);
    }
    if bytes.starts_with(b"{\\rtf") {
        return Some(Kind::Rtf);
    }
    IMAGES
        .iter()
        .find(|(magic, _)| bytes.starts_with(magic))
        .map(|&(_, name)| Kind::Image(name))
        .or_else(|| riff_or_boxes(bytes))
        .or_else(|| {
            KNOWN
                .iter()
                .find(|(offset, magic, _)| {
                    bytes.get(*offset..).is_some_and(|rest| rest.starts_with(magic))
                })
                .map(|&(_, _, name)| Kind::Known(name))
        })
}

const IMAGES: [(&[u8], &str); 9] = [
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xFF\xD8\xFF", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
    (b"8BPS", "psd"),
    (b"\0\0\x01\0", "ico"),
    (b"\xFF\x0A", "jxl"),
];

const KNOWN: [(usize, &[u8], &str); 24] = [
    (0, b"\x1F\x8B", "gzip"),
    (0, b"7z\xBC\xAF\x27\x1C", "7z"),
    (0, b"Rar!\x1A\x07", "rar"),
    (0, b"\xFD7zXZ\0", "xz"),
    (0, b"BZh", "bzip2"),
    (0, b"\x28\xB5\x2F\xFD", "zstd"),
    (257, b"ustar", "tar"),
    (0, b"\x7FELF", "program"),
    (0, b"MZ", "program"),
    (0, b"\xCF\xFA\xED\xFE", "program"),
    (0, b"\xFE\xED\xFA\xCF", "program"),
    (0, b"\xCA\xFE\xBA\xBE", "program"),
    (0, b"\0asm", "program"),
    (0, b"ID3", "mp3"),
    (0, b"\xFF\xFB", "mp3"),
    (0, b"fLaC", "flac"),
    (0, b"OggS", "ogg"),
    (0, b"\x1A\x45\xDF\xA3", "matroska"),
    (0, b"SQLite format 3\0", "sqlite"),
    (0, b"GGUF", "gguf"),
    (0, b"wOFF", "font"),
    (0, b"wOF2", "font"),
    (0, b"OTTO", "font"),
    (0, b"\0\x01\0\0\0", "font"),
];

fn riff_or_boxes(bytes: &[u8]) -> Option<Kind> {
    let tag = bytes.get(8..12)?;
    if bytes.starts_with(b"RIFF") {
        return Some(match tag {
            b"WEBP" => Kind::Image("webp"),
            b"WAVE" => Kind::Known("wav"),
            _ => Kind::Known("avi"),
        });
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        return Some(match tag {
            b"heic" | b"heix" | b"mif1" | b"msf1" => Kind::Image("heic"),
            b"avif" | b"avis" => Kind::Image("avif"),
            _ => Kind::Known("mp4"),
        });
    }
    // "BM" alone begins many a text; a bitmap also says its own size.
    let size = bytes.get(2..6)?.try_into().ok().map(u32::from_le_bytes)?;
    (bytes.starts_with(b"BM") && size as usize == bytes.len()).then_some(Kind::Image("bmp"))
}

fn by_entries(bytes: &[u8], limits: &Limits) -> Kind {
    let Ok(archive) = zip::ZipArchive::new(Cursor::new(bytes)) else {
        let head = &bytes[..bytes.len().min(1 << 16)];
        let seems = [("word/", "docx"), ("ppt/", "pptx"), ("xl/", "xlsx")]
            .into_iter()
            .find(|(folder, _)| find(head, folder.as_bytes()).is_some());
        let office = find(head, b"[Content_Types].xml").is_some();
        return Kind::BrokenContainer(match seems {
            Some((_, name)) => name,
            None if office => "office",
            None => "zip",
        });
    };
    let mut office = None;
    for name in archive.file_names_raw().take(limits.max_entries) {
        let name = String::from_utf8_lossy(name).replace('\\', "/").to_ascii_lowercase();
        let name = name.trim_start_matches('/');
        let found = match name {
            "word/document.xml" => Some(Kind::Docx),
            "ppt/presentation.xml" => Some(Kind::Pptx),
            "xl/workbook.xml" => Some(Kind::Xlsx),
            "xl/workbook.bin" => return Kind::Known("xlsb"),
            "meta-inf/container.xml" => return Kind::Known("epub"),
            "content.xml" => return Kind::Known("opendocument"),
            _ => None,
        };
        if found.is_some() {
            return found.unwrap_or(Kind::Unknown);
        }
        // A main part under an unusual name still lies in its folder.
        office = office.or(match name.split_once('/').map(|(folder, _)| folder) {
            Some("word") => Some(Kind::Docx),
            Some("ppt") => Some(Kind::Pptx),
            Some("xl") => Some(Kind::Xlsx),
            _ => None,
        });
    }
    office.unwrap_or(Kind::Known("zip"))
}

/// OLE directory entries carry UTF-16 names; finding one is enough to tell the program that wrote it.
fn by_streams(bytes: &[u8]) -> Kind {
    let has = |name: &str| {
        let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        find(bytes, &wide).is_some()
    };
    if has("EncryptedPackage") {
        Kind::EncryptedOffice
    } else if has("WordDocument") {
        Kind::LegacyOffice("doc")
    } else if has("Workbook") || has("Book") {
        Kind::LegacyOffice("xls")
    } else if has("PowerPoint Document") {
        Kind::LegacyOffice("ppt")
    } else if has("__properties_version1.0") {
        Kind::LegacyOffice("msg")
    } else {
        Kind::LegacyOffice("ole")
    }
}

/// The kind of a plain text: by what stands in it, then by the ending of its name.
#[must_use]
pub(crate) fn by_text(text: &str, name: &str) -> Kind {
    let head: String = text.chars().take(4096).collect();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let ending = ending.as_deref().unwrap_or("");
    if markup::looks_like_html(&head)
        || (matches!(ending, "html" | "htm" | "xhtml") && head.contains('<'))
    {
        return Kind::Html;
    }
    if markup::looks_like_email(&head) {
        return Kind::Email;
    }
    let start = head.trim_start();
    if start.starts_with("<?xml") {
        return Kind::Xml;
    }
    match ending {
        "md" | "markdown" | "mdx" => Kind::Markdown,
        "csv" | "tsv" => Kind::Csv,
        "json" | "jsonl" | "ndjson" | "geojson" => Kind::Json,
        "xml" | "svg" | "xsd" | "plist" => Kind::Xml,
        "log" => Kind::Log,
        _ if SOURCE.contains(&ending) => Kind::Source,
        "txt" | "text" => Kind::Text,
        _ if looks_like_json(text) => Kind::Json,
        _ if markup::looks_like_markdown(&head) => Kind::Markdown,
        _ => Kind::Text,
    }
}

const SOURCE: [&str; 36] = [
    "rs", "py", "js", "ts", "tsx", "jsx", "c", "h", "cc", "cpp", "hpp", "cs", "go", "java", "kt",
    "swift", "rb", "php", "pl", "sh", "bash", "ps1", "bat", "sql", "r", "m", "scala", "lua",
    "dart", "vue", "svelte", "css", "toml", "yaml", "yml", "ini",
];

fn looks_like_json(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['{', '['])
        && text.len() < 1 << 20
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Where `needle` first begins in `bytes`.
#[must_use]
pub(crate) fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len().max(1)).position(|window| window == needle)
}
