//! Records and their chain: mac(n) = HMAC-SHA256(mac(n-1), position, text). The text is JSON with its
//! fields in one order, and it is authenticated as the bytes that are stored.

use std::collections::BTreeMap;

use nearside_types::{Flaw, LedgerFault, LedgerItem, LedgerOutcome, LedgerVerdict};
use nearside_vault::rusqlite::{Connection, OptionalExtension};
use nearside_vault::{MacKey, VaultError};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::head::Head;

pub(super) type Mac = [u8; 32];

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Opened(pub(super) LedgerItem);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Record {
    Open(Opened),
    Close { sequence: u64, outcome: LedgerOutcome },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) position: u64,
    pub(super) body: String,
    pub(super) mac: Mac,
}

impl Row {
    pub(super) fn new(
        position: u64,
        record: &Record,
        previous: &Mac,
        key: &MacKey,
    ) -> Result<Self, VaultError> {
        let body = serde_json::to_string(record)
            .map_err(|_| VaultError::Sql("a record that cannot be written".to_owned()))?;
        let mac = code(position, &body, previous, key);
        Ok(Self { position, body, mac })
    }

    pub(super) fn fits(&self, previous: &Mac, key: &MacKey) -> bool {
        code(self.position, &self.body, previous, key) == self.mac
    }

    pub(super) fn to_line(&self) -> String {
        let body: serde_json::Value = serde_json::from_str(&self.body).unwrap_or_default();
        json!({ "position": self.position, "record": body, "mac": hex(&self.mac) }).to_string()
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn code(position: u64, body: &str, previous: &Mac, key: &MacKey) -> Mac {
    key.code(&[previous, &position.to_le_bytes(), body.as_bytes()])
}

fn from_columns(position: i64, body: String, mac: Vec<u8>) -> Row {
    Row {
        position: u64::try_from(position).unwrap_or(0),
        body,
        // A code of another length fits nothing, as it should.
        mac: mac.try_into().unwrap_or([0; 32]),
    }
}

const COLUMNS: &str = "SELECT position, body, mac FROM record";

fn one(
    connection: &Connection,
    rest: &str,
    params: impl nearside_vault::rusqlite::Params,
) -> Result<Option<Row>, VaultError> {
    let row = connection
        .query_row(&format!("{COLUMNS} {rest}"), params, |row| {
            Ok(from_columns(row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    Ok(row)
}

pub(super) fn last(connection: &Connection) -> Result<Option<Row>, VaultError> {
    one(connection, "ORDER BY position DESC LIMIT 1", [])
}

pub(super) fn at(connection: &Connection, position: u64) -> Result<Option<Row>, VaultError> {
    let Ok(position) = i64::try_from(position) else {
        return Ok(None);
    };
    one(connection, "WHERE position = ?1", [position])
}

/// The sequence of the last entry, 0 where there is none. Closing records lie between the openings,
/// a handful at most.
pub(super) fn last_sequence(connection: &Connection) -> Result<u64, VaultError> {
    let mut statement = connection.prepare(&format!("{COLUMNS} ORDER BY position DESC"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let body: String = row.get(1)?;
        if let Ok(Record::Open(Opened(item))) = serde_json::from_str(&body) {
            return Ok(item.sequence);
        }
    }
    Ok(0)
}

pub(super) fn insert(connection: &Connection, row: &Row) -> Result<(), VaultError> {
    let position = i64::try_from(row.position)
        .map_err(|_| VaultError::Sql("a position out of range".to_owned()))?;
    connection.execute(
        "INSERT INTO record (position, body, mac) VALUES (?1, ?2, ?3)",
        (position, &row.body, row.mac.as_slice()),
    )?;
    Ok(())
}

/// Every row in order of position.
pub(super) fn each(
    connection: &Connection,
    mut visit: impl FnMut(Row) -> Result<(), VaultError>,
) -> Result<(), VaultError> {
    let mut statement = connection.prepare(&format!("{COLUMNS} ORDER BY position"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(from_columns(row.get(0)?, row.get(1)?, row.get(2)?))?;
    }
    Ok(())
}

/// The newest `limit` entries with their outcomes, newest first. Reads backwards: an entry's closing
/// record comes after its opening.
pub(super) fn items(connection: &Connection, limit: usize) -> Result<Vec<LedgerItem>, VaultError> {
    let mut statement = connection.prepare(&format!("{COLUMNS} ORDER BY position DESC"))?;
    let mut rows = statement.query([])?;
    let mut outcomes = BTreeMap::new();
    let mut items = Vec::new();
    while let Some(row) = rows.next()? {
        if items.len() >= limit {
            break;
        }
        let body: String = row.get(1)?;
        match serde_json::from_str(&body) {
            Ok(Record::Open(Opened(mut item))) => {
                item.outcome = outcomes.remove(&item.sequence).unwrap_or(item.outcome);
                items.push(item);
            }
            Ok(Record::Close { sequence, outcome }) => {
                outcomes.entry(sequence).or_insert(outcome);
            }
            // `verify` names what is not a record.
            Err(_) => {}
        }
    }
    Ok(items)
}

/// Goes along the whole chain.
pub(super) fn verify(
    connection: &Connection,
    key: &MacKey,
    head: Result<Option<Head>, VaultError>,
) -> Result<LedgerVerdict, VaultError> {
    let mut problem: Option<Flaw> = None;
    let mut note = |flaw: Flaw| problem = problem.take().or(Some(flaw));
    let mut previous = Head::default();
    let mut before_last = Head::default();
    let mut entries = 0;
    // The chain's code at the head's position, to hold the head against.
    let head_position = head.as_ref().ok().and_then(Option::as_ref).map(|head| head.position);
    let mut at_head = (head_position == Some(0)).then(Head::default);
    each(connection, |row| {
        let expected = previous.position + 1;
        match serde_json::from_str(&row.body) {
            Ok(Record::Open(Opened(item))) => {
                entries += 1;
                if item.sequence != entries {
                    note(Flaw::EntryMissing { entry: entries });
                    entries = item.sequence;
                }
            }
            Ok(Record::Close { .. }) => {}
            Err(_) => note(Flaw::RecordUnreadable { record: row.position }),
        }
        if row.position != expected {
            note(Flaw::RecordMissing { record: expected });
        }
        if !row.fits(&previous.mac, key) {
            note(Flaw::RecordChanged { record: row.position });
        }
        before_last =
            std::mem::replace(&mut previous, Head { position: row.position, mac: row.mac });
        if Some(row.position) == head_position {
            at_head = Some(previous.clone());
        }
        Ok(())
    })?;
    match head {
        Err(_) => note(Flaw::HeadChanged),
        Ok(None) => note(Flaw::HeadMissing),
        Ok(Some(head)) if head.position > previous.position => {
            note(Flaw::EndMissing { records: head.position - previous.position });
        }
        Ok(Some(head)) if head == previous || head == before_last => {}
        Ok(Some(head)) if at_head.as_ref() == Some(&head) => {
            note(Flaw::HeadOld { records: previous.position - head.position });
        }
        Ok(Some(_)) => note(Flaw::OtherRecords),
    }
    Ok(LedgerVerdict {
        intact: problem.is_none(),
        entries,
        problem: problem.map(LedgerFault::from),
    })
}
