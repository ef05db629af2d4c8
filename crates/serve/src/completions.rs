//! `/v1/completions`: goes on writing a plain text, which no chat template touches. With `echo` the text comes
//! back in front, and with `logprobs` each token says how likely it was, which is how models are evaluated.

use std::convert::Infallible;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use nearside_types::{
    Failure, FinishReason, GenerateOptions, Generation, Timings, TokenLogprob, Tokens,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::calls::Calls;
use crate::sampling::{self, Sampling, StreamOptions, finish, usage};
use crate::wire::told;
use crate::work::{self, Piece, Work};
use crate::{Backend, Shared, error, format};

#[derive(Deserialize)]
pub(crate) struct CompletionRequest {
    model: String,
    prompt: Prompt,
    #[serde(default)]
    stream: bool,
    stream_options: Option<StreamOptions>,
    max_tokens: Option<usize>,
    #[serde(flatten)]
    sampling: Sampling,
    logprobs: Option<usize>,
    #[serde(default)]
    echo: bool,
    best_of: Option<u32>,
    suffix: Option<String>,
    #[serde(default)]
    response_format: Value,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Prompt {
    One(String),
    Many(Vec<String>),
    Other(serde::de::IgnoredAny),
}

/// One text to go on with.
#[derive(Clone)]
struct Order {
    model: String,
    prompt: String,
    options: GenerateOptions,
    echo: bool,
}

/// More prompts in one request would wait for each other anyway.
const MOST_PROMPTS: usize = 64;

fn orders(request: &CompletionRequest) -> Result<Vec<Order>, Failure> {
    let prompts = match &request.prompt {
        Prompt::One(text) => vec![text.clone()],
        Prompt::Many(texts) if (1..=MOST_PROMPTS).contains(&texts.len()) => texts.clone(),
        Prompt::Many(_) | Prompt::Other(_) => {
            return Err(Failure::usage("`prompt` must be a text or a list of 1 to 64 texts."));
        }
    };
    if request.stream && prompts.len() > 1 {
        return Err(Failure::usage("Only one `prompt` at a time is streamed."));
    }
    if request.suffix.as_ref().is_some_and(|suffix| !suffix.is_empty()) {
        return Err(Failure::usage("`suffix` is not served; put the text into `prompt`."));
    }
    if request.best_of.is_some_and(|count| count != 1) {
        return Err(Failure::usage("Only `best_of` = 1 is served."));
    }
    let mut options = request.sampling.options(request.max_tokens.unwrap_or(16), 1.0)?;
    if options.max_tokens == 0 && !request.echo {
        return Err(Failure::usage("`max_tokens` = 0 asks for nothing without `echo`."));
    }
    options.constraint = format::constraint(&request.response_format)?;
    options.logprobs =
        request.logprobs.map(|count| sampling::top(count, "logprobs")).transpose()?;
    let order = |prompt| Order {
        model: request.model.clone(),
        prompt,
        options: options.clone(),
        echo: request.echo,
    };
    Ok(prompts.into_iter().map(order).collect())
}

impl Order {
    /// What `echo` puts in front has its tokens in front of the answer's.
    fn compute(
        &self,
        backend: &dyn Backend,
        cancel: &nearside_types::Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        let mut logprobs = Vec::new();
        if let (true, Some(top)) = (self.echo, self.options.logprobs) {
            logprobs = backend.score(&self.model, &self.prompt, top, cancel)?;
        }
        if self.echo {
            on_text(&self.prompt);
        }
        if self.options.max_tokens == 0 {
            let prompt = logprobs.len() as u64;
            let tokens = Tokens { prompt, reused: 0, generated: 0 };
            let (timings, finish) = (Timings::default(), FinishReason::Length);
            return Ok(Generation { tokens, timings, finish, notices: Vec::new(), logprobs });
        }
        let mut generation =
            backend.complete(&self.model, &self.prompt, &self.options, cancel, on_text)?;
        logprobs.append(&mut generation.logprobs);
        Ok(Generation { logprobs, ..generation })
    }
}

pub(crate) async fn completions(
    State(shared): State<Shared>,
    request: Result<Json<CompletionRequest>, JsonRejection>,
) -> Response {
    let request = match error::parsed(
        request,
        "The body is not a completion request: JSON with `model` and `prompt`, sent as application/json.",
    ) {
        Ok(request) => request,
        Err(response) => return response,
    };
    let prepared = || Ok((orders(&request)?, request.sampling.stops()?));
    let (orders, stops) = match prepared() {
        Ok(prepared) => prepared,
        Err(failure) => return error::from_failure(&failure),
    };
    if request.stream {
        let Some(order) = orders.first() else {
            return error::from_failure(&Failure::usage("`prompt` is empty."));
        };
        return match begin(&shared, order, stops) {
            Ok(work) => streamed(work, request),
            Err(response) => response,
        };
    }
    match whole(&shared, &orders, &stops).await {
        Ok(mut answer) => {
            answer.insert("model".to_owned(), json!(request.model));
            Json(answer).into_response()
        }
        Err(response) => response,
    }
}

#[expect(clippy::result_large_err, reason = "the error is the answer itself, made once a request")]
fn begin(shared: &Shared, order: &Order, stops: Vec<String>) -> Result<Work, Response> {
    let order = order.clone();
    // The text that comes back in front may hold a stop sequence; it ends nothing.
    let stops = if order.echo && stops.iter().any(|stop| order.prompt.contains(stop.as_str())) {
        let sentence = "With `echo`, `stop` must not occur in `prompt`.";
        return Err(error::from_failure(&Failure::usage(sentence)));
    } else {
        stops
    };
    work::begin(shared, "cmpl", stops, Calls::of(Vec::new()), move |backend, cancel, on_text| {
        order.compute(backend, cancel, on_text)
    })
}

/// One prompt after the other.
async fn whole(
    shared: &Shared,
    orders: &[Order],
    stops: &[String],
) -> Result<Map<String, Value>, Response> {
    let mut choices = Vec::new();
    let mut sum = Tokens { prompt: 0, reused: 0, generated: 0 };
    let mut about = None;
    for (index, order) in orders.iter().enumerate() {
        let mut work = begin(shared, order, stops.to_vec())?;
        about.get_or_insert_with(|| (work.id.clone(), work.created));
        let mut text = String::new();
        let generation = loop {
            match work.pieces.recv().await {
                Some(Piece::Text(more)) => text.push_str(&more),
                Some(Piece::Calls(_)) => {}
                Some(Piece::End(Ok(generation))) => break generation,
                Some(Piece::End(Err(failure))) => return Err(error::from_failure(&failure)),
                None => {
                    return Err(error::from_failure(&Failure::internal("The answer broke off.")));
                }
            }
        };
        sum.prompt += generation.tokens.prompt;
        sum.reused += generation.tokens.reused;
        sum.generated += generation.tokens.generated;
        choices.push(json!({
            "index": index,
            "text": text,
            "logprobs": order.options.logprobs.map(|_| logprobs(&generation.logprobs)),
            "finish_reason": finish(generation.finish),
        }));
    }
    let (id, created) = about.unwrap_or_default();
    let total = Generation {
        tokens: sum,
        timings: Timings::default(),
        finish: FinishReason::Stop,
        notices: Vec::new(),
        logprobs: Vec::new(),
    };
    let fields = [
        ("id", json!(id)),
        ("object", json!("text_completion")),
        ("created", json!(created)),
        ("choices", json!(choices)),
        ("usage", usage(&total)),
    ];
    Ok(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// The four lists of OpenAI's older form. Offsets count code points of the text.
fn logprobs(tokens: &[TokenLogprob]) -> Value {
    let shown = |token: &nearside_types::TokenText| String::from_utf8_lossy(&token.0).into_owned();
    let mut offset = 0;
    let mut offsets = Vec::with_capacity(tokens.len());
    for token in tokens {
        offsets.push(offset);
        // Bytes that only go on with a character begin none.
        offset += token.token.0.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    }
    let top = tokens.iter().map(|token| {
        token.logprob.map(|_| {
            let listed = token.top.iter();
            listed
                .map(|(token, logprob)| (shown(token), json!(told(Some(*logprob)))))
                .collect::<Map<_, _>>()
        })
    });
    json!({
        "tokens": tokens.iter().map(|token| shown(&token.token)).collect::<Vec<_>>(),
        "token_logprobs": tokens.iter().map(|token| token.logprob.map(|l| told(Some(l)))).collect::<Vec<_>>(),
        "top_logprobs": top.collect::<Vec<_>>(),
        "text_offset": offsets,
    })
}

fn streamed(work: Work, request: CompletionRequest) -> Response {
    let Work { id, created, pieces, hang_up } = work;
    let model = request.model;
    let wants_usage = request.stream_options.is_some_and(|options| options.include_usage);
    let asked = request.logprobs.is_some();
    let chunk = move |choices: Value, usage: Option<Value>| {
        let mut chunk = json!({"id": id, "object": "text_completion", "created": created, "model": model, "choices": choices});
        if let (Some(usage), Some(fields)) = (usage, chunk.as_object_mut()) {
            fields.insert("usage".to_owned(), usage);
        }
        Event::default().data(chunk.to_string())
    };
    let pieces =
        futures_util::stream::unfold((pieces, hang_up), |(mut pieces, hang_up)| async move {
            pieces.recv().await.map(|piece| (piece, (pieces, hang_up)))
        });
    let events = pieces.flat_map(move |piece| {
        let events = match piece {
            Piece::Text(text) => vec![chunk(
                json!([{"index": 0, "text": text, "logprobs": null, "finish_reason": null}]),
                None,
            )],
            Piece::Calls(_) => Vec::new(),
            Piece::End(Err(failure)) => {
                vec![Event::default().data(error::body(&failure).to_string())]
            }
            Piece::End(Ok(generation)) => {
                let logprobs = asked.then(|| logprobs(&generation.logprobs));
                let mut events = vec![chunk(
                    json!([{"index": 0, "text": "", "logprobs": logprobs, "finish_reason": finish(generation.finish)}]),
                    None,
                )];
                if wants_usage {
                    events.push(chunk(json!([]), Some(usage(&generation))));
                }
                events.push(Event::default().data("[DONE]"));
                events
            }
        };
        futures_util::stream::iter(events)
    });
    Sse::new(events.map(Ok::<_, Infallible>)).keep_alive(KeepAlive::default()).into_response()
}
