//! Connects: providers, model hub, the egress ledger. The only crate that opens a connection.
//!
//! User content leaves in one type only, `nearside_privacy::Outbound`, and each departure is in the
//! ledger before its first byte is on the wire. Local-only mode is enforced here, for every caller. It
//! decides nothing about what may leave: that is the gate's and the user's.

mod check;
mod client;
mod connector;
mod cost;
mod endpoint;
mod error;
pub mod hub;
mod ledger;
mod openai;
mod policy;
mod retry;
mod send;
mod sse;
mod status;

pub use connector::{Connector, Limits};
pub use cost::cost;
pub use endpoint::destination;
pub use error::CloudError;
pub use ledger::{Departure, Entry, Ledger};
pub use openai::openai_body;
pub use policy::LocalOnly;
pub use retry::Retry;
pub use send::Reply;
pub use sse::{SseLimits, SseParser, TooLong};
