//! Each kind of document with what is easy to lose in it.

use crate::support::{read, text_of};
use nearside_test_kit::documents::{docx, docx_with_body, pdf, scanned_pdf, zip};
use nearside_types::FileStatus;

#[test]
fn a_fact_on_page_nine_of_twelve_is_on_page_nine() {
    let pages: Vec<String> =
        (1..=12).map(|n| format!("Page {n}\nThe code here is K{}.", n * 111)).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let extracted = read("report.pdf", &pdf(&pages));
    assert_eq!(
        (extracted.status, extracted.pages.len()),
        (FileStatus::Ok, 12),
        "{:?}",
        extracted.warnings
    );
    let with: Vec<u32> =
        extracted.pages.iter().filter(|p| p.text.contains("K999")).map(|p| p.page).collect();
    assert_eq!(with, [9]);
}

#[test]
fn chinese_in_a_font_that_is_only_named() {
    let extracted = read("a.pdf", &pdf(&["租金每月四千二百元", "English page"]));
    assert!(extracted.pages[0].text.contains("租金每月四千二百元"), "{:?}", extracted.warnings);
    assert!(extracted.pages[1].text.contains("English page"));
}

#[test]
fn scanned_pages_are_named() {
    let extracted = read("scan.pdf", &scanned_pdf(3));
    assert_eq!(extracted.status, FileStatus::NeedsOcr);
    assert!(extracted.warnings[0].text.starts_with("Pages 1-3:"), "{:?}", extracted.warnings);
}

#[test]
fn word_sections_boxes_tables_and_deletions() {
    let extracted =
        read("a.docx", &docx(&[("Rent", "4200 a month\nfrom March"), ("Deposit", "8400")]));
    let seen: Vec<(u32, &str)> =
        extracted.pages.iter().map(|p| (p.page, p.section.as_deref().unwrap_or(""))).collect();
    assert_eq!(seen, [(1, "Rent"), (2, "Deposit")]);
    assert_eq!(&*extracted.pages[0].text, "Rent\n4200 a month\nfrom March");

    let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let inner = format!("<w:txbxContent><w:p>{}</w:p></w:txbxContent>", run("in a box"));
    let boxed = format!(
        "<w:p>{}<w:r><AlternateContent><Choice>{inner}</Choice><Fallback>{inner}</Fallback></AlternateContent></w:r></w:p>",
        run("around it")
    );
    let cell = |text: &str| format!("<w:tc><w:p>{}</w:p></w:tc>", run(text));
    let table = format!(
        "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        cell("Name"),
        cell("Sum"),
        cell("李娜"),
        cell("4200")
    );
    let tracked = "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>kept</w:t></w:r></w:ins></w:p>";
    let extracted = read("a.docx", &docx_with_body(&format!("{boxed}{table}{tracked}")));
    assert_eq!(text_of(&extracted), "around it\nin a box\nName | Sum\n李娜 | 4200\nkept");
}

#[test]
fn html_as_its_reader_sees_it() {
    let page = "<html><head><title>Lease</title><script>var a = '<p>no</p>';</script>\
        <body><p>First &amp; second<p style='Display: None'>trap<p>third\
        <h2>Rent <b>due</b></h2><ul><li>one<li>two</ul>\
        <table><tr><td>a<td>b<tr><td>c<td>d</table><template>no</template><pre>x\n  y</pre>";
    let extracted = read("page.bin", page.as_bytes());
    assert_eq!(extracted.kind, "html");
    let seen: Vec<(Option<&str>, &str)> =
        extracted.pages.iter().map(|p| (p.section.as_deref(), &*p.text)).collect();
    assert_eq!(
        seen,
        [
            (None, "Lease\nFirst & second\nthird"),
            (Some("Rent due"), "Rent due\n- one\n- two\na | b\nc | d\nx\n  y"),
        ]
    );
    assert!(extracted.warnings[0].text.contains("1 hidden"), "{:?}", extracted.warnings);
}

#[test]
fn markdown_is_cut_at_its_headings_and_not_in_code() {
    let text =
        "intro\n\n# One\ntext\n```\n# not a heading\n```\n\nTwo\n---\nmore\n## Three ##\nend";
    let extracted = read("a.md", text.as_bytes());
    let titles: Vec<Option<&str>> = extracted.pages.iter().map(|p| p.section.as_deref()).collect();
    assert_eq!(titles, [None, Some("One"), Some("Two"), Some("Three")]);
    assert!(extracted.pages[1].text.contains("# not a heading"));
}

#[test]
fn rich_text_in_two_code_pages() {
    let text = br"{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset134 SimSun;}}\f0 Caf\'e9 \u8364?5\par\f1 \'d7\'e2\'bd\'f0{\*\generator x}\par\f0{\b done}}";
    let extracted = read("a.doc", text);
    assert_eq!(
        (extracted.kind.as_str(), text_of(&extracted).as_str()),
        ("rtf", "Café €5\n租金\ndone")
    );
}

#[test]
fn a_message_within_a_message() {
    let message = "From: a@example.com\r\nSubject: outer\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nhello\r\n\
        --x\r\nContent-Type: message/rfc822\r\n\r\nFrom: b@example.com\r\nSubject: inner\r\n\r\ndeep words\r\n\
        --x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=p.png\r\n\
        Content-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--x--\r\n";
    let extracted = read("m", message.as_bytes());
    assert_eq!(extracted.kind, "email");
    assert!(text_of(&extracted).contains("deep words"), "{:?}", text_of(&extracted));
    // The picture is named and said to be unread.
    assert_eq!(extracted.status, FileStatus::Partial);
    assert!(
        extracted.warnings.iter().any(|w| w.text.contains("p.png") && w.text.contains("pp-ocr"))
    );
}

#[test]
fn kinds_are_told_by_content() {
    let ole = |name: &str| {
        let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        [&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1][..], &[0; 504], &wide].concat()
    };
    let cases: Vec<(&str, Vec<u8>, &str, FileStatus)> = vec![
        ("a.pdf", Vec::new(), "empty", FileStatus::Empty),
        ("a.txt", b" \n\t\n".to_vec(), "text", FileStatus::Empty),
        ("a.txt", pdf(&["x"]), "pdf", FileStatus::Ok),
        ("a.pdf", b"just words".to_vec(), "text", FileStatus::Ok),
        ("a.docx", b"\x89PNG\r\n\x1a\n....".to_vec(), "png", FileStatus::NeedsOcr),
        ("a.docx", ole("WordDocument"), "doc", FileStatus::Unsupported),
        ("a.docx", ole("EncryptedPackage"), "office", FileStatus::Encrypted),
        ("a.xls", ole("Workbook"), "xls", FileStatus::Unsupported),
        ("a.docx", zip(&[("readme", b"x")]), "zip", FileStatus::Unsupported),
        ("a.json", b"{\"a\": 1}".to_vec(), "json", FileStatus::Ok),
        ("noname", b"{\"a\": 1}".to_vec(), "json", FileStatus::Ok),
        ("a.csv", b"a,b\n1,2\n".to_vec(), "csv", FileStatus::Ok),
        ("a.rs", b"fn main() {}\n".to_vec(), "source", FileStatus::Ok),
        ("a.bin", b"<?xml version=\"1.0\"?><a>x</a>".to_vec(), "xml", FileStatus::Ok),
        ("a.wav", b"RIFF\0\0\0\0WAVEfmt ".to_vec(), "wav", FileStatus::Unsupported),
    ];
    for (name, bytes, kind, status) in cases {
        let extracted = read(name, &bytes);
        assert_eq!((extracted.kind.as_str(), extracted.status), (kind, status), "{name}");
        assert!(status == FileStatus::Ok || !extracted.warnings.is_empty(), "{name} says nothing");
    }
}
