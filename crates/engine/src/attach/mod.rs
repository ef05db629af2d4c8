//! The local socket: a second process that wants a data folder which another one holds asks that one.
//!
//! It is a socket on Unix and a named pipe on Windows, which only its owner can open, and each call carries a
//! token that only its owner can read. One connection is one call: a line of JSON in, lines of events out, one
//! last line. Closing the connection stops the call. No network is involved.

mod address;
mod call;
mod frame;
mod listening;
#[cfg(windows)]
mod owner;
#[cfg(windows)]
mod pipe;
mod request;
mod session;
#[cfg(unix)]
mod unix;

#[cfg(windows)]
use pipe as transport;
#[cfg(unix)]
use unix as transport;

#[cfg(test)]
mod tests;

pub use call::ByHash;
pub use listening::Listening;
pub use request::{AskRequest, CallEvent, Request};
pub use session::Session;
