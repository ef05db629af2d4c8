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
        /// The first entry that does not fit, or what is missing.
        pub problem: Option<String>,
    }
}
