//! Connects: providers, model hub, the egress ledger. The only crate that opens a connection.
