//! Pictures and scanned pages: read by a recogniser where there is one, told honestly where there is none. The
//! cases with the real model run in the real worker, within its bounds.

use crate::manifest::{Case, cases, judge};
use crate::support::{Home, read, shared, text_of, worker};
use image::{DynamicImage, ImageFormat, RgbImage};
use nearside_library::worker::extract_in_worker;
use nearside_library::{LibraryError, Limits, PictureReader, Source, extract_with_pictures};
use nearside_test_kit::FakeRecognizer;
use nearside_test_kit::documents::{mixed_pdf, scanned_pdf};
use nearside_types::{Cancel, Extracted, Failure, FileStatus};
use std::path::{Path, PathBuf};

fn picture(format: ImageFormat) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(RgbImage::new(40, 30)).write_to(&mut out, format).expect("a picture");
    out.into_inner()
}

fn read_with(fake: &FakeRecognizer, name: &str, bytes: &[u8]) -> Extracted {
    let mut pictures = PictureReader::lazy(|| Ok(Box::new(fake.clone())));
    let source = Source::Bytes { name, bytes };
    extract_with_pictures(source, &Limits::default(), &mut pictures, &Cancel::new(), &mut |_, _| {})
        .expect("a result")
}

fn codes(extracted: &Extracted) -> Vec<String> {
    let code = |warning| {
        let value = serde_json::to_value(warning).expect("JSON");
        value["code"].as_str().unwrap_or_default().to_owned()
    };
    extracted.warnings.iter().map(code).collect()
}

#[test]
fn a_picture_is_read_and_says_how_sure_it_is() {
    let check = |lines: &[(&str, f32)], status, text: &str, expected: &[&str]| {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Tiff, ImageFormat::Gif] {
            let extracted = read_with(&FakeRecognizer::new(lines), "a", &picture(format));
            assert_eq!((extracted.status, text_of(&extracted).as_str()), (status, text));
            assert_eq!(codes(&extracted), expected);
        }
    };
    let sure = [("租金", 0.99), ("Rent", 0.85)];
    check(&sure, FileStatus::Ok, "租金\nRent", &["pages_recognized"]);
    let unsure = [("Rent", 0.99), ("l40O", 0.61)];
    check(&unsure, FileStatus::Ok, "Rent\nl40O", &["pages_recognized", "pages_unsure"]);
    let extracted = read_with(&FakeRecognizer::new(&unsure), "a", &picture(ImageFormat::Png));
    assert!(extracted.warnings[1].text.contains("1, the least sure 61 %"));
    check(&[], FileStatus::Empty, "", &["no_text"]);
}

#[test]
fn only_the_pages_that_need_it_are_read_as_pictures() {
    let check = |bytes: &[u8], status, seen, text: &str| {
        let fake = FakeRecognizer::new(&[("scanned", 0.9)]);
        let extracted = read_with(&fake, "a.pdf", bytes);
        assert_eq!((extracted.status, fake.seen()), (status, seen), "{:?}", extracted.warnings);
        assert_eq!(text_of(&extracted), text);
    };
    check(&scanned_pdf(2), FileStatus::Ok, 2, "scanned\nscanned");
    check(&mixed_pdf("typed", 1), FileStatus::Ok, 1, "typed\nscanned");
    check(&mixed_pdf("typed", 0), FileStatus::Ok, 0, "typed");
    let without = read("a.pdf", &mixed_pdf("typed", 1));
    assert_eq!(without.status, FileStatus::Partial);
    assert!(without.warnings[0].text.contains("nearside models fetch pp-ocr"));
}

#[test]
fn what_cannot_be_read_says_why() {
    let fake = FakeRecognizer::new(&[("x", 0.9)]);
    let check = |bytes: &[u8], status, code: &str| {
        let extracted = read_with(&fake, "a", bytes);
        assert_eq!((extracted.status, codes(&extracted)), (status, vec![code.to_owned()]));
    };
    check(b"\x89PNG\r\n\x1a\n....", FileStatus::Corrupt, "picture_damaged");
    check(b"8BPS....", FileStatus::Unsupported, "picture_kind_not_read");
    assert_eq!(fake.seen(), 0);

    let mut pictures =
        PictureReader::lazy(|| Err(Failure::internal("The model is broken; get it again.")));
    let bytes = picture(ImageFormat::Png);
    let source = Source::Bytes { name: "a", bytes: &bytes };
    let broken = extract_with_pictures(
        source,
        &Limits::default(),
        &mut pictures,
        &Cancel::new(),
        &mut |_, _| {},
    )
    .expect("a result");
    assert_eq!((broken.status, codes(&broken)), (FileStatus::NeedsOcr, vec!["ocr_failed".into()]));
}

#[test]
fn a_cancel_while_a_picture_is_read_stops_it() {
    let cancel = Cancel::new();
    let stop = cancel.clone();
    let fake = FakeRecognizer::new(&[("x", 0.9)]);
    let mut pictures = PictureReader::lazy(|| Ok(Box::new(fake))).announcing(move || stop.cancel());
    let bytes = scanned_pdf(3);
    let source = Source::Bytes { name: "a.pdf", bytes: &bytes };
    let outcome =
        extract_with_pictures(source, &Limits::default(), &mut pictures, &cancel, &mut |_, _| {});
    assert!(matches!(outcome, Err(LibraryError::Cancelled)));
}

/// The folder of the installed model, none (with a sentence) where there is none.
fn model() -> Option<PathBuf> {
    let named = std::env::var_os("NEARSIDE_TEST_OCR_DIR").map(PathBuf::from);
    let found = named.or_else(|| {
        let models = std::env::var_os("NEARSIDE_MODELS_DIR")?;
        let versions = std::fs::read_dir(Path::new(&models).join("pp-ocr")).ok()?;
        let mut versions = versions.filter_map(|version| Some(version.ok()?.path()));
        versions.find(|version| version.join("ppocrv6_dict.txt").is_file())
    });
    if found.is_none() {
        println!("skipped: pp-ocr is neither NEARSIDE_TEST_OCR_DIR nor in NEARSIDE_MODELS_DIR");
    }
    found
}

const SCANS: [&str; 5] = [
    "docling_ocr_test.pdf",
    "docling_ocr_test_rotated_90.pdf",
    "markitdown_MEDRPT-2024-PAT-3847_medical_report_scan.pdf",
    "RapidOCR_en.jpg",
    "RapidOCR_img_exif_orientation.jpg",
];

#[test]
fn scans_are_read_in_the_worker() {
    let (Some(model), Some(folder)) = (model(), shared("data/files")) else { return };
    let program = worker(&["__extract-worker"]).with_pictures(Some(model));
    let scans: Vec<Case> =
        cases(&folder).into_iter().filter(|c| SCANS.contains(&&*c.file)).collect();
    assert_eq!(scans.len(), SCANS.len());
    for case in scans {
        let path = folder.join(&case.file);
        let begun = std::time::Instant::now();
        let outcome =
            extract_in_worker(&program, &path, &Limits::default(), &Cancel::new(), &mut |_, _| {})
                .expect("an outcome");
        let pages = outcome.extracted.pages.len();
        println!("{}: {pages} pages in {} ms", case.file, begun.elapsed().as_millis());
        assert!(!outcome.crashed, "{}: {:?}", case.file, outcome.extracted.warnings);
        assert_eq!(judge(&case, &outcome.extracted, false), Ok(true), "{}", case.file);
        assert!(codes(&outcome.extracted).contains(&"pages_recognized".to_owned()));
    }
}

#[test]
fn a_scan_waits_for_the_model_and_is_read_once_it_is_there() {
    let Some(model) = model() else { return };
    let mut home = Home::new();
    home.write("scan.pdf", mixed_pdf("typed", 1));
    let add = |home: &mut Home, program| {
        let options = crate::support::options(nearside_library::Reader::Worker(program));
        let documents = home.documents.clone();
        let report = home.library.index_add(&documents, &options, &Cancel::new(), &mut |_| {});
        report.expect("a report")
    };
    let program = worker(&["__extract-worker"]);
    assert_eq!(add(&mut home, program.clone()).files[0].status, FileStatus::Partial);
    assert_eq!(add(&mut home, program.clone()).unchanged, 1);
    let with = program.with_pictures(Some(model));
    // A picture of two by two pixels holds no text; that it was looked at is what counts.
    assert_eq!(add(&mut home, with.clone()).files[0].status, FileStatus::Ok);
    assert_eq!(add(&mut home, with).unchanged, 1);
}
