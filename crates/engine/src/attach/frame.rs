//! Frames: one JSON value a line, bounded, in both directions.

use std::io::{BufRead, Read, Write};

use nearside_types::{Failure, FailureKind};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::request::{CallEvent, Request};

/// Bytes of one line: a long conversation fits, a runaway peer does not.
const LONGEST: u64 = 32 << 20;

/// The first and only line of a caller.
#[derive(Serialize, Deserialize)]
pub(crate) struct Call {
    pub(crate) token: String,
    pub(crate) request: Request,
}

/// A line of the holder; `Done` or `Failed` is the last.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reply {
    Event(CallEvent),
    Done(Value),
    Failed(Failure),
}

pub(crate) fn write<T: Serialize>(to: &mut impl Write, value: &T) -> Result<(), Failure> {
    let mut line = serde_json::to_vec(value).map_err(|_| broken())?;
    line.push(b'\n');
    to.write_all(&line).and_then(|()| to.flush()).map_err(|_| broken())
}

/// The next value; `None` at the end of the stream.
pub(crate) fn read<T: DeserializeOwned>(from: &mut impl BufRead) -> Result<Option<T>, Failure> {
    let mut line = Vec::new();
    from.by_ref().take(LONGEST).read_until(b'\n', &mut line).map_err(|_| broken())?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        return Err(broken());
    }
    serde_json::from_slice(&line).map(Some).map_err(|_| broken())
}

pub(crate) fn broken() -> Failure {
    Failure::coded(
        FailureKind::Internal,
        "attach_broken",
        "The running Nearside answered in a way that this one does not understand, or stopped; are both \
         of the same version?",
    )
}
