//! A generation under way: computed on a thread of its own, read piece by piece. Dropping it stops the computing
//! within one token. Only so many wait at once; more are told to come back.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use nearside_types::{Cancel, Failure, Generation};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::calls::{Call, Calls};
use crate::stops::Stops;
use crate::{Backend, Shared, error};

/// Requests that compute or wait for their turn. One model computes one at a time, so the last of them waits long.
pub(crate) const MOST_AT_ONCE: usize = 16;

/// What comes of a generation, in order. `End` is the last.
pub(crate) enum Piece {
    Text(String),
    Calls(Vec<Call>),
    End(Result<Generation, Failure>),
}

pub(crate) struct Work {
    pub(crate) id: String,
    /// Seconds since 1970.
    pub(crate) created: u64,
    pub(crate) pieces: mpsc::UnboundedReceiver<Piece>,
    pub(crate) hang_up: HangUp,
}

/// Cancels when it is dropped.
pub(crate) struct HangUp(Cancel);

impl HangUp {
    pub(crate) fn of(cancel: &Cancel) -> Self {
        Self(cancel.clone())
    }
}

impl Drop for HangUp {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

pub(crate) fn seconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// A place among those that are served, or the answer that there is none.
#[expect(clippy::result_large_err, reason = "the error is the answer itself, made once a request")]
pub(crate) fn place(slots: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Response> {
    Arc::clone(slots).try_acquire_owned().map_err(|_| {
        let failure = Failure::coded(
            nearside_types::FailureKind::Refused,
            "overloaded",
            "Too many requests are waiting; try again in a moment.",
        );
        let mut response = error::refuse(StatusCode::TOO_MANY_REQUESTS, &failure);
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        response
    })
}

/// Starts `compute`, whose text ends before the first of `stops` and in which `calls` looks for calls of tools.
#[expect(clippy::result_large_err, reason = "the error is the answer itself, made once a request")]
pub(crate) fn begin(
    shared: &Shared,
    prefix: &str,
    stops: Vec<String>,
    mut calls: Calls,
    compute: impl FnOnce(&dyn Backend, &Cancel, &mut dyn FnMut(&str)) -> Result<Generation, Failure>
    + Send
    + 'static,
) -> Result<Work, Response> {
    let place = place(&shared.slots)?;
    let mut stops = Stops::new(stops);
    let (send, pieces) = mpsc::unbounded_channel();
    let cancel = Cancel::new();
    let (backend, seen) = (shared.backend.clone(), cancel.clone());
    tokio::task::spawn_blocking(move || {
        let _place = place;
        // Nobody listens when sending fails: the answer has no reader.
        let tell = |text: String| text.is_empty() || send.send(Piece::Text(text)).is_ok();
        let mut on_text = |text: &str| {
            let certain = stops.push(text);
            if !tell(calls.push(&certain)) || stops.met() {
                seen.cancel();
            }
        };
        let end = compute(&*backend, &seen, &mut on_text);
        let rest = stops.finish();
        let rest = calls.push(&rest) + &calls.finish();
        tell(rest);
        if end.is_ok() && !calls.found.is_empty() {
            let _ = send.send(Piece::Calls(calls.found));
        }
        let _ = send.send(Piece::End(end));
    });
    let id = format!("{prefix}-{}", nearside_types::JobId::new());
    Ok(Work { id, created: seconds_now(), pieces, hang_up: HangUp::of(&cancel) })
}
