//! Workers that serve, and workers that die, hang, flood and starve: each a result, none an error.

use crate::support::{Home, options, worker};
use nearside_library::worker::{Outcome, Program, extract_in_worker};
use nearside_library::{LibraryError, Limits, Reader, Source, extract};
use nearside_test_kit::documents::pdf;
use nearside_types::{Cancel, FileStatus};
use std::path::Path;
use std::time::{Duration, Instant};

fn run(program: &Program, path: &Path, limits: &Limits) -> Result<Outcome, LibraryError> {
    extract_in_worker(program, path, limits, &Cancel::new(), &mut |_, _| {})
}

#[test]
fn a_worker_reads_what_we_read() {
    let home = Home::new();
    let path = home.write("报告 1.pdf", pdf(&["one", "二", "three"]));
    let mut seen = Vec::new();
    let mut progress = |done, total| seen.push((done, total));
    let program = worker(&["__extract-worker"]);
    let outcome =
        extract_in_worker(&program, &path, &Limits::default(), &Cancel::new(), &mut progress)
            .expect("an outcome");
    let here = extract(Source::Path(&path), &Limits::default(), &Cancel::new(), &mut |_, _| {});
    assert_eq!(outcome, Outcome { extracted: here.expect("a result"), crashed: false });
    assert_eq!(seen.last(), Some(&(3, 3)));
}

#[test]
fn dead_and_babbling_workers_are_results() {
    let home = Home::new();
    let path = home.write("a.txt", "words");
    let limits = Limits { max_text_bytes: 1 << 16, ..Limits::default() };
    for way in ["crash", "flood"] {
        let outcome = run(&worker(&[way]), &path, &limits).expect("an outcome");
        assert!(outcome.crashed, "{way}");
        assert_eq!(outcome.extracted.status, FileStatus::Corrupt, "{way}");
        assert!(!outcome.extracted.warnings.is_empty(), "{way}");
    }
}

#[cfg(unix)]
#[test]
fn memory_is_bounded() {
    let home = Home::new();
    let path = home.write("a.txt", "words");
    let limits = Limits { worker_memory_bytes: 256 << 20, ..Limits::default() };
    // One that needs little serves within the same bound, so hunger is what ends the other.
    let outcome = run(&worker(&["__extract-worker"]), &path, &limits).expect("an outcome");
    assert!(!outcome.crashed, "{:?}", outcome.extracted.warnings);
    let outcome = run(&worker(&["hungry"]), &path, &limits).expect("an outcome");
    assert!(outcome.crashed);
}

#[test]
fn time_is_bounded_and_a_cancel_is_quick() {
    let home = Home::new();
    let path = home.write("a.txt", "words");
    let limits = Limits { worker_seconds: 1, ..Limits::default() };
    let outcome = run(&worker(&["hang"]), &path, &limits).expect("an outcome");
    assert!(outcome.crashed && outcome.extracted.warnings[0].text.contains("1 seconds"));

    let cancel = Cancel::new();
    cancel.cancel();
    let begun = Instant::now();
    let program = worker(&["hang"]);
    let outcome = extract_in_worker(&program, &path, &Limits::default(), &cancel, &mut |_, _| {});
    assert!(matches!(outcome, Err(LibraryError::Cancelled)));
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn missing_things_are_told_apart() {
    let home = Home::new();
    let program = worker(&["__extract-worker"]);
    let missing = run(&program, &home.documents.join("none"), &Limits::default());
    assert!(matches!(missing, Err(LibraryError::NotFound)));
    let path = home.write("a.txt", "words");
    let gone = Program::ours(home.documents.join("no-program"));
    assert!(matches!(run(&gone, &path, &Limits::default()), Err(LibraryError::WorkerMissing(_))));
}

#[test]
fn a_file_that_crashes_twice_is_left_alone_and_the_others_go_on() {
    let mut home = Home::new();
    home.write("a.txt", "first words");
    home.write("poison.txt", "second words");
    home.write("z.txt", "third words");
    let options = options(Reader::Worker(worker(&["crash-on-poison"])));
    let documents = home.documents.clone();
    let report = home
        .library
        .index_add(&documents, &options, &Cancel::new(), &mut |_| {})
        .expect("a report");
    let states: Vec<FileStatus> = report.files.iter().map(|file| file.status).collect();
    assert_eq!(states, [FileStatus::Ok, FileStatus::Corrupt, FileStatus::Ok]);
    let sentence: String = report.files[1].warnings.iter().map(|w| w.text.as_str()).collect();
    assert!(sentence.contains("twice"), "{sentence}");

    // The same content under another name is not tried again, even by a worker that cannot start.
    home.write("copy.txt", "second words");
    let never = crate::support::options(Reader::Worker(worker(&["crash"])));
    let path = home.documents.join("copy.txt");
    let report =
        home.library.index_add(&path, &never, &Cancel::new(), &mut |_| {}).expect("a report");
    assert_eq!(report.files[0].warnings.len(), 1, "{:?}", report.files[0].warnings);
}
