//! Installing, listing, verifying, going back and removing, in a folder of the test's own.
#![expect(clippy::unwrap_used, reason = "helpers of tests: a panic is how a test fails")]

use std::fs;
use std::path::Path;

use nearside_catalog::{
    Catalog, CatalogError, ModelLock, Pointer, check_space, finish, fit, folder_of, install, lock,
    models_dir, needed_space, partial_path, path_of, remove, rollback, sha256_file, states, verify,
};
use nearside_types::{Cancel, Failure, FailureKind, Fit, ModelInfo, ModelState};
use tempfile::TempDir;

fn sha(bytes: &[u8]) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("bytes");
    fs::write(&path, bytes).unwrap();
    sha256_file(&path, &Cancel::new(), &mut |_| {}).unwrap().0
}

fn catalog(version: &str, content: &[u8]) -> Catalog {
    Catalog::parse(&format!(
        r#"format = 1
[[model]]
name = "tiny"
title = "Tiny"
purpose = "chat"
family = "llama"
kind = "gguf"
version = "{version}"
languages = ["en"]
licence = "MIT"
memory_min_mb = 1000
memory_mb = 2000
files = [{{ name = "weights.gguf", size = {}, sha256 = "{}" }}]
[[model.source]]
hub = "owner/tiny"
revision = "main"
files = [{{ from = "weights.gguf", to = "weights.gguf" }}]
"#,
        content.len(),
        sha(content)
    ))
    .unwrap()
}

struct House {
    folder: TempDir,
}

impl House {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn lock(&self) -> ModelLock {
        lock(self.path(), "tiny").unwrap()
    }

    /// As a download leaves it, then finished.
    fn fetch(&self, version: &str, content: &[u8]) -> Result<(), CatalogError> {
        let catalog = catalog(version, content);
        self.arrive(&catalog, content);
        self.finish(&catalog)
    }

    fn arrive(&self, catalog: &Catalog, content: &[u8]) {
        let partial = partial_path(self.path(), catalog.get("tiny").unwrap(), "weights.gguf");
        fs::create_dir_all(partial.parent().unwrap()).unwrap();
        fs::write(&partial, content).unwrap();
        fs::write(partial.with_file_name("weights.gguf.partial.json"), b"{}").unwrap();
    }

    fn finish(&self, catalog: &Catalog) -> Result<(), CatalogError> {
        let entry = catalog.get("tiny").unwrap();
        let cancel = Cancel::new();
        finish(entry, self.path(), "hub owner/tiny", &self.lock(), &cancel, &mut |_| {})
    }

    fn state(&self, catalog: &Catalog) -> ModelInfo {
        states(catalog, self.path(), None).into_iter().find(|info| info.name == "tiny").unwrap()
    }

    fn leftovers(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path().join("tiny")) else { return Vec::new() };
        let names = entries.flatten().map(|entry| entry.file_name().display().to_string());
        let mut names: Vec<String> = names.filter(|name| name.contains("partial")).collect();
        names.sort();
        names
    }
}

#[test]
fn a_download_becomes_a_model_in_one_step() {
    let house = House::new();
    let known = catalog("1", b"one");
    assert_eq!(house.state(&known).state, ModelState::Available);
    assert!(matches!(path_of(&known, house.path(), "tiny"), Err(CatalogError::NotInstalled(_))));

    house.arrive(&known, b"on");
    let info = house.state(&known);
    assert_eq!((info.state, info.done), (ModelState::Partial, 2));
    {
        let _held = house.lock();
        assert_eq!(house.state(&known).state, ModelState::Downloading);
        assert!(matches!(lock(house.path(), "tiny"), Err(CatalogError::Busy(_))));
        assert!(matches!(remove(&known, house.path(), "tiny"), Err(CatalogError::Busy(_))));
    }

    house.fetch("1", b"one").unwrap();
    let info = house.state(&known);
    assert_eq!(info.state, ModelState::Installed);
    assert_eq!(info.source, "hub owner/tiny");
    assert_eq!((info.size, info.done, info.previous), (3, 3, None));
    let path = path_of(&known, house.path(), "tiny").unwrap();
    assert_eq!(info.path.unwrap(), path.display().to_string());
    assert_eq!(fs::read(&path).unwrap(), b"one");
    assert_eq!(folder_of(&known, house.path(), "tiny").unwrap(), path.parent().unwrap());
    assert!(house.leftovers().is_empty(), "{:?}", house.leftovers());
}

#[test]
fn wrong_bytes_are_never_installed_and_leave_nothing() {
    for (content, code) in [(&b"two"[..], "model_wrong_hash"), (&b"longer"[..], "model_wrong_size")]
    {
        let house = House::new();
        let known = catalog("1", b"one");
        house.arrive(&known, content);
        let error = house.finish(&known).unwrap_err();
        assert_eq!(error.code(), code);
        let sentence = error.to_string();
        assert!(sentence.contains("weights.gguf"), "{sentence}");
        let info = house.state(&known);
        assert_eq!((info.state, info.done), (ModelState::Available, 0));
        assert!(!house.leftovers().iter().any(|name| name == "weights.gguf.partial"));
    }
}

#[test]
fn one_version_back_and_forth_and_older_ones_go() {
    let house = House::new();
    for (version, content) in [("1", "one"), ("2", "two"), ("3", "three")] {
        house.fetch(version, content.as_bytes()).unwrap();
    }
    let known = catalog("3", b"three");
    let read = |known: &Catalog| fs::read(path_of(known, house.path(), "tiny").unwrap()).unwrap();
    assert_eq!(read(&known), b"three");
    assert!(!house.path().join("tiny/1").exists());
    assert_eq!(house.state(&known).previous.as_deref(), Some("2"));
    assert_eq!(rollback(house.path(), "tiny").unwrap(), "2");
    assert_eq!(read(&known), b"two");
    let info = house.state(&known);
    assert_eq!((info.version.as_str(), info.previous.as_deref()), ("2", Some("3")));
    assert_eq!(rollback(house.path(), "tiny").unwrap(), "3");
    assert_eq!(read(&known), b"three");
    assert!(matches!(rollback(house.path(), "other"), Err(CatalogError::NoPrevious(_))));

    let other = House::new();
    other.fetch("1", b"one").unwrap();
    assert!(matches!(rollback(other.path(), "tiny"), Err(CatalogError::NoPrevious(_))));
}

#[test]
fn a_changed_file_is_found_and_fetched_again() {
    let house = House::new();
    let known = catalog("1", b"one");
    house.fetch("1", b"one").unwrap();
    let path = path_of(&known, house.path(), "tiny").unwrap();
    let check = || verify(&known, house.path(), "tiny", &Cancel::new(), &mut |_, _| {}).unwrap();
    assert_eq!(check().problem, None);
    fs::write(&path, b"two").unwrap();
    assert_eq!(house.state(&known).state, ModelState::Broken);
    let verdict = check();
    assert!(verdict.problem.unwrap().contains("fetch it again"));
    assert_eq!(house.state(&known).state, ModelState::Broken);
    house.fetch("1", b"one").unwrap();
    assert_eq!(house.state(&known).state, ModelState::Installed);
    assert_eq!(check().problem, None);
    // A longer file is broken without any hashing, and is not handed out.
    fs::write(&path, b"longer").unwrap();
    assert_eq!(house.state(&known).state, ModelState::Broken);
    assert!(path_of(&known, house.path(), "tiny").is_err());
}

#[test]
fn a_touched_file_is_hashed_once_and_stays_installed() {
    let house = House::new();
    let known = catalog("1", b"one");
    house.fetch("1", b"one").unwrap();
    let path = path_of(&known, house.path(), "tiny").unwrap();
    let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    let record = path.with_file_name("installed.json");
    let before = fs::read(&record).unwrap();
    assert_eq!(house.state(&known).state, ModelState::Installed);
    assert_ne!(fs::read(&record).unwrap(), before);
}

#[test]
fn removing_frees_everything() {
    let house = House::new();
    let known = catalog("1", b"one");
    assert!(matches!(remove(&known, house.path(), "tiny"), Err(CatalogError::NotInstalled(_))));
    assert!(matches!(remove(&known, house.path(), "other"), Err(CatalogError::Unknown(_))));
    house.fetch("1", b"one").unwrap();
    house.arrive(&known, b"on");
    assert!(remove(&known, house.path(), "tiny").unwrap() >= 5);
    assert!(!house.path().join("tiny").exists());
    assert_eq!(house.state(&known).state, ModelState::Available);
}

#[test]
fn a_kill_between_two_steps_loses_nothing() {
    let house = House::new();
    let known = catalog("1", b"one");
    // Killed after the download was moved aside, before it had its name.
    let staging = house.path().join("tiny/staging.partial");
    fs::create_dir_all(&staging).unwrap();
    fs::write(staging.join("weights.gguf"), b"one").unwrap();
    assert_ne!(house.state(&known).state, ModelState::Installed);
    house.finish(&known).unwrap();
    assert_eq!(house.state(&known).state, ModelState::Installed);
    // Killed while the pointer was being written: the old one stands.
    fs::write(house.path().join("tiny/current.new"), b"{\"curr").unwrap();
    assert_eq!(house.state(&known).state, ModelState::Installed);
    // A pointer that is not readable is no installed model, and a fetch repairs it.
    fs::write(house.path().join("tiny/current"), b"{\"curr").unwrap();
    assert_ne!(house.state(&known).state, ModelState::Installed);
    house.fetch("1", b"one").unwrap();
    assert_eq!(house.state(&known).state, ModelState::Installed);
}

#[test]
fn the_users_own_files_are_models() {
    let house = House::new();
    let known = catalog("1", b"one");
    fs::write(house.path().join("tiny.gguf"), b"mine").unwrap();
    fs::write(house.path().join("other model.gguf"), b"mine too").unwrap();
    fs::write(house.path().join(".hidden.gguf"), b"no").unwrap();
    fs::write(house.path().join("notes.txt"), b"no").unwrap();
    let list = states(&known, house.path(), Some(8 << 30));
    let names: Vec<_> = list.iter().map(|info| (info.name.as_str(), info.state)).collect();
    let here = ModelState::Installed;
    assert_eq!(names, [("tiny", here), ("other model", here)]);
    assert!(list.iter().all(|info| info.source == "sideloaded" && info.path.is_some()));
    let path = path_of(&known, house.path(), "other model").unwrap();
    assert_eq!(path, house.path().join("other model.gguf"));
    let verdict = verify(&known, house.path(), "tiny", &Cancel::new(), &mut |_, _| {}).unwrap();
    assert!(verdict.problem.is_some(), "it is not the file that the catalog names");
    for name in ["../tiny", "/etc/passwd", "", ".hidden"] {
        assert!(matches!(path_of(&known, house.path(), name), Err(CatalogError::Unknown(_))));
    }
    // The catalog's own model comes first; without it, the user's file is used again.
    house.fetch("1", b"one").unwrap();
    assert!(path_of(&known, house.path(), "tiny").unwrap().ends_with("1/weights.gguf"));
    remove(&known, house.path(), "other model").unwrap();
    assert!(!house.path().join("other model.gguf").exists());
}

#[test]
fn install_wants_every_file() {
    let house = House::new();
    let known = catalog("1", b"one");
    let staged = TempDir::new().unwrap();
    let entry = known.get("tiny").unwrap();
    let (held, cancel) = (house.lock(), Cancel::new());
    let done = install(entry, house.path(), staged.path(), "x", &held, &cancel, &mut |_| {});
    assert!(matches!(done, Err(CatalogError::Io { .. })));
    assert_eq!(Pointer::read(house.path(), "tiny"), None);
}

#[test]
fn a_full_disk_is_said_before_the_first_byte() {
    let known = Catalog::embedded().unwrap();
    let entry = known.get("whisper-base").unwrap();
    let folder = TempDir::new().unwrap();
    let needed: Vec<u64> =
        entry.sources.iter().map(|source| needed_space(entry, source, folder.path())).collect();
    // Input and result lie side by side for a while.
    assert!(needed.iter().all(|needed| *needed > 290_000_000), "{needed:?}");
    check_space("whisper-base", needed[0], Some(needed[0])).unwrap();
    check_space("whisper-base", needed[0], None).unwrap();
    let error = check_space("whisper-base", needed[0], Some(5_000_000)).unwrap_err();
    let sentence = error.to_string();
    assert!(sentence.contains("5 MB are left"), "{sentence}");
    assert_eq!(error.code(), "disk_full");
}

#[test]
fn memory_decides_what_fits() {
    let known = catalog("1", b"one");
    let entry = known.get("tiny").unwrap();
    for (memory, expected) in [
        (None, Fit::Good),
        (Some(500 << 20), Fit::TooBig),
        (Some(1500 << 20), Fit::Tight),
        (Some(2000 << 20), Fit::Good),
    ] {
        assert_eq!(fit(entry, memory), expected, "{memory:?}");
    }
}

#[test]
fn the_folder_comes_from_the_environment() {
    let with = |pairs: &[(&str, &str)]| {
        models_dir(&|name| {
            let found = pairs.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.into())
        })
    };
    let chosen = with(&[("NEARSIDE_MODELS_DIR", "somewhere"), ("HOME", "/h")]).unwrap();
    assert_eq!(chosen, Path::new("somewhere"));
    if cfg!(target_os = "linux") {
        let cache = with(&[("XDG_CACHE_HOME", "/c"), ("HOME", "/h")]).unwrap();
        assert_eq!(cache, Path::new("/c/nearside/models"));
        let home = with(&[("XDG_CACHE_HOME", "relative"), ("HOME", "/h")]).unwrap();
        assert_eq!(home, Path::new("/h/.cache/nearside/models"));
    }
    assert!(matches!(with(&[("NEARSIDE_MODELS_DIR", "")]), Err(CatalogError::NoFolder)));
}

#[test]
fn failures_carry_exit_codes() {
    for (error, kind) in [
        (CatalogError::NotInstalled("x".into()), FailureKind::ModelMissing),
        (CatalogError::Unknown("x".into()), FailureKind::NotFound),
        (CatalogError::LocalOnly("x".into()), FailureKind::Refused),
        (CatalogError::NoPython, FailureKind::Network),
    ] {
        assert_eq!(Failure::from(error).kind, kind);
    }
}
