//! The sealed library: what is put in is found, in both languages, and what is forgotten is gone.

use crate::support::{Home, options, shared};
use nearside_library::{LibraryError, Reader};
use nearside_test_kit::documents::{docx, pdf};
use nearside_types::{Cancel, FileStatus, IndexProgress};

pub(crate) fn add(home: &mut Home) -> nearside_library::IndexReport {
    let documents = home.documents.clone();
    home.library
        .index_add(&documents, &options(Reader::InProcess), &Cancel::new(), &mut |_| {})
        .expect("a report")
}

#[test]
fn words_of_all_kinds_are_found() {
    let mut home = Home::new();
    home.write("zh.txt", "昨天重跑gen-itgc后，用户反馈怀孕险的保单编号INV-2024-0071仍然缺失。堃");
    home.write("en.md", "# Café Müller\nThe résumé mentions parse_token and Straße 13800138000.\n");
    home.write("ja.txt", "データベースのガイドを参照してください。");
    home.write("other.txt", "用心户外，重新跑步。gen z itgc. INV 0071 2024.");
    add(&mut home);
    let cases = [
        ("用户", "zh.txt"),
        ("怀孕", "zh.txt"),
        ("堃", "zh.txt"),
        ("重跑gen-itgc后", "zh.txt"),
        ("INV-2024-0071", "zh.txt"),
        ("inv-2024", "zh.txt"),
        ("保单编号", "zh.txt"),
        ("cafe muller", "en.md"),
        ("RESUME", "en.md"),
        ("résumé", "en.md"),
        ("parse_tok", "en.md"),
        ("mention", "en.md"),
        ("1380013", "en.md"),
        ("ガイド", "ja.txt"),
        ("データ", "ja.txt"),
        ("Ｉｎｖ－２０２４－００７１", "zh.txt"),
        ("\"unbalanced AND ( résumé*", "en.md"),
    ];
    for (question, file) in cases {
        let hits = home.library.search(question, None, 5).expect("hits");
        let first = hits.first().unwrap_or_else(|| panic!("{question} finds nothing"));
        assert!(first.file.ends_with(file), "{question} finds another file first");
        assert_eq!((first.how.as_str(), first.page), ("keyword", 1));
    }
    for question in ["", "  ?!", "不存在的词语组合", "zzzz"] {
        let hits = home.library.search(question, None, 5).expect("hits");
        assert!(hits.iter().all(|hit| !hit.text.contains("zzzz")), "{question}");
    }
    assert!(home.library.search("zzzz", None, 5).expect("hits").is_empty());
}

#[test]
fn hits_name_page_section_and_place() {
    let mut home = Home::new();
    let pages: Vec<String> =
        (1..=12).map(|n| format!("Page {n}\nMeter M{n} reads {}.", n * 37)).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    home.write("report.pdf", pdf(&pages));
    home.write(
        "lease.docx",
        docx(&[("Rent", "4200 a month"), ("Deposit", "Two months in advance")]),
    );
    add(&mut home);
    assert_eq!(home.library.search("meter M9", None, 3).expect("hits")[0].page, 9);
    let hit = &home.library.search("months in advance", None, 3).expect("hits")[0];
    assert_eq!((hit.page, hit.section.as_deref()), (2, Some("Deposit")));
    let passage = &home.library.passages("advance", 1).expect("passages")[0];
    assert_eq!(passage.end - passage.start, passage.text.chars().count());
}

#[test]
fn only_changed_files_are_read_again() {
    let mut home = Home::new();
    home.write("a.txt", "alpha words");
    home.write("sub/b.txt", "beta words");
    home.write("node_modules/c.txt", "left out");
    let first = add(&mut home);
    assert_eq!((first.files.len(), first.unchanged), (2, 0));
    let second = add(&mut home);
    assert_eq!((second.files.len(), second.unchanged), (0, 2));
    home.write("a.txt", "gamma words of another length");
    std::fs::remove_file(home.documents.join("sub/b.txt")).expect("removed");
    let third = add(&mut home);
    assert_eq!((third.files.len(), third.unchanged, third.removed), (1, 0, 1));
    assert!(home.library.search("alpha", None, 3).expect("hits").is_empty());
    assert!(home.library.search("beta", None, 3).expect("hits").is_empty());
    assert_eq!(home.library.search("gamma", None, 3).expect("hits").len(), 1);
    let status = home.library.status().expect("a status");
    assert_eq!((status.items.len(), status.chunks), (1, 1));
}

#[cfg(unix)]
#[test]
fn links_in_circles_end() {
    let mut home = Home::new();
    home.write("a/one.txt", "one");
    std::os::unix::fs::symlink(&home.documents, home.documents.join("a/loop")).expect("a link");
    std::os::unix::fs::symlink(home.documents.join("a/one.txt"), home.documents.join("two.txt"))
        .expect("a link");
    std::os::unix::fs::symlink("nowhere", home.documents.join("broken")).expect("a link");
    assert_eq!(add(&mut home).files.len(), 1);
    assert_eq!(add(&mut home).unchanged, 1);
}

/// Somebody who adds a folder means what lies in it, and forgetting the folder must reach all that came with it.
#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_told_and_not_followed() {
    let mut home = Home::new();
    let other = tempfile::tempdir().expect("another folder");
    std::fs::write(other.path().join("secret.txt"), "walnut").expect("a file");
    home.write("one.txt", "one");
    let link = |to: &std::path::Path, name: &str| {
        std::os::unix::fs::symlink(to, home.documents.join(name)).expect("a link");
    };
    link(other.path(), "folder");
    link(&other.path().join("secret.txt"), "file.txt");
    let report = add(&mut home);
    let told: Vec<_> = report.files.iter().map(|file| file.status).collect();
    assert_eq!(told, [FileStatus::Ok, FileStatus::Unsupported, FileStatus::Unsupported]);
    assert!(home.library.search("walnut", None, 3).expect("hits").is_empty());
    assert_eq!(home.library.status().expect("a status").items.len(), 1);
}

#[test]
fn a_cancel_keeps_what_was_done() {
    let mut home = Home::new();
    for n in 0..10 {
        home.write(&format!("{n}.txt"), format!("number {n}"));
    }
    let cancel = Cancel::new();
    let documents = home.documents.clone();
    let mut last = IndexProgress::default();
    let mut progress = |state: IndexProgress| {
        assert!(state.done >= last.done, "progress only moves forward");
        last = state;
        if state.done == 4 {
            cancel.cancel();
        }
    };
    let options = options(Reader::InProcess);
    let report =
        home.library.index_add(&documents, &options, &cancel, &mut progress).expect("a report");
    assert!(report.cancelled);
    assert_eq!(report.files.len(), 4);
    let rest = add(&mut home);
    assert_eq!((rest.files.len(), rest.unchanged), (6, 4));
}

#[test]
fn forgetting_leaves_no_trace() {
    let mut home = Home::new();
    let text: String = (0..2000).map(|n| format!("secretword{n} 秘密{n} stays here. ")).collect();
    let path = home.write("secret.txt", &text);
    home.write("kept.txt", "stays here and 其他 content");
    add(&mut home);
    // The search itself must be able to find something.
    assert!(home.library.traces_of(&path).expect("a search") > 1000);
    let forgotten = home.library.forget(&path).expect("forgotten");
    assert_eq!(forgotten.traces_found, 0);
    assert!(forgotten.bytes_freed > 50_000, "{}", forgotten.bytes_freed);
    assert!(home.library.search("secretword7", None, 3).expect("hits").is_empty());
    assert_eq!(home.library.search("其他", None, 3).expect("hits").len(), 1);
    assert!(matches!(home.library.forget(&path), Err(LibraryError::NotIndexed)));
}

#[test]
fn removing_is_quicker_and_leaves_traces_that_the_search_sees() {
    let mut home = Home::new();
    let path = home.write("a/one.txt", "unmistakable words of one");
    home.write("a/two.txt", "words of two");
    add(&mut home);
    assert_eq!(home.library.remove(&home.documents.join("a")).expect("removed"), 2);
    assert!(home.library.search("unmistakable", None, 3).expect("hits").is_empty());
    assert!(path.exists());
}

#[test]
fn what_lies_on_disk_is_sealed() {
    let mut home = Home::new();
    home.write("a.txt", "unmistakable phrase in the clear");
    add(&mut home);
    for entry in std::fs::read_dir(home.folder.path().join("data")).expect("the data folder") {
        let bytes = std::fs::read(entry.expect("an entry").path()).unwrap_or_default();
        assert!(!bytes.windows(12).any(|window| window == b"unmistakable"));
    }
}

#[test]
fn unreadable_files_have_a_state_and_the_rest_goes_on() {
    let mut home = Home::new();
    home.write("a.zip", b"PK\x03\x04broken");
    home.write("b.png", b"\x89PNG\r\n\x1a\n");
    home.write("c.txt", "words");
    home.write("d.txt", "");
    let report = add(&mut home);
    let states: Vec<FileStatus> = report.files.iter().map(|file| file.status).collect();
    use FileStatus::{Corrupt, Empty, NeedsOcr, Ok};
    assert_eq!(states, [Corrupt, NeedsOcr, Ok, Empty]);
    let status = home.library.status().expect("a status");
    assert!(status.items.iter().all(|item| item.status == Ok || !item.warnings.is_empty()));
}

#[test]
fn real_questions_find_their_page() {
    let Some(folder) = shared("data/docs") else { return };
    let mut home = Home::new();
    let begun = std::time::Instant::now();
    let options = options(Reader::InProcess);
    let report = home
        .library
        .index_add(&folder.join("files"), &options, &Cancel::new(), &mut |_| {})
        .expect("a report");
    let pages: u32 = report.files.iter().map(|file| file.pages).sum();
    println!("{pages} pages and sections indexed in {:.1} s", begun.elapsed().as_secs_f64());
    // Covers that are one picture make a file partial, and nothing is worse than that.
    let read = |status| matches!(status, FileStatus::Ok | FileStatus::Partial);
    assert!(report.files.iter().all(|file| read(file.status)), "{:?}", report.files);
    let questions = std::fs::read_to_string(folder.join("questions.jsonl")).expect("questions");
    let (mut found, mut all) = (0, 0);
    for line in questions.lines() {
        let question: serde_json::Value = serde_json::from_str(line).expect("a question");
        let text = question["question"].as_str().expect("its text");
        let file = question["doc_id"].as_str().expect("its document");
        all += 1;
        let hits = home.library.search(text, None, 5).expect("hits");
        // Markdown is cited by section, so only its file is compared here.
        let page = question["page"].as_u64();
        found += usize::from(hits.iter().any(|hit| {
            hit.file.contains(file) && page.is_none_or(|page| u64::from(hit.page) == page)
        }));
    }
    println!("{found} of {all} questions have their page among five hits");
    assert!(found * 10 >= all * 6, "{found} of {all}");
}
