//! The ledger notices every way to change it, and a crash is not one.

use std::fs;
use std::sync::Arc;

use nearside_cloud::{Departure, Ledger};
use nearside_types::{EntityCount, EntityType, LedgerKind, LedgerOutcome};
use nearside_vault::{KeySource, MemoryKeychain, Vault};

use crate::Stopped;

struct Book {
    _folder: tempfile::TempDir,
    vault: Vault,
}

fn departure(number: u64) -> Departure {
    Departure {
        kind: LedgerKind::Request,
        destination: "api.example.com".to_owned(),
        bytes: number,
        sha256: format!("{number:064x}"),
        entities: vec![EntityCount { kind: EntityType::Phone, count: 2 }],
    }
}

impl Book {
    /// Five entries: ten records.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let source = KeySource::Keychain { keychain: Arc::new(MemoryKeychain::new()), ask: None };
        let vault = Vault::open(&folder.path().join("data"), source).unwrap();
        let book = Self { _folder: folder, vault };
        let ledger = book.open();
        assert!(ledger.verify().unwrap().intact, "an empty ledger is whole");
        for number in 1..=5 {
            let entry = ledger.begin(&departure(number)).unwrap();
            ledger.finish(entry, LedgerOutcome::Sent).unwrap();
        }
        book
    }

    fn open(&self) -> Ledger {
        Ledger::open(&self.vault, Arc::new(Stopped)).unwrap()
    }

    /// Changes the database past the ledger, as someone with the key could.
    fn raw(&self, sql: &str) {
        self.vault.database_with("ledger", &[""], &|_| Ok(())).unwrap().execute_batch(sql).unwrap();
    }

    fn problem(&self) -> Option<String> {
        let verdict = self.open().verify().unwrap();
        assert_eq!(verdict.intact, verdict.problem.is_none());
        verdict.problem.map(|fault| fault.text)
    }
}

#[test]
fn entries_are_listed_newest_first_with_their_outcomes() {
    let book = Book::new();
    let ledger = book.open();
    let open = ledger.begin(&departure(6)).unwrap();
    ledger.refuse(&departure(7)).unwrap();
    ledger.finish(open, LedgerOutcome::Failed).unwrap();
    let _left_open = ledger.begin(&departure(8)).unwrap();
    let items = ledger.list(4).unwrap();
    let seen: Vec<(u64, LedgerOutcome)> = items.iter().map(|i| (i.sequence, i.outcome)).collect();
    assert_eq!(
        seen,
        [
            (8, LedgerOutcome::Pending),
            (7, LedgerOutcome::Refused),
            (6, LedgerOutcome::Failed),
            (5, LedgerOutcome::Sent)
        ]
    );
    assert_eq!((items[3].bytes, items[3].entities[0].count), (5, 2));
    let verdict = ledger.verify().unwrap();
    assert_eq!((verdict.intact, verdict.entries), (true, 8));
    assert_eq!(ledger.list(100).unwrap().len(), 8);
}

/// The change is noticed, and nothing more can be noted until somebody has looked.
fn check_noticed(what: &str, change: impl FnOnce(&Book)) {
    let book = Book::new();
    assert_eq!(book.problem(), None);
    change(&book);
    let problem = book.problem().unwrap_or_else(|| panic!("{what} was not noticed"));
    println!("{what}: {problem}");
}

#[test]
fn every_change_is_noticed() {
    check_noticed("an edited row", |book| {
        book.raw("UPDATE record SET body = replace(body, 'api.example.com', 'api.elsewhere.com') WHERE position = 3");
    });
    check_noticed("an edited outcome", |book| {
        book.raw("UPDATE record SET body = replace(body, 'sent', 'failed') WHERE position = 2");
    });
    check_noticed("an edited code", |book| {
        book.raw("UPDATE record SET mac = zeroblob(32) WHERE position = 5");
    });
    check_noticed("an edited last row", |book| {
        book.raw("UPDATE record SET body = replace(body, 'sent', 'failed') WHERE position = 10");
    });
    check_noticed("a deleted row", |book| book.raw("DELETE FROM record WHERE position = 4"));
    check_noticed("a deleted first row", |book| book.raw("DELETE FROM record WHERE position = 1"));
    check_noticed("a deleted and closed gap", |book| {
        book.raw(
            "DELETE FROM record WHERE position IN (3, 4);
             UPDATE record SET position = position - 2 WHERE position > 4",
        );
    });
    check_noticed("two rows in each other's place", |book| {
        book.raw(
            "UPDATE record SET position = 99 WHERE position = 3;
             UPDATE record SET position = 3 WHERE position = 5;
             UPDATE record SET position = 5 WHERE position = 99",
        );
    });
    check_noticed("a cut tail", |book| book.raw("DELETE FROM record WHERE position > 8"));
    check_noticed("a tail cut by one", |book| book.raw("DELETE FROM record WHERE position > 9"));
    check_noticed("everything gone", |book| book.raw("DELETE FROM record"));
    check_noticed("a row put in", |book| {
        book.raw("INSERT INTO record SELECT 11, body, mac FROM record WHERE position = 9");
    });
    check_noticed("the database gone", |book| {
        for name in ["ledger.db", "ledger.db-wal", "ledger.db-shm"] {
            let _may_be_absent = fs::remove_file(book.vault.folder().join(name));
        }
    });
    check_noticed("the head gone", |book| book.vault.remove_sealed("ledger-head").unwrap());
    check_noticed("the head changed", |book| {
        let path = book.vault.folder().join("ledger-head.sealed");
        let mut bytes = fs::read(&path).unwrap();
        bytes[20] ^= 1;
        fs::write(&path, bytes).unwrap();
    });
    check_noticed("an old database", |book| {
        let old = fs::read(book.vault.folder().join("ledger.db")).unwrap();
        let ledger = book.open();
        let entry = ledger.begin(&departure(6)).unwrap();
        ledger.finish(entry, LedgerOutcome::Sent).unwrap();
        drop(ledger);
        fs::write(book.vault.folder().join("ledger.db"), old).unwrap();
    });
    check_noticed("an old head", |book| {
        let path = book.vault.folder().join("ledger-head.sealed");
        let old = fs::read(&path).unwrap();
        let ledger = book.open();
        let entry = ledger.begin(&departure(6)).unwrap();
        ledger.finish(entry, LedgerOutcome::Sent).unwrap();
        drop(ledger);
        fs::write(&path, old).unwrap();
    });
}

#[test]
fn after_tampering_nothing_is_noted_and_the_evidence_stays() {
    let book = Book::new();
    book.raw("DELETE FROM record WHERE position > 8");
    let before = book.problem();
    let error = book.open().begin(&departure(6)).unwrap_err();
    assert_eq!(error.code(), "ledger_broken");
    assert_eq!(book.problem(), before);

    // The user looks at it, and goes on with a new one.
    let ledger = Ledger::restart(&book.vault, Arc::new(Stopped)).unwrap();
    assert_eq!(ledger.begin(&departure(1)).unwrap().sequence(), 1);
    assert!(ledger.verify().unwrap().intact);
    let kept = |name: &str| book.vault.folder().join(format!("{name}.1767323045000.kept")).exists();
    assert!(kept("ledger.db") && kept("ledger-head.sealed"));
}

#[test]
fn a_crash_between_record_and_head_is_no_tampering() {
    let book = Book::new();
    let path = book.vault.folder().join("ledger-head.sealed");
    let old = fs::read(&path).unwrap();
    let ledger = book.open();
    let _crashed = ledger.begin(&departure(6)).unwrap();
    drop(ledger);
    fs::write(&path, old).unwrap();
    assert_eq!(book.problem(), None);
    let ledger = book.open();
    assert_eq!(ledger.list(1).unwrap()[0].outcome, LedgerOutcome::Pending);
    // The next entry goes on from the one that the crash left.
    let entry = ledger.begin(&departure(7)).unwrap();
    assert_eq!(entry.sequence(), 7);
    ledger.finish(entry, LedgerOutcome::Sent).unwrap();
    drop(ledger);
    assert_eq!(book.problem(), None);
}

#[test]
fn two_processes_keep_one_chain() {
    let book = Book::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let ledger = book.open();
                for number in 0..10 {
                    let entry = ledger.begin(&departure(number)).unwrap();
                    ledger.finish(entry, LedgerOutcome::Sent).unwrap();
                }
            });
        }
    });
    let verdict = book.open().verify().unwrap();
    assert_eq!((verdict.problem, verdict.entries), (None, 45));
    let mut sequences: Vec<u64> =
        book.open().list(100).unwrap().iter().map(|item| item.sequence).collect();
    sequences.reverse();
    assert_eq!(sequences, (1..=45).collect::<Vec<u64>>());
}

#[test]
fn the_export_has_every_record_and_the_head() {
    let book = Book::new();
    let path = book.vault.folder().join("out.jsonl");
    assert_eq!(book.open().export(&path).unwrap(), 10);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 11);
    assert_eq!(lines[0]["record"]["open"]["destination"], "api.example.com");
    assert_eq!(lines[1]["record"]["close"]["outcome"], "sent");
    assert_eq!(lines[10]["head"], 10);
    assert_eq!(lines[10]["mac"], lines[9]["mac"]);
}
