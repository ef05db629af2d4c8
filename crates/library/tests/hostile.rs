//! Bombs, endless nesting, cut-off files and noise: bounded, honest, and never a panic.

use crate::support::{read, read_within, shared, text_of};
use nearside_library::Limits;
use nearside_test_kit::documents::{docx, docx_with_body, pdf, zip};
use nearside_types::FileStatus;
use proptest::prelude::*;
use std::io::Write as _;

/// A zip with one deflated entry of zeros under Word's name.
fn bomb(bytes: usize) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for name in ["[Content_Types].xml", "word/document.xml", "xl/workbook.xml"] {
        writer.start_file(name, options).expect("an entry");
        let zeros = vec![b' '; 1 << 16];
        for _ in 0..bytes >> 16 {
            writer.write_all(&zeros).expect("room");
        }
    }
    writer.finish().expect("a zip").into_inner()
}

/// Opening a pipe would wait for its writer for ever.
#[cfg(unix)]
#[test]
fn pipes_devices_and_folders_are_not_opened() {
    use nearside_library::{LibraryError, Reader, Source, extract};
    use nearside_types::{Cancel, Trouble};

    let mut home = crate::support::Home::new();
    let pipe = home.documents.join("pipe.txt");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|s| s.success()));
    for path in [pipe.as_path(), std::path::Path::new("/dev/zero"), &home.documents] {
        let read = extract(Source::Path(path), &Limits::default(), &Cancel::new(), &mut |_, _| {});
        assert!(matches!(read, Err(LibraryError::NotAFile)), "{}", path.display());
    }
    let options = crate::support::options(Reader::InProcess);
    let mut add = |path| {
        home.library.index_add(path, &options, &Cancel::new(), &mut |_| {}).expect("a report")
    };
    assert_eq!(add(&pipe).files[0].warnings[0].what, Trouble::NotAFile);
    assert_eq!(add(&home.documents).files.len(), 0, "one in a folder is passed over");
}

#[test]
fn bombs_are_too_large() {
    let extracted = read("a.docx", &bomb(64 << 20));
    assert_eq!(extracted.status, FileStatus::TooLarge, "{:?}", extracted.warnings);
    let limits = Limits { max_entries: 3, ..Limits::default() };
    let extracted = read_within("a.docx", &docx(&[("a", "b")]), &limits);
    assert_eq!(extracted.status, FileStatus::TooLarge);
    let limits = Limits { max_unpacked_bytes: 100, ..Limits::default() };
    let extracted = read_within("a.docx", &docx(&[("a", "b")]), &limits);
    assert_eq!(extracted.status, FileStatus::TooLarge);
    let limits = Limits { max_file_bytes: 1 << 20, ..Limits::default() };
    let extracted = read_within("a.txt", &vec![b'a'; 2 << 20], &limits);
    assert_eq!(extracted.status, FileStatus::TooLarge);
    assert!(extracted.warnings[0].text.contains("1 MB"), "{:?}", extracted.warnings);
}

#[test]
fn long_texts_are_cut_and_say_so() {
    let limits = Limits { max_text_bytes: 1000, ..Limits::default() };
    let extracted = read_within("a.txt", "租金".repeat(1000).as_bytes(), &limits);
    assert_eq!(extracted.status, FileStatus::Partial);
    assert!(text_of(&extracted).len() <= 1000);
}

#[test]
fn nesting_ends() {
    let deep = format!("{}x{}", "<w:p>".repeat(100_000), "</w:p>".repeat(100_000));
    let extracted = read("a.docx", &docx_with_body(&deep));
    assert!(!extracted.warnings.is_empty());
    let page = format!("<html>{}end", "<div>".repeat(200_000));
    assert!(text_of(&read("a.html", page.as_bytes())).contains("end"));
    let rtf = format!("{{\\rtf1 {}", "{".repeat(100_000));
    assert_ne!(read("a.rtf", rtf.as_bytes()).status, FileStatus::Ok);
    let json = "[".repeat(200_000);
    assert_eq!(read("a", json.as_bytes()).status, FileStatus::Ok);
}

#[test]
fn entities_are_not_expanded() {
    let part = "<?xml version=\"1.0\"?><!DOCTYPE w [<!ENTITY a \"boom\"><!ENTITY b \"&a;&a;&a;\">\
        <!ENTITY c SYSTEM \"file:///etc/hostname\">]>\
        <w:document><w:body><w:p><w:r><w:t>x &b; &c; &lt; &#25151;</w:t></w:r></w:p></w:body></w:document>";
    let bytes =
        zip(&[("[Content_Types].xml", b"<Types/>"), ("word/document.xml", part.as_bytes())]);
    let text = text_of(&read("a.docx", &bytes));
    assert_eq!(text, "x &b; &c; < 房");
}

#[test]
fn truncated_files_never_panic() {
    let mut files = vec![
        ("a.docx".to_owned(), docx(&[("Heading", "Some words\nmore")])),
        ("a.pdf".to_owned(), pdf(&["one", "二", "three"])),
    ];
    if let Some(folder) = shared("data/files") {
        for name in [
            "calamine_date_1904.xlsx",
            "own_report_zh.pptx",
            "own_gb2312_multipart.eml",
            "own_gb2312_hidden.html",
            "pdfjs_vertical.pdf",
            "docling_docx_comments.docx",
            "own_customers_zh.xlsx",
            "pdfjs_saslprep-r6.pdf",
        ] {
            files.push((name.to_owned(), std::fs::read(folder.join(name)).expect("the file")));
        }
    }
    for (name, bytes) in files {
        let stride = (bytes.len() / 60).max(1);
        for end in (0..bytes.len()).step_by(stride) {
            read(&name, &bytes[..end]);
        }
        // And with one stretch overwritten.
        for at in (0..bytes.len()).step_by(stride * 2) {
            let mut bytes = bytes.clone();
            let end = (at + 16).min(bytes.len());
            bytes[at..end].fill(0xA5);
            read(&name, &bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn noise_never_panics(
        head in prop::sample::select(vec![
            &b""[..], b"%PDF-1.7\n", b"PK\x03\x04", b"{\\rtf1 ", b"<html>", b"<?xml version=\"1.0\"?>",
            b"From: a@b.c\r\nSubject: x\r\nMIME-Version: 1.0\r\n", b"\xFF\xFE", b"\xEF\xBB\xBF", b"# a\n",
        ]),
        noise in prop::collection::vec(any::<u8>(), 0..2000),
    ) {
        let extracted = read("noise", &[head, &noise].concat());
        prop_assert!(extracted.status == FileStatus::Ok || !extracted.warnings.is_empty());
        for (index, page) in extracted.pages.iter().enumerate() {
            prop_assert_eq!(page.page as usize, index + 1);
        }
    }

    #[test]
    fn any_unicode_text_comes_back(text in "[a-zA-Z0-9 ，。一-龥а-яぁ-ん]{1,200}") {
        let extracted = read("a.txt", text.as_bytes());
        prop_assert_eq!(text_of(&extracted), text.trim_end());
    }
}
