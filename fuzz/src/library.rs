//! Extraction: any bytes give a result with true page numbers and, where it is not ok, a sentence.
//!
//! Pictures are decoded and then only looked at. PDF is left out here: its parser is not ours, and the product
//! reads it in a process of its own.

use std::io::{Cursor, Write};

use image::{DynamicImage, ImageFormat, RgbaImage};
use nearside_library::{
    Limits, PictureReader, Source, extract as read, extract_with_pictures as read_with_pictures,
};
use nearside_types::{Cancel, Failure, FileStatus, PageImage, RecognizedLine, TextRecognizer};

/// The name breaks ties among kinds of text, so the first byte chooses one.
pub(crate) fn extract(input: &[u8]) {
    let Some((choice, bytes)) = input.split_first() else { return };
    if bytes[..bytes.len().min(1024)].windows(5).any(|window| window == b"%PDF-") {
        return;
    }
    let names = ["a.txt", "a.md", "a.html", "a.eml", "a.json", "a.docx"];
    let name = names[usize::from(*choice) % names.len()];
    let source = Source::Bytes { name, bytes };
    let outcome = read(source, &Limits::default(), &Cancel::new(), &mut |_, _| {});
    assert!(outcome.is_ok(), "bytes in memory gave an error");
    let Ok(extracted) = outcome else { return };
    assert!(
        extracted.status == FileStatus::Ok || !extracted.warnings.is_empty(),
        "no sentence says what is wrong"
    );
    for (index, page) in extracted.pages.iter().enumerate() {
        assert!(page.page as usize == index + 1, "the pages are not numbered from 1");
    }
}

pub(crate) fn documents() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 7] = [
        b"\x02<html><head><title>t</title><body><p hidden>x<h1>One</h1><table><tr><td>a<td>b</table>&amp;&#65306;",
        b"\x01# One\n\ntext\n```\n# no\n```\nTwo\n---\nmore [a](b)",
        b"\x03From: a@example.com\r\nSubject: =?GBK?B?udjT2rrPzaw=?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhi\r\n--x\r\nContent-Type: text/html\r\nContent-Disposition: attachment; filename=a.html\r\n\r\n<p>b\r\n--x--\r\n",
        b"\x00{\\rtf1\\ansicpg936{\\fonttbl{\\f0\\fcharset134 S;}}\\f0 \\'d7\\'e2\\u8364?{\\*\\x y}\\par z}",
        b"\x00\xBF\xCD\xBB\xA7\xD5\xC5\xCE\xB0\xA3\xAC\xCA\xD6\xBB\xFA13800138000\n\xE7\x94\xA8\xE6\x88\xB7\n",
        b"\x00\xFF\xFEa\0b\0\x2D\x4E",
        b"\x04{\"a\": [1, 2, {\"b\": null}]}",
    ];
    let mut all = texts.map(<[u8]>::to_vec).to_vec();
    let document = "<w:document><w:body><w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>One</w:t></w:r></w:p>\
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>a &amp; b</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>";
    let slide = "<p:sld><p:sp><a:p><a:r><a:t>words</a:t></a:r></a:p></p:sp></p:sld>";
    let list = "<p:presentation><p:sldIdLst><p:sldId id=\"256\" r:id=\"rId1\"/></p:sldIdLst></p:presentation>";
    let links = "<Relationships><Relationship Id=\"rId1\" Type=\"x/slide\" Target=\"slides/slide1.xml\"/></Relationships>";
    all.push(package(&[("word/document.xml", document)]));
    all.push(package(&[
        ("ppt/presentation.xml", list),
        ("ppt/_rels/presentation.xml.rels", links),
        ("ppt/slides/slide1.xml", slide),
    ]));
    all
}

/// Looks at every pixel and reads nothing.
struct Looker;

impl TextRecognizer for Looker {
    fn recognize(&self, image: &PageImage, _: &Cancel) -> Result<Vec<RecognizedLine>, Failure> {
        let pixels = u64::from(image.width) * u64::from(image.height);
        assert!(image.rgb.len() as u64 == pixels * 3, "a picture of another size");
        std::hint::black_box(image.rgb.iter().map(|byte| u64::from(*byte)).sum::<u64>());
        Ok(Vec::new())
    }
}

/// Decoding: any bytes give a picture within bounds or a sentence.
pub(crate) fn picture(input: &[u8]) {
    if input[..input.len().min(1024)].windows(5).any(|window| window == b"%PDF-") {
        return;
    }
    let limits =
        Limits { max_picture_pixels: 1 << 20, max_picture_bytes: 16 << 20, ..Limits::default() };
    let mut pictures = PictureReader::lazy(|| Ok(Box::new(Looker)));
    let source = Source::Bytes { name: "a.png", bytes: input };
    let outcome =
        read_with_pictures(source, &limits, &mut pictures, &Cancel::new(), &mut |_, _| {});
    assert!(outcome.is_ok(), "bytes in memory gave an error");
    let Ok(extracted) = outcome else { return };
    assert!(
        extracted.status == FileStatus::Ok || !extracted.warnings.is_empty(),
        "no sentence says what is wrong"
    );
}

pub(crate) fn pictures() -> Vec<Vec<u8>> {
    let picture =
        RgbaImage::from_fn(9, 7, |x, y| image::Rgba([x as u8 * 20, y as u8 * 30, 7, 255]));
    let picture = DynamicImage::ImageRgb8(DynamicImage::ImageRgba8(picture).into_rgb8());
    let formats = [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::WebP,
        ImageFormat::Bmp,
        ImageFormat::Tiff,
        ImageFormat::Gif,
    ];
    let encoded = |format: &ImageFormat| {
        let mut out = Cursor::new(Vec::new());
        picture.write_to(&mut out, *format).ok().map(|()| out.into_inner())
    };
    formats.iter().filter_map(encoded).collect()
}

/// Stored, not deflated, so that mutations reach the parts.
fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, text) in parts {
        if writer.start_file(*name, options).is_err() || writer.write_all(text.as_bytes()).is_err()
        {
            return Vec::new();
        }
    }
    let bytes = writer.finish().map(Cursor::into_inner).unwrap_or_default();
    [&[5], &bytes[..]].concat()
}
