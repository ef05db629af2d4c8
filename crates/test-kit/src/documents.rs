//! Small valid documents made in code: PDF pages of given text, pictures without text, Word sections.
//!
//! They are as plain as the formats allow, so that a test that fails says something about the reader. They
//! are not a general writer: no fonts are embedded and lines are not broken.

use std::fmt::Write as _;

/// A PDF with one page for each text. Lines are those of the text. Text beyond ASCII is set in a Chinese
/// font by name (`UniGB-UCS2-H`), as office programs write it.
#[must_use]
pub fn pdf(pages: &[&str]) -> Vec<u8> {
    let mut writer = PdfWriter::new();
    let latin = writer.object(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    );
    let descriptor = writer.object(
        "<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] \
         /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>",
    );
    let descendant = writer.object(&format!(
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 \
         /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor {descriptor} 0 R >>"
    ));
    let chinese = writer.object(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [{descendant} 0 R] >>"
    ));
    let resources = format!("<< /Font << /F1 {latin} 0 R /F2 {chinese} 0 R >> >>");
    for text in pages {
        let mut content = String::from("BT\n14 TL\n72 720 Td\n");
        for line in text.lines() {
            if line.is_ascii() {
                let escaped = line.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
                let _ = writeln!(content, "/F1 11 Tf ({escaped}) Tj T*");
            } else {
                let hex = line.encode_utf16().fold(String::new(), |mut hex, unit| {
                    let _ = write!(hex, "{unit:04X}");
                    hex
                });
                let _ = writeln!(content, "/F2 11 Tf <{hex}> Tj T*");
            }
        }
        content.push_str("ET\n");
        writer.page(&resources, &content);
    }
    writer.finish()
}

/// A PDF whose pages show a small picture and hold no text, as a scanner makes them.
#[must_use]
pub fn scanned_pdf(pages: usize) -> Vec<u8> {
    let mut writer = PdfWriter::new();
    let image = writer.stream(
        "/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8",
        "\u{1}z\u{2}y",
    );
    for _ in 0..pages {
        let resources = format!("<< /XObject << /Im1 {image} 0 R >> >>");
        writer.page(&resources, "q 400 0 0 600 72 72 cm /Im1 Do Q\n");
    }
    writer.finish()
}

/// A PDF with one page of plain ASCII text, then pages as a scanner makes them.
#[must_use]
pub fn mixed_pdf(text: &str, scanned: usize) -> Vec<u8> {
    let mut writer = PdfWriter::new();
    let latin = writer.object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
    let image = writer.stream(
        "/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8",
        "\u{1}z\u{2}y",
    );
    let resources = format!("<< /Font << /F1 {latin} 0 R >> >>");
    writer.page(&resources, &format!("BT 72 720 Td /F1 11 Tf ({text}) Tj ET\n"));
    for _ in 0..scanned {
        let resources = format!("<< /XObject << /Im1 {image} 0 R >> >>");
        writer.page(&resources, "q 400 0 0 600 72 72 cm /Im1 Do Q\n");
    }
    writer.finish()
}

struct PdfWriter {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
    pages: Vec<usize>,
}

/// Numbers of the catalogue and the page tree, written last.
const CATALOGUE: usize = 1;
const TREE: usize = 2;

impl PdfWriter {
    fn new() -> Self {
        Self {
            bytes: b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n".to_vec(),
            offsets: vec![0; 2],
            pages: Vec::new(),
        }
    }

    fn object(&mut self, body: &str) -> usize {
        self.offsets.push(0);
        let number = self.offsets.len();
        self.write(number, body);
        number
    }

    fn stream(&mut self, entries: &str, data: &str) -> usize {
        self.object(&format!("<< {entries} /Length {} >>\nstream\n{data}\nendstream", data.len()))
    }

    fn page(&mut self, resources: &str, content: &str) {
        let content = self.stream("", content);
        let page = self.object(&format!(
            "<< /Type /Page /Parent {TREE} 0 R /MediaBox [0 0 612 792] /Resources {resources} /Contents {content} 0 R >>"
        ));
        self.pages.push(page);
    }

    fn write(&mut self, number: usize, body: &str) {
        self.offsets[number - 1] = self.bytes.len();
        self.bytes.extend_from_slice(format!("{number} 0 obj\n{body}\nendobj\n").as_bytes());
    }

    fn finish(mut self) -> Vec<u8> {
        let kids = self.pages.iter().fold(String::new(), |mut kids, page| {
            let _ = write!(kids, "{page} 0 R ");
            kids
        });
        let tree = format!("<< /Type /Pages /Count {} /Kids [ {kids}] >>", self.pages.len());
        self.write(TREE, &tree);
        self.write(CATALOGUE, &format!("<< /Type /Catalog /Pages {TREE} 0 R >>"));
        let start = self.bytes.len();
        let size = self.offsets.len() + 1;
        let mut end = format!("xref\n0 {size}\n0000000000 65535 f \n");
        for offset in &self.offsets {
            let _ = writeln!(end, "{offset:010} 00000 n ");
        }
        let _ = write!(
            end,
            "trailer\n<< /Size {size} /Root {CATALOGUE} 0 R >>\nstartxref\n{start}\n%%EOF\n"
        );
        self.bytes.extend_from_slice(end.as_bytes());
        self.bytes
    }
}

/// A Word document: a heading and its paragraphs (lines of the text) for each section.
#[must_use]
pub fn docx(sections: &[(&str, &str)]) -> Vec<u8> {
    let mut body = String::new();
    for (heading, text) in sections {
        let heading = escape(heading);
        let _ = write!(
            body,
            "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t xml:space=\"preserve\">{heading}</w:t></w:r></w:p>"
        );
        for line in text.lines() {
            let _ = write!(
                body,
                "<w:p><w:r><w:t xml:space=\"preserve\">{}</w:t></w:r></w:p>",
                escape(line)
            );
        }
    }
    docx_with_body(&body)
}

/// A Word document around the given WordprocessingML, for what `docx` cannot write.
#[must_use]
pub fn docx_with_body(body: &str) -> Vec<u8> {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
    let types = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
        <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
        <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
        <Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/>\
        <Override PartName=\"/word/styles.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml\"/></Types>";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relations = "http://schemas.openxmlformats.org/package/2006/relationships";
    let root = format!(
        "<Relationships xmlns=\"{relations}\"><Relationship Id=\"rId1\" Type=\"{office}/officeDocument\" Target=\"word/document.xml\"/></Relationships>"
    );
    let parts = format!(
        "<Relationships xmlns=\"{relations}\"><Relationship Id=\"rId1\" Type=\"{office}/styles\" Target=\"styles.xml\"/></Relationships>"
    );
    let word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    let styles = format!(
        "<w:styles xmlns:w=\"{word}\"><w:style w:type=\"paragraph\" w:styleId=\"Heading1\"><w:name w:val=\"heading 1\"/></w:style></w:styles>"
    );
    let document = format!("<w:document xmlns:w=\"{word}\"><w:body>{body}</w:body></w:document>");
    let part = |text: &str| format!("{head}{text}").into_bytes();
    zip(&[
        ("[Content_Types].xml", &part(types)),
        ("_rels/.rels", &part(&root)),
        ("word/_rels/document.xml.rels", &part(&parts)),
        ("word/styles.xml", &part(&styles)),
        ("word/document.xml", &part(&document)),
    ])
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A zip of stored entries (APPNOTE 4.3), dated 1 January 1980, so that the same input gives the same bytes.
#[must_use]
pub fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in entries {
        let offset = long(bytes.len());
        let mut shared = Vec::new();
        shared.extend_from_slice(&[20, 0, 0, 8, 0, 0, 0, 0, 0x21, 0]);
        shared.extend_from_slice(&crc32(data).to_le_bytes());
        shared.extend_from_slice(&long(data.len()));
        shared.extend_from_slice(&long(data.len()));
        shared.extend_from_slice(&short(name.len()));
        shared.extend_from_slice(&[0, 0]);
        bytes.extend_from_slice(b"PK\x03\x04");
        bytes.extend_from_slice(&shared);
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(data);
        directory.extend_from_slice(b"PK\x01\x02\x14\0");
        directory.extend_from_slice(&shared);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&offset);
        directory.extend_from_slice(name.as_bytes());
    }
    let (start, size) = (long(bytes.len()), long(directory.len()));
    bytes.extend_from_slice(&directory);
    bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    bytes.extend_from_slice(&short(entries.len()));
    bytes.extend_from_slice(&short(entries.len()));
    bytes.extend_from_slice(&size);
    bytes.extend_from_slice(&start);
    bytes.extend_from_slice(&[0, 0]);
    bytes
}

fn long(value: usize) -> [u8; 4] {
    u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes()
}

fn short(value: usize) -> [u8; 2] {
    u16::try_from(value).unwrap_or(u16::MAX).to_le_bytes()
}

fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(!0_u32, |mut crc, &byte| {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
        crc
    })
}
