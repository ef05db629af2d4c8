//! `/v1/models` and `/v1/chat/completions`. A client that hangs up stops the computing within one token.

use std::convert::Infallible;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use nearside_types::{Cancel, Failure, Generation};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::stops::Stops;
use crate::wire::{self, ChatRequest};
use crate::{Shared, error};

pub(crate) async fn models(State(shared): State<Shared>) -> Json<Value> {
    let models: Vec<Value> = shared
        .backend
        .models()
        .into_iter()
        .map(|model| {
            json!({"id": model.name, "object": "model", "created": 0, "owned_by": "nearside", "context_length": model.context_length})
        })
        .collect();
    Json(json!({"object": "list", "data": models}))
}

pub(crate) async fn completions(
    State(shared): State<Shared>,
    request: Result<Json<ChatRequest>, JsonRejection>,
) -> Response {
    let request = match error::parsed(
        request,
        "The body is not a chat request: JSON with `model` and `messages`, sent as application/json.",
    ) {
        Ok(request) => request,
        Err(response) => return response,
    };
    let stream = request.stream;
    match begin(&shared, request) {
        Ok(work) if stream => streamed(work),
        Ok(work) => whole(work).await,
        Err(failure) => error::from_failure(&failure),
    }
}

enum Piece {
    Text(String),
    End(Result<Generation, Failure>),
}

/// A generation under way. Dropping it cancels the computing.
struct Work {
    id: String,
    /// Seconds since 1970.
    created: u64,
    model: String,
    wants_usage: bool,
    pieces: mpsc::UnboundedReceiver<Piece>,
    hang_up: HangUp,
}

struct HangUp(Cancel);

impl Drop for HangUp {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn begin(shared: &Shared, request: ChatRequest) -> Result<Work, Failure> {
    request.check_served()?;
    let (turns, options) = (request.turns()?, request.options()?);
    let mut stops = Stops::new(request.stops()?);
    let (send, pieces) = mpsc::unbounded_channel();
    let cancel = Cancel::new();
    let (backend, seen, model) = (shared.backend.clone(), cancel.clone(), request.model.clone());
    tokio::task::spawn_blocking(move || {
        let mut on_text = |text: &str| {
            let certain = stops.push(text);
            let gone = !certain.is_empty() && send.send(Piece::Text(certain)).is_err();
            if gone || stops.met() {
                seen.cancel();
            }
        };
        let end = backend.chat(&model, &turns, &options, &seen, &mut on_text);
        let rest = stops.finish();
        if !rest.is_empty() {
            let _ = send.send(Piece::Text(rest));
        }
        // Nobody listens any more: the answer has no reader.
        let _ = send.send(Piece::End(end));
    });
    let wants_usage = request.wants_usage();
    let id = format!("chatcmpl-{}", nearside_types::JobId::new());
    let created = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(Work { id, created, model: request.model, wants_usage, pieces, hang_up: HangUp(cancel) })
}

async fn whole(mut work: Work) -> Response {
    let mut text = String::new();
    while let Some(piece) = work.pieces.recv().await {
        match piece {
            Piece::Text(more) => text.push_str(&more),
            Piece::End(Err(failure)) => return error::from_failure(&failure),
            Piece::End(Ok(generation)) => {
                return Json(json!({
                    "id": work.id,
                    "object": "chat.completion",
                    "created": work.created,
                    "model": work.model,
                    "choices": [{
                        "index": 0,
                        "message": {"role": "assistant", "content": text},
                        "finish_reason": wire::finish(generation.finish),
                    }],
                    "usage": wire::usage(&generation),
                    "timings": wire::timings(&generation),
                }))
                .into_response();
            }
        }
    }
    error::from_failure(&Failure::internal("The answer broke off."))
}

fn streamed(work: Work) -> Response {
    let Work { id, created, model, wants_usage, pieces, hang_up } = work;
    let chunk = move |delta: Value, finish: Option<&str>, usage: Option<Value>| {
        let choices = match usage {
            Some(_) => json!([]),
            None => json!([{"index": 0, "delta": delta, "finish_reason": finish}]),
        };
        let mut chunk = json!({"id": id, "object": "chat.completion.chunk", "created": created, "model": model, "choices": choices});
        if let (Some(usage), Some(fields)) = (usage, chunk.as_object_mut()) {
            fields.insert("usage".to_owned(), usage);
        }
        Event::default().data(chunk.to_string())
    };
    let first = chunk(json!({"role": "assistant", "content": ""}), None, None);
    let pieces =
        futures_util::stream::unfold((pieces, hang_up), |(mut pieces, hang_up)| async move {
            pieces.recv().await.map(|piece| (piece, (pieces, hang_up)))
        });
    let rest = pieces.flat_map(move |piece| {
        let events = match piece {
            Piece::Text(text) => vec![chunk(json!({"content": text}), None, None)],
            Piece::End(Err(failure)) => {
                vec![Event::default().data(error::body(&failure).to_string())]
            }
            Piece::End(Ok(generation)) => {
                let mut events =
                    vec![chunk(json!({}), Some(wire::finish(generation.finish)), None)];
                if wants_usage {
                    events.push(chunk(json!({}), None, Some(wire::usage(&generation))));
                }
                events.push(Event::default().data("[DONE]"));
                events
            }
        };
        futures_util::stream::iter(events)
    });
    let events = futures_util::stream::once(async { first }).chain(rest).map(Ok::<_, Infallible>);
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}
