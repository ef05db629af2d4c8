//! Sealed databases: migrated once, closed to a wrong key, honest about damage.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Barrier};

use nearside_types::Failure;
use nearside_vault::{Vault, VaultError};

use crate::{fresh, photograph, with};

const FIRST: &str = "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)";
const SECOND: &str = "ALTER TABLE t ADD COLUMN y TEXT; INSERT INTO t (x) VALUES ('by step two')";

fn count(vault: &Vault, migrations: &[&str]) -> i64 {
    let database = vault.database("notes", migrations).unwrap();
    database.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap()
}

fn contains(path: &Path, needle: &[u8]) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes.windows(needle.len()).any(|window| window == needle))
}

#[test]
fn nothing_of_it_is_legible_on_disk() {
    let (_folder, _keychain, vault) = fresh();
    let database = vault.database("notes", &[FIRST]).unwrap();
    database.execute("INSERT INTO t (x) VALUES ('legible-marker')", []).unwrap();
    for name in ["notes.db", "notes.db-wal"] {
        let path = vault.folder().join(name);
        assert!(path.exists());
        for needle in ["legible-marker", "SQLite format 3", "CREATE TABLE"] {
            assert!(!contains(&path, needle.as_bytes()), "{needle} in {name}");
        }
    }
    let pragma = |name: &str| -> String {
        database
            .query_row(&format!("PRAGMA {name}"), [], |row| {
                row.get::<_, rusqlite_value::Text>(0).map(|text| text.0)
            })
            .unwrap()
    };
    let seen = ["journal_mode", "foreign_keys", "secure_delete", "synchronous", "temp_store"]
        .map(|name| (name, pragma(name)));
    let expected = [
        ("journal_mode", "wal"),
        ("foreign_keys", "1"),
        ("secure_delete", "1"),
        ("synchronous", "2"),
        ("temp_store", "2"),
    ];
    assert_eq!(seen, expected.map(|(name, value)| (name, value.to_owned())));
}

/// A pragma's value as text, whatever its type.
mod rusqlite_value {
    use nearside_vault::rusqlite::types::{FromSql, FromSqlResult, ValueRef};

    pub(crate) struct Text(pub(crate) String);

    impl FromSql for Text {
        fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
            Ok(Self(match value {
                ValueRef::Integer(number) => number.to_string(),
                other => other.as_str()?.to_owned(),
            }))
        }
    }
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, _keychain, vault) = fresh();
    let _open = vault.database("notes", &[FIRST]).unwrap();
    vault.write_sealed("head", b"x").unwrap();
    for entry in fs::read_dir(vault.folder()).unwrap().flatten() {
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", entry.path().display());
    }
    assert_eq!(fs::metadata(vault.folder()).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn steps_are_taken_once_and_a_newer_schema_is_refused() {
    let (_folder, _keychain, vault) = fresh();
    assert_eq!(count(&vault, &[FIRST]), 0);
    assert_eq!(count(&vault, &[FIRST, SECOND]), 1);
    assert_eq!(count(&vault, &[FIRST, SECOND]), 1);
    let before = photograph(vault.folder());
    let failure = Failure::from(vault.database("notes", &[FIRST]).unwrap_err());
    assert_eq!(failure.code, "newer_schema");
    assert_eq!(photograph(vault.folder()), before);
}

#[test]
fn a_failed_step_leaves_the_step_before() {
    let (_folder, _keychain, vault) = fresh();
    let broken = "INSERT INTO t (x) VALUES ('half'); SELECT * FROM nowhere";
    assert_eq!(count(&vault, &[FIRST]), 0);
    let error = vault.database("notes", &[FIRST, broken]).unwrap_err();
    assert!(matches!(error, VaultError::Migration { step: 2, .. }), "{error}");
    assert_eq!(count(&vault, &[FIRST]), 0);
    // A new database whose steps fail leaves no file at all.
    vault.database("other", &[broken]).unwrap_err();
    assert!(!vault.folder().join("other.db").exists());
    let names: Vec<String> = photograph(vault.folder()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["notes.db", "vault.json"]);
}

/// The file is replaced by `bytes`: opening says so in a sentence and leaves it as it is.
fn check_damage(vault: &Vault, what: &str, bytes: &[u8]) {
    fs::write(vault.folder().join("notes.db"), bytes).unwrap();
    let before = photograph(vault.folder());
    let failure = match vault.database("notes", &[FIRST]) {
        Err(error) => Failure::from(error),
        Ok(_) => panic!("{what} was opened"),
    };
    assert_eq!(failure.code, "vault_damaged", "{what}: {failure}");
    assert!(failure.message.contains("notes.db"), "{what}: {failure}");
    assert_eq!(photograph(vault.folder()), before, "{what}");
}

#[test]
fn damage_and_foreign_files_are_refused_unchanged() {
    let (_folder, keychain, vault) = fresh();
    assert_eq!(count(&vault, &[FIRST]), 0);
    let good = fs::read(vault.folder().join("notes.db")).unwrap();

    let other_folder = tempfile::tempdir().unwrap();
    let other = Vault::open(&other_folder.path().join("data"), with(&keychain)).unwrap();
    assert_eq!(count(&other, &[FIRST]), 0);
    let foreign = fs::read(other.folder().join("notes.db")).unwrap();

    let mut flipped = good.clone();
    flipped[100] ^= 1;
    check_damage(&vault, "empty", b"");
    check_damage(&vault, "noise", &[0xa5; 8192]);
    check_damage(&vault, "unsealed", b"SQLite format 3\0 and so on, padded to a page or so");
    check_damage(&vault, "a flipped bit", &flipped);
    check_damage(&vault, "cut", &good[..good.len() / 2 + 7]);
    check_damage(&vault, "another folder's", &foreign);

    fs::write(vault.folder().join("notes.db"), &good).unwrap();
    assert_eq!(count(&vault, &[FIRST]), 0);
    // Another name has another key.
    fs::write(vault.folder().join("other.db"), &good).unwrap();
    assert!(matches!(vault.database("other", &[FIRST]), Err(VaultError::Damaged(_))));
}

/// A log that waits to be replayed must wait, too, when the database does not open.
#[test]
fn a_waiting_log_is_not_replayed_under_a_wrong_key() {
    let (folder, keychain, vault) = fresh();
    let database = vault.database("notes", &[FIRST]).unwrap();
    database.execute("INSERT INTO t (x) VALUES ('in the log')", []).unwrap();
    let other = Vault::open(&folder.path().join("other"), with(&keychain)).unwrap();
    for name in ["notes.db", "notes.db-wal"] {
        fs::copy(vault.folder().join(name), other.folder().join(name)).unwrap();
    }
    let sealed = |(name, _): &(String, Vec<u8>)| !name.ends_with("-shm");
    let before: Vec<_> = photograph(other.folder()).into_iter().filter(sealed).collect();
    assert!(matches!(other.database("notes", &[FIRST]), Err(VaultError::Damaged(_))));
    let after: Vec<_> = photograph(other.folder()).into_iter().filter(sealed).collect();
    assert_eq!(after, before);
    // And a log without its database is not replayed into a fresh one.
    fs::remove_file(other.folder().join("notes.db")).unwrap();
    assert!(matches!(other.database("notes", &[FIRST]), Err(VaultError::Damaged(_))));
    assert!(!other.folder().join("notes.db").exists());
}

#[test]
fn damage_inside_is_found_by_the_check() {
    let (_folder, _keychain, vault) = fresh();
    let database = vault.database("notes", &[FIRST]).unwrap();
    let long = "x".repeat(20_000);
    for _ in 0..20 {
        database.execute("INSERT INTO t (x) VALUES (?1)", [&long]).unwrap();
    }
    assert!(database.check().unwrap().is_sound());
    database.checkpoint().unwrap();
    drop(database);
    let path = vault.folder().join("notes.db");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    fs::write(&path, bytes).unwrap();
    let health = vault.database("notes", &[FIRST]).unwrap().check().unwrap();
    assert!(!health.is_sound());
    let lost = vault.database("notes", &[FIRST]).unwrap().query_row(
        "SELECT sum(length(x)) FROM t",
        [],
        |row| row.get::<_, i64>(0),
    );
    assert!(matches!(VaultError::from(lost.unwrap_err()), VaultError::Damaged(_)));
}

#[test]
fn two_connections_wait_for_each_other() {
    let (_folder, _keychain, vault) = fresh();
    count(&vault, &[FIRST]);
    let writers: Vec<_> = (0..4)
        .map(|_| {
            let vault = vault.clone();
            std::thread::spawn(move || {
                let database = vault.database("notes", &[FIRST]).unwrap();
                for _ in 0..25 {
                    database.execute("INSERT INTO t (x) VALUES ('row')", []).unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.join().unwrap();
    }
    assert_eq!(count(&vault, &[FIRST]), 100);
}

#[test]
fn two_first_openings_at_once_make_one_database() {
    let (_folder, _keychain, vault) = fresh();
    let together = Arc::new(Barrier::new(4));
    let openers: Vec<_> = (0..4)
        .map(|_| {
            let (vault, together) = (vault.clone(), Arc::clone(&together));
            std::thread::spawn(move || {
                together.wait();
                count(&vault, &[FIRST, SECOND])
            })
        })
        .collect();
    for opener in openers {
        assert_eq!(opener.join().unwrap(), 1);
    }
}

#[test]
fn names_cannot_leave_the_folder() {
    let (_folder, _keychain, vault) = fresh();
    for name in ["", "..", "a/b", "a\\b", "A", "x.y", &"x".repeat(65), "名"] {
        assert!(matches!(vault.database(name, &[]), Err(VaultError::BadName(_))), "{name}");
        assert!(matches!(vault.read_sealed(name), Err(VaultError::BadName(_))), "{name}");
    }
}
