//! Who may open a data folder, and that whoever may not leaves it as it was.

use std::fs;
use std::sync::Arc;

use nearside_types::{Failure, FailureKind};
use nearside_vault::{
    KeySource, MemoryKeychain, PassphrasePurpose, Secret, Vault, VaultError, erase, is_set_up,
};

use crate::{NoKeychain, fresh, photograph, secret, with};

fn no_keychain() -> KeySource {
    KeySource::Keychain { keychain: Arc::new(NoKeychain), ask: None }
}

#[test]
fn a_second_opening_finds_the_same_key() {
    let (_folder, keychain, vault) = fresh();
    vault.write_sealed("note", b"here").unwrap();
    let again = Vault::open(vault.folder(), with(&keychain)).unwrap();
    assert_eq!(again.read_sealed("note").unwrap().unwrap(), b"here");
    assert!(!again.has_passphrase());
}

#[test]
fn two_folders_do_not_share_an_entry_and_a_moved_one_keeps_its_own() {
    let (folder, keychain, vault) = fresh();
    let other = Vault::open(&folder.path().join("other"), with(&keychain)).unwrap();
    assert_eq!(keychain.accounts().len(), 2);
    vault.write_sealed("note", b"one").unwrap();
    assert!(other.read_sealed("note").unwrap().is_none());
    let moved = folder.path().join("moved here");
    fs::rename(vault.folder(), &moved).unwrap();
    let vault = Vault::open(&moved, with(&keychain)).unwrap();
    assert_eq!(vault.read_sealed("note").unwrap().unwrap(), b"one");
}

/// What opening must answer, and that it neither creates nor changes a file.
fn check_refused(folder: &std::path::Path, source: KeySource, code: &str, kind: FailureKind) {
    let before = photograph(folder);
    let failure = Failure::from(Vault::open(folder, source).unwrap_err());
    assert_eq!((failure.code.as_str(), failure.kind), (code, kind), "{failure}");
    assert!(failure.message.ends_with('.'), "not a sentence: {failure}");
    assert_eq!(photograph(folder), before);
}

#[test]
fn without_keychain_and_passphrase_it_is_locked_and_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    check_refused(&data, no_keychain(), "vault_locked", FailureKind::Refused);
    assert!(!data.exists());
    assert_eq!(FailureKind::Refused.exit_status(), 5);
}

#[test]
fn a_folder_in_the_keychain_is_refused_without_it() {
    let (_folder, keychain, vault) = fresh();
    vault.write_sealed("note", b"here").unwrap();
    let data = vault.folder();
    check_refused(data, no_keychain(), "vault_locked", FailureKind::Refused);
    let given = KeySource::Passphrase(secret("a passphrase"));
    check_refused(data, given, "not_by_passphrase", FailureKind::Refused);

    // Lost key: another, empty keychain.
    let empty = Arc::new(MemoryKeychain::new());
    check_refused(data, with(&empty), "vault_key_lost", FailureKind::Refused);
    assert!(empty.accounts().is_empty(), "a lost key must not be replaced");

    // Another key under this folder's entry.
    use nearside_vault::Keychain;
    let wrong = Arc::new(MemoryKeychain::new());
    let key = secret("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    wrong.set(&keychain.accounts()[0], &key).unwrap();
    check_refused(data, with(&wrong), "wrong_key", FailureKind::Refused);

    // The record gone, sealed data there.
    fs::remove_file(data.join("vault.json")).unwrap();
    check_refused(data, with(&keychain), "vault_key_lost", FailureKind::Refused);
}

#[test]
fn a_passphrase_opens_and_a_wrong_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let right = || KeySource::Passphrase(secret("caf\u{e9} am Meer"));
    check_refused(
        &data,
        KeySource::Passphrase(secret("short")),
        "short_passphrase",
        FailureKind::Usage,
    );
    let vault = Vault::open(&data, right()).unwrap();
    assert!(vault.has_passphrase() && is_set_up(&data));
    vault.write_sealed("note", b"here").unwrap();
    let wrong = KeySource::Passphrase(secret("caf\u{e9} am See"));
    check_refused(&data, wrong, "wrong_passphrase", FailureKind::Refused);
    check_refused(&data, no_keychain(), "vault_locked", FailureKind::Refused);
    // The accent typed as two code points is the same passphrase.
    let composed = KeySource::Passphrase(secret("cafe\u{301} am Meer"));
    let vault = Vault::open(&data, composed).unwrap();
    assert_eq!(vault.read_sealed("note").unwrap().unwrap(), b"here");
}

#[test]
fn asked_for_a_passphrase_where_there_is_no_keychain() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    for expected in [PassphrasePurpose::Choose, PassphrasePurpose::Enter] {
        let ask = Box::new(move |purpose| {
            assert_eq!(purpose, expected);
            Some(secret("long enough"))
        });
        let source = KeySource::Keychain { keychain: Arc::new(NoKeychain), ask: Some(ask) };
        assert!(Vault::open(&data, source).unwrap().has_passphrase());
    }
}

#[test]
fn a_changed_passphrase_opens_the_same_data() {
    let folder = tempfile::tempdir().unwrap();
    let mut vault =
        Vault::open(folder.path(), KeySource::Passphrase(secret("the first one"))).unwrap();
    vault.write_sealed("note", b"here").unwrap();
    let before = photograph(folder.path());
    let refused = vault.change_passphrase(&secret("not the first"), &secret("the second one"));
    assert!(matches!(refused, Err(VaultError::WrongPassphrase)));
    assert_eq!(photograph(folder.path()), before);
    vault.change_passphrase(&secret("the first one"), &secret("the second one")).unwrap();
    let first = KeySource::Passphrase(secret("the first one"));
    assert!(matches!(Vault::open(folder.path(), first), Err(VaultError::WrongPassphrase)));
    let second = KeySource::Passphrase(secret("the second one"));
    let vault = Vault::open(folder.path(), second).unwrap();
    assert_eq!(vault.read_sealed("note").unwrap().unwrap(), b"here");
}

/// Parameters out of bounds must neither weaken the key nor eat the memory.
#[test]
fn a_changed_record_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let right = || KeySource::Passphrase(secret("a passphrase"));
    Vault::open(folder.path(), right()).unwrap();
    let path = folder.path().join("vault.json");
    let good = fs::read_to_string(&path).unwrap();
    for (from, to, code) in [
        ("\"memory_kib\": 65536", "\"memory_kib\": 4000000000", "vault_damaged"),
        ("\"memory_kib\": 65536", "\"memory_kib\": 8", "vault_damaged"),
        ("\"passes\": 3", "\"passes\": 4000000000", "vault_damaged"),
        ("\"passes\": 3", "\"passes\": 2", "wrong_passphrase"),
        ("\"version\": 1", "\"version\": 2", "vault_damaged"),
        ("{", "", "vault_damaged"),
        ("\"version\"", "\"extra\": 1, \"version\"", "vault_damaged"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from}");
        fs::write(&path, bad).unwrap();
        let failure = Failure::from(Vault::open(folder.path(), right()).unwrap_err());
        assert_eq!(failure.code, code, "{from} -> {to}");
    }
    fs::write(&path, vec![b' '; 1 << 20]).unwrap();
    assert!(Vault::open(folder.path(), right()).is_err());
    fs::write(&path, good).unwrap();
    Vault::open(folder.path(), right()).unwrap();
}

#[test]
fn erased_means_key_and_files_are_gone() {
    let (_folder, keychain, vault) = fresh();
    let data = vault.folder().to_owned();
    vault.set_api_key("provider", &secret("a-key")).unwrap();
    drop(vault.database("conversations", &["CREATE TABLE t (x)"]).unwrap());
    fs::write(data.join("settings.json"), "{}").unwrap();
    fs::write(data.join("not ours.txt"), "stays").unwrap();
    drop(vault);
    assert_eq!(keychain.accounts().len(), 2);
    erase(&data, keychain.as_ref(), &["settings.json".as_ref()]).unwrap();
    assert!(keychain.accounts().is_empty());
    let left: Vec<String> = photograph(&data).into_iter().map(|(name, _)| name).collect();
    assert_eq!(left, ["not ours.txt"]);
}

#[test]
fn debug_shows_nothing() {
    let (_folder, _keychain, vault) = fresh();
    let shown = format!(
        "{vault:?} {:?} {:?}",
        Secret::new("abc".to_owned()),
        KeySource::Passphrase(secret("abc"))
    );
    assert_eq!(shown, "Vault(***) *** KeySource::Passphrase(***)");
}
