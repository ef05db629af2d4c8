//! Backups: whole, sealed, verified before anything is replaced.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use nearside_types::Failure;
use nearside_vault::{KeySource, MemoryKeychain, Vault, VaultError, restore};

use crate::{fresh, photograph, secret, with};

const SCHEMA: &[&str] = &["CREATE TABLE t (x TEXT)"];

fn fill(vault: &Vault) {
    let database = vault.database("notes", SCHEMA).unwrap();
    for number in 0..200 {
        let row = format!("row {number} {}", "y".repeat(3000));
        database.execute("INSERT INTO t (x) VALUES (?1)", [row]).unwrap();
    }
    vault.write_sealed("head", b"the head").unwrap();
    fs::write(vault.folder().join("settings.json"), "{\"zoom\": 110}").unwrap();
    fs::create_dir_all(vault.folder().join("deep/er")).unwrap();
    fs::write(vault.folder().join("deep/er/文件.txt"), vec![7; 300_000]).unwrap();
    fs::write(vault.folder().join("app.sock"), "passing").unwrap();
}

fn check_filled(vault: &Vault) {
    let database = vault.database("notes", SCHEMA).unwrap();
    let seen: (i64, String) = database
        .query_row("SELECT count(*), max(substr(x, 1, 6)) FROM t", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    assert_eq!(seen, (200, "row 99".to_owned()));
    assert!(database.check().unwrap().is_sound());
    assert_eq!(vault.read_sealed("head").unwrap().unwrap(), b"the head");
    let read = |name: &str| fs::read(vault.folder().join(name)).unwrap();
    assert_eq!(read("settings.json"), b"{\"zoom\": 110}");
    assert_eq!(read("deep/er/文件.txt"), vec![7; 300_000]);
    assert!(!vault.folder().join("app.sock").exists());
}

#[test]
fn a_backup_comes_back_on_another_machine() {
    let (folder, _keychain, vault) = fresh();
    fill(&vault);
    // A row that is still in the log, and a connection that stays open meanwhile.
    let open = vault.database("notes", SCHEMA).unwrap();
    let archive = folder.path().join("all.backup");
    let report = vault.backup(&archive, &secret("take it along")).unwrap();
    drop(open);
    assert_eq!(report.files, 4);
    assert_eq!(report.bytes, fs::metadata(&archive).unwrap().len());
    let sealed = fs::read(&archive).unwrap();
    for needle in ["notes", "settings", "row 1"] {
        assert!(!sealed.windows(needle.len()).any(|window| window == needle.as_bytes()));
    }
    let names = photograph(vault.folder());
    assert!(!names.iter().any(|(name, _)| name.contains(".part")), "scratch was left");

    let elsewhere = Arc::new(MemoryKeychain::new());
    let target = folder.path().join("new machine/data");
    let restored = restore(&archive, &secret("take it along"), &target, with(&elsewhere)).unwrap();
    check_filled(&restored);
    check_filled(&Vault::open(&target, with(&elsewhere)).unwrap());
    assert_eq!(elsewhere.accounts().len(), 1);

    // Also to a folder with a passphrase.
    let target = folder.path().join("no keychain");
    let by_passphrase = || KeySource::Passphrase(secret("another one"));
    restore(&archive, &secret("take it along"), &target, by_passphrase()).unwrap();
    check_filled(&Vault::open(&target, by_passphrase()).unwrap());
}

#[test]
fn restoring_replaces_what_was_there() {
    let (folder, keychain, vault) = fresh();
    fill(&vault);
    let archive = folder.path().join("all.backup");
    vault.backup(&archive, &secret("take it along")).unwrap();
    vault.write_sealed("head", b"a later head").unwrap();
    let data = vault.folder().to_owned();
    drop(vault);
    let restored = restore(&archive, &secret("take it along"), &data, with(&keychain)).unwrap();
    check_filled(&restored);
    assert_eq!(keychain.accounts().len(), 1, "the old key's entry stays behind");
    let beside: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
    assert_eq!(beside.len(), 2, "{beside:?}");
}

fn check_refused(archive: &Path, passphrase: &str, data: &Path, code: &str) {
    let keychain = Arc::new(MemoryKeychain::new());
    let parent = data.parent().unwrap();
    let before = photograph(parent);
    let refused = restore(archive, &secret(passphrase), data, with(&keychain));
    assert_eq!(Failure::from(refused.unwrap_err()).code, code);
    assert_eq!(photograph(parent), before);
    assert!(keychain.accounts().is_empty());
}

#[test]
fn a_bad_backup_replaces_nothing() {
    let (folder, _keychain, vault) = fresh();
    fill(&vault);
    let archive = folder.path().join("all.backup");
    vault.backup(&archive, &secret("take it along")).unwrap();
    let data = vault.folder().to_owned();
    drop(vault);
    let good = fs::read(&archive).unwrap();
    check_refused(&archive, "some other one", &data, "wrong_passphrase");
    let chunk = 256 * 1024 + 16;
    let head = good.len() % chunk; // Roughly where the first chunk starts; any cut will do.
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    let mut swapped = good[..good.len() - chunk].to_vec();
    swapped.extend_from_slice(&good[good.len() - 2 * chunk..good.len() - chunk]);
    for bad in [
        &good[..good.len() - 1],
        &good[..good.len() - chunk],
        &good[..good.len() - head.max(1)],
        &flipped,
        &swapped,
        &[good.as_slice(), b"x"].concat(),
        &good[..10],
        b"",
        b"PK\x03\x04",
    ] {
        fs::write(&archive, bad).unwrap();
        check_refused(&archive, "take it along", &data, "backup_damaged");
    }
    fs::write(&archive, good).unwrap();
    let refused = restore(
        &archive,
        &secret("take it along"),
        &data,
        KeySource::Keychain { keychain: Arc::new(crate::NoKeychain), ask: None },
    );
    assert!(matches!(refused, Err(VaultError::Locked(_))));
}

#[test]
fn a_crash_between_the_two_renames_is_undone() {
    let (folder, keychain, vault) = fresh();
    vault.write_sealed("head", b"the head").unwrap();
    let data = vault.folder().to_owned();
    drop(vault);
    fs::rename(&data, folder.path().join(".data.before-restore")).unwrap();
    let vault = Vault::open(&data, with(&keychain)).unwrap();
    assert_eq!(vault.read_sealed("head").unwrap().unwrap(), b"the head");
}

#[test]
fn a_backup_while_others_write_is_one_moment() {
    let (folder, keychain, vault) = fresh();
    let database = vault.database("notes", SCHEMA).unwrap();
    database.execute("INSERT INTO t (x) VALUES ('0')", []).unwrap();
    vault.write_sealed("head", b"0").unwrap();
    let stop = nearside_types::Cancel::new();
    let writer = {
        let (vault, stop) = (vault.clone(), stop.clone());
        std::thread::spawn(move || {
            let database = vault.database("notes", SCHEMA).unwrap();
            let mut number = 0;
            // The rows first, then the head: as the ledger writes. Pauses leave room for a backup.
            while !stop.is_cancelled() && number < 10_000 {
                number += 1;
                database.execute("INSERT INTO t (x) VALUES (?1)", [number.to_string()]).unwrap();
                if number % 50 == 0 {
                    vault.write_sealed("head", number.to_string().as_bytes()).unwrap();
                    std::thread::sleep(std::time::Duration::from_millis(300));
                }
            }
        })
    };
    let archive = folder.path().join("busy.backup");
    let made = vault.backup(&archive, &secret("take it along"));
    stop.cancel();
    writer.join().unwrap();
    made.unwrap();
    let target = folder.path().join("restored");
    let restored = restore(&archive, &secret("take it along"), &target, with(&keychain)).unwrap();
    let rows: i64 = restored
        .database("notes", SCHEMA)
        .unwrap()
        .query_row("SELECT max(CAST(x AS INTEGER)) FROM t", [], |row| row.get(0))
        .unwrap();
    let head: i64 =
        String::from_utf8(restored.read_sealed("head").unwrap().unwrap()).unwrap().parse().unwrap();
    assert!(head <= rows, "the head {head} runs ahead of the rows {rows}");
}
