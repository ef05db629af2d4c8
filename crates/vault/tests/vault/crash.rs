//! kill -9 at any moment: the database opens, is sound, and has every row that was acknowledged.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use nearside_vault::{KeySource, Vault};

use crate::secret;

const FOLDER: &str = "NEARSIDE_TEST_CRASH_FOLDER";
const SCHEMA: &[&str] =
    &["CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)", "CREATE INDEX i ON t (x)"];

fn open(folder: &std::path::Path) -> Vault {
    Vault::open(folder, KeySource::Passphrase(secret("a passphrase"))).unwrap()
}

/// The other process: writes until it is killed, and says each row after its commit.
#[test]
fn child_writes_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return; // Only of use to the test below.
    };
    let vault = open(folder.as_ref());
    let database = vault.database("notes", SCHEMA).unwrap();
    let start: i64 =
        database.query_row("SELECT coalesce(max(id), 0) FROM t", [], |row| row.get(0)).unwrap();
    for id in start + 1.. {
        let long = format!("{id} {}", "z".repeat((id as usize * 37) % 9000));
        database.execute("INSERT INTO t VALUES (?1, ?2)", (id, long)).unwrap();
        vault.write_sealed("head", &id.to_le_bytes()).unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "\nrow {id}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn killed_while_writing_it_opens_again() {
    let folder = tempfile::tempdir().unwrap();
    for round in 1..=4 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "crash::child_writes_until_it_is_killed", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut acknowledged = 0_i64;
        let mut seen = 0;
        for line in lines {
            let Some(id) = line.unwrap().strip_prefix("row ").map(|id| id.parse().unwrap()) else {
                continue;
            };
            acknowledged = id;
            seen += 1;
            if seen == 25 * round {
                child.kill().unwrap(); // SIGKILL on Unix.
                break;
            }
        }
        child.wait().unwrap();
        assert!(acknowledged > 0, "the child wrote nothing");
        let vault = open(folder.path());
        let database = vault.database("notes", SCHEMA).unwrap();
        assert_eq!(database.check().unwrap().problems, Vec::<String>::new());
        let (rows, last): (i64, i64) = database
            .query_row("SELECT count(*), max(id) FROM t", [], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap();
        assert!(rows == last && last >= acknowledged, "{rows} rows, last {last} of {acknowledged}");
        let head = vault.read_sealed("head").unwrap().unwrap();
        let head = i64::from_le_bytes(head.try_into().unwrap());
        assert!(head == last || head + 1 == last, "head {head}, last {last}");
    }
}
