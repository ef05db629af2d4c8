//! Ledger entries: what left the machine, without what it said.

use crate::EntityCount;

wire! {
    #[derive(Copy, Eq, Hash)]
    #[serde(rename_all = "snake_case")]
    pub enum LedgerKind {
        /// User content, through the gate.
        Request,
        /// Model downloads: no user content.
        Housekeeping,
    }

    #[derive(Copy, Eq, Hash)]
    #[serde(rename_all = "snake_case")]
    pub enum LedgerOutcome {
        /// Written before the first byte leaves.
        Pending,
        Sent,
        Failed,
        Refused,
    }

    #[derive(Eq)]
    pub struct LedgerItem {
        pub sequence: u64,
        /// RFC 3339, UTC.
        pub time: String,
        pub kind: LedgerKind,
        pub destination: String,
        pub bytes: u64,
        /// Of the exact body that was sent.
        pub sha256: String,
        pub entities: Vec<EntityCount>,
        pub outcome: LedgerOutcome,
    }

    /// The result of `ledger verify`.
    #[derive(Eq)]
    pub struct LedgerVerdict {
        pub intact: bool,
        pub entries: u64,
        /// The first thing that does not fit.
        pub problem: Option<LedgerFault>,
    }
}

told! {
    /// What is wrong with a ledger. Records count from 1 along the chain; each entry has an opening record and
    /// mostly a closing one.
    LedgerFault, what: Flaw + Eq {
        #[error("entry {entry} is missing")]
        EntryMissing { entry: u64 },
        #[error("record {record} is missing")]
        RecordMissing { record: u64 },
        #[error("record {record} cannot be read")]
        RecordUnreadable { record: u64 },
        #[error("record {record} was changed or moved")]
        RecordChanged { record: u64 },
        #[error("the sealed head was changed")]
        HeadChanged,
        #[error("the sealed head is missing")]
        HeadMissing,
        #[error("{records} records are missing at the end")]
        EndMissing { records: u64 },
        #[error("the sealed head is {records} records old")]
        HeadOld { records: u64 },
        #[error("the records are not those that the sealed head names")]
        OtherRecords,
    }
}
