//! The local socket: a second process that wants a data folder which another one holds asks that one.
//!
//! On Unix it is a socket that only its owner can open, and each call carries a token that only its owner
//! can read. One connection is one call: a line of JSON in, lines of events out, one last line. Closing the
//! connection stops the call. On Windows it will be a named pipe; until then a held folder is refused there
//! with a sentence. No network is involved.

mod call;
mod frame;
mod request;
mod session;
#[cfg(unix)]
mod unix;

#[cfg(unix)]
#[cfg(test)]
mod tests;

pub use call::ByHash;
pub use request::{AskRequest, CallEvent, Request};
pub use session::Session;
#[cfg(unix)]
pub use unix::Listening;
