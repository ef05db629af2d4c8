//! The egress ledger: what left this machine, when, where to, and the sha256 of the exact bytes.
//!
//! Records are only ever added, to the sealed database `ledger`. An entry is opened (`pending`) before
//! the first byte leaves and closed by a second record; an entry that a crash left open stays pending,
//! since its bytes may have left. Each record carries an HMAC-SHA256 over the previous record's and its
//! own text, and the last position and code are sealed apart in a file, so that a changed, moved, deleted
//! or cut-off record is noticed. The head may lag by the one record that was being written.
//!
//! What it cannot notice: both files replaced by older copies of both.

mod chain;
mod head;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nearside_types::{Clock, EntityCount, LedgerItem, LedgerKind, LedgerOutcome, LedgerVerdict};
use nearside_vault::rusqlite::TransactionBehavior;
use nearside_vault::{Database, MacKey, Vault, VaultError, write_atomic};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use self::chain::{Opened, Record, Row};
use self::head::Head;
use crate::CloudError;

const NAME: &str = "ledger";
const MIGRATIONS: &[&str] = &[
    // A position is never used twice; the text is the record as it is authenticated.
    "CREATE TABLE record (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        body     TEXT NOT NULL,
        mac      BLOB NOT NULL
    ) STRICT",
];

/// What is about to leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departure {
    pub kind: LedgerKind,
    pub destination: String,
    pub bytes: u64,
    /// Of the exact body, in hexadecimal.
    pub sha256: String,
    pub entities: Vec<EntityCount>,
}

/// An entry that was opened and waits for its outcome.
#[derive(Debug)]
#[must_use = "an entry that is not closed stays pending"]
pub struct Entry {
    sequence: u64,
}

impl Entry {
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.sequence
    }
}

/// The ledger of one data folder. Shared by everything that connects; several processes may hold one.
pub struct Ledger {
    // One connection, locked for the few milliseconds of one record.
    database: Mutex<Database>,
    vault: Vault,
    key: MacKey,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Ledger")
    }
}

impl Ledger {
    /// Opens the ledger of the vault's folder, or begins it.
    ///
    /// # Errors
    /// When its database cannot be opened. A ledger that was tampered with opens: `verify` says so.
    pub fn open(vault: &Vault, clock: Arc<dyn Clock>) -> Result<Self, VaultError> {
        // The head is there before the first record: later, its absence is a finding.
        let new = !vault.folder().join(format!("{NAME}.db")).exists();
        if new && Head::read(vault)?.is_none() {
            Head::default().write(vault)?;
        }
        let database = vault.database(NAME, MIGRATIONS)?;
        let key = vault.mac_key("ledger");
        Ok(Self { database: Mutex::new(database), vault: vault.clone(), key, clock })
    }

    /// Puts a ledger that does not verify aside and begins a new one, so that the user can go on without
    /// losing the evidence: the files stay in the data folder, sealed, under another name. Nobody may
    /// have the ledger open.
    ///
    /// # Errors
    /// When a file cannot be moved; calling it again goes on.
    pub fn restart(vault: &Vault, clock: Arc<dyn Clock>) -> Result<Self, VaultError> {
        // Opening and closing moves the log's records into the database, where it can be opened at all.
        drop(vault.database(NAME, MIGRATIONS));
        let stamp = clock.now_ms();
        for file in [".db", ".db-wal", "-head.sealed"] {
            let from = vault.folder().join(format!("{NAME}{file}"));
            let to = vault.folder().join(format!("{NAME}{file}.{stamp}.kept"));
            match std::fs::rename(&from, &to) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    let doing = "Putting the ledger aside".to_owned();
                    return Err(VaultError::Io { doing, source: error });
                }
                _ => {}
            }
        }
        Self::open(vault, clock)
    }

    fn database(&self) -> MutexGuard<'_, Database> {
        // A panic between two statements leaves SQLite's transaction rolled back, so the state is whole.
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what is about to leave. When this fails, nothing may leave.
    ///
    /// # Errors
    /// `LedgerBroken` when the last record and the head do not fit; `Ledger` when it cannot be written.
    pub fn begin(&self, departure: &Departure) -> Result<Entry, CloudError> {
        let mut database = self.database();
        let sequence = self.append(&mut database, |last| {
            let sequence = last + 1;
            (sequence, Record::Open(self.opened(sequence, departure, LedgerOutcome::Pending)))
        })?;
        Ok(Entry { sequence })
    }

    /// Notes what became of it.
    ///
    /// # Errors
    /// As `begin`; the entry then stays pending.
    pub fn finish(&self, entry: Entry, outcome: LedgerOutcome) -> Result<(), CloudError> {
        let mut database = self.database();
        let sequence = entry.sequence;
        self.append(&mut database, |_| (sequence, Record::Close { sequence, outcome }))?;
        Ok(())
    }

    /// Notes what was asked for and did not leave.
    ///
    /// # Errors
    /// As `begin`.
    pub fn refuse(&self, departure: &Departure) -> Result<(), CloudError> {
        let mut database = self.database();
        self.append(&mut database, |last| {
            let sequence = last + 1;
            (sequence, Record::Open(self.opened(sequence, departure, LedgerOutcome::Refused)))
        })?;
        Ok(())
    }

    fn opened(&self, sequence: u64, departure: &Departure, outcome: LedgerOutcome) -> Opened {
        let now =
            OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.clock.now_ms()) * 1_000_000)
                .unwrap_or(OffsetDateTime::UNIX_EPOCH);
        Opened(LedgerItem {
            sequence,
            time: now.format(&Rfc3339).unwrap_or_default(),
            kind: departure.kind,
            destination: departure.destination.clone(),
            bytes: departure.bytes,
            sha256: departure.sha256.clone(),
            entities: departure.entities.clone(),
            outcome,
        })
    }

    /// Adds one record; `make` gets the last entry's sequence. The head is brought up to the last record
    /// before and after, each under the database's write lock, so that two processes keep one chain.
    fn append(
        &self,
        database: &mut Database,
        make: impl FnOnce(u64) -> (u64, Record),
    ) -> Result<u64, CloudError> {
        let sequence = {
            let transaction = database
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .map_err(VaultError::from)?;
            let last = chain::last(&transaction)?;
            let head = Head::read(&self.vault)?;
            let head = head::agree(head, last.as_ref(), &self.key, |position| {
                chain::at(&transaction, position)
            })?;
            if Some(&head) != Head::read(&self.vault)?.as_ref() {
                head.write(&self.vault)?;
            }
            let (sequence, record) = make(chain::last_sequence(&transaction)?);
            let row = Row::new(head.position + 1, &record, &head.mac, &self.key)?;
            chain::insert(&transaction, &row)?;
            transaction.commit().map_err(VaultError::from)?;
            sequence
        };
        let transaction = database
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(VaultError::from)?;
        if let Some(last) = chain::last(&transaction)? {
            Head { position: last.position, mac: last.mac }.write(&self.vault)?;
        }
        transaction.commit().map_err(VaultError::from)?;
        Ok(sequence)
    }

    /// The newest entries first, at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn list(&self, limit: usize) -> Result<Vec<LedgerItem>, VaultError> {
        let mut items = chain::items(&self.database(), limit)?;
        items.truncate(limit);
        Ok(items)
    }

    /// Reads every record and says whether they fit together and with the head.
    ///
    /// # Errors
    /// When the database cannot be read at all.
    pub fn verify(&self) -> Result<LedgerVerdict, VaultError> {
        let mut database = self.database();
        // One moment of both files: nobody appends meanwhile.
        let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let head = Head::read(&self.vault);
        chain::verify(&transaction, &self.key, head)
    }

    /// Writes all records with their codes to `path`, one JSON object a line, and the head as the last.
    /// The file is not sealed: it is for whoever the user gives it to. It has no content of requests.
    ///
    /// # Errors
    /// When the file cannot be written; an older file of that name is then untouched.
    pub fn export(&self, path: &Path) -> Result<u64, VaultError> {
        let database = self.database();
        let mut text = String::new();
        let mut count = 0;
        chain::each(&database, |row| {
            text.push_str(&row.to_line());
            text.push('\n');
            count += 1;
            Ok(())
        })?;
        if let Some(head) = Head::read(&self.vault)? {
            text.push_str(&head.to_line());
            text.push('\n');
        }
        write_atomic(path, text.as_bytes())?;
        Ok(count)
    }
}
