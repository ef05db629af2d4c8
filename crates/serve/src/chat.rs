//! `/v1/models` and `/v1/chat/completions`. A client that hangs up stops the computing within one token.

use std::convert::Infallible;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use nearside_types::{Failure, Generation};
use serde_json::{Value, json};

use crate::calls::Calls;
use crate::sampling::{finish, usage};
use crate::wire::{self, ChatRequest};
use crate::work::{self, Piece, Work};
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
    let about = About {
        model: request.model.clone(),
        wants_usage: request.wants_usage(),
        streamed: request.stream,
    };
    let (work, logprobs) = match begin(&shared, request) {
        Ok(begun) => begun,
        Err(response) => return response,
    };
    if about.streamed {
        streamed(work, about, logprobs)
    } else {
        whole(work, about, logprobs).await
    }
}

struct About {
    model: String,
    wants_usage: bool,
    streamed: bool,
}

/// Whether logprobs were asked for comes with the work.
#[expect(clippy::result_large_err, reason = "the error is the answer itself, made once a request")]
fn begin(shared: &Shared, request: ChatRequest) -> Result<(Work, bool), Response> {
    let prepared = || -> Result<_, Failure> {
        let tools = request.tools()?;
        Ok((request.turns()?, request.options(&tools)?, request.sampling.stops()?, tools.names()))
    };
    let (turns, options, stops, names) =
        prepared().map_err(|failure| error::from_failure(&failure))?;
    let asked = options.logprobs.is_some();
    let model = request.model;
    let work = work::begin(
        shared,
        "chatcmpl",
        stops,
        Calls::of(names),
        move |backend, cancel, on_text| backend.chat(&model, &turns, &options, cancel, on_text),
    )?;
    Ok((work, asked))
}

async fn whole(mut work: Work, about: About, logprobs: bool) -> Response {
    let mut text = String::new();
    let mut calls = Value::Null;
    while let Some(piece) = work.pieces.recv().await {
        match piece {
            Piece::Text(more) => text.push_str(&more),
            Piece::Calls(found) => calls = wire::calls(&found, false),
            Piece::End(Err(failure)) => return error::from_failure(&failure),
            Piece::End(Ok(generation)) => {
                let called = !calls.is_null();
                let mut message = json!({"role": "assistant", "content": text});
                if let (true, Some(fields)) = (called, message.as_object_mut()) {
                    if text.is_empty() {
                        fields.insert("content".to_owned(), Value::Null);
                    }
                    fields.insert("tool_calls".to_owned(), calls);
                }
                return Json(json!({
                    "id": work.id,
                    "object": "chat.completion",
                    "created": work.created,
                    "model": about.model,
                    "choices": [{
                        "index": 0,
                        "message": message,
                        "logprobs": wire::logprobs(logprobs, &generation.logprobs),
                        "finish_reason": why(&generation, called),
                    }],
                    "usage": usage(&generation),
                    "timings": generation.timings,
                }))
                .into_response();
            }
        }
    }
    error::from_failure(&Failure::internal("The answer broke off."))
}

fn why(generation: &Generation, called: bool) -> &'static str {
    if called { "tool_calls" } else { finish(generation.finish) }
}

fn streamed(work: Work, about: About, logprobs: bool) -> Response {
    let Work { id, created, pieces, hang_up } = work;
    let About { model, wants_usage, .. } = about;
    let chunk = move |choices: Value, usage: Option<Value>| {
        let mut chunk = json!({"id": id, "object": "chat.completion.chunk", "created": created, "model": model, "choices": choices});
        if let (Some(usage), Some(fields)) = (usage, chunk.as_object_mut()) {
            fields.insert("usage".to_owned(), usage);
        }
        Event::default().data(chunk.to_string())
    };
    let delta = |delta: Value| json!([{"index": 0, "delta": delta, "finish_reason": null}]);
    let first = chunk(delta(json!({"role": "assistant", "content": ""})), None);
    let pieces =
        futures_util::stream::unfold((pieces, hang_up), |(mut pieces, hang_up)| async move {
            pieces.recv().await.map(|piece| (piece, (pieces, hang_up)))
        });
    let mut called = false;
    let rest = pieces.flat_map(move |piece| {
        let events = match piece {
            Piece::Text(text) => vec![chunk(delta(json!({"content": text})), None)],
            Piece::Calls(found) => {
                called = true;
                vec![chunk(delta(json!({"tool_calls": wire::calls(&found, true)})), None)]
            }
            Piece::End(Err(failure)) => {
                vec![Event::default().data(error::body(&failure).to_string())]
            }
            Piece::End(Ok(generation)) => {
                // What was chosen, and how likely it was, is told with the last piece.
                let mut choice =
                    json!({"index": 0, "delta": {}, "finish_reason": why(&generation, called)});
                if let (true, Some(fields)) = (logprobs, choice.as_object_mut()) {
                    let told = wire::logprobs(true, &generation.logprobs);
                    fields.insert("logprobs".to_owned(), told);
                }
                let mut events = vec![chunk(json!([choice]), None)];
                if wants_usage {
                    events.push(chunk(json!([]), Some(usage(&generation))));
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
