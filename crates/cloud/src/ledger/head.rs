//! The head: the last record's position and code, sealed in a file of its own beside the database.

use nearside_vault::{MacKey, Vault, VaultError};
use serde_json::json;

use super::chain::{Mac, Row, hex};
use crate::CloudError;

const NAME: &str = "ledger-head";

/// The default is the head of an empty chain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) position: u64,
    pub(super) mac: Mac,
}

impl Head {
    pub(super) fn read(vault: &Vault) -> Result<Option<Self>, VaultError> {
        let Some(bytes) = vault.read_sealed(NAME)? else {
            return Ok(None);
        };
        let damaged = || VaultError::Damaged(format!("{NAME}.sealed"));
        let (position, mac) = bytes.split_first_chunk::<8>().ok_or_else(damaged)?;
        let mac = mac.try_into().map_err(|_| damaged())?;
        Ok(Some(Self { position: u64::from_le_bytes(*position), mac }))
    }

    pub(super) fn write(&self, vault: &Vault) -> Result<(), VaultError> {
        let mut bytes = self.position.to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.mac);
        vault.write_sealed(NAME, &bytes)
    }

    pub(super) fn to_line(&self) -> String {
        json!({ "head": self.position, "mac": hex(&self.mac) }).to_string()
    }
}

/// The head that a new record continues: the stored one, or the one record that was written after it.
/// Anything else is left as it is, for `verify` to show.
pub(super) fn agree(
    head: Option<Head>,
    last: Option<&Row>,
    key: &MacKey,
    at: impl Fn(u64) -> Result<Option<Row>, VaultError>,
) -> Result<Head, CloudError> {
    let broken = |what: &str| Err(CloudError::LedgerBroken(what.to_owned()));
    let Some(head) = head else {
        return broken("the sealed head is missing");
    };
    let last_position = last.map_or(0, |last| last.position);
    if head.position > last_position {
        return broken("records are missing at the end");
    }
    if head.position > 0 && at(head.position)?.is_none_or(|row| row.mac != head.mac) {
        return broken("the last record is not the one that the sealed head names");
    }
    match last {
        Some(last) if last.position == head.position + 1 => {
            if last.fits(&head.mac, key) {
                Ok(Head { position: last.position, mac: last.mac })
            } else {
                broken("the last record was changed")
            }
        }
        Some(last) if last.position > head.position => broken("the sealed head is old"),
        _ => Ok(head),
    }
}
