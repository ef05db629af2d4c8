//! `/v1/embeddings`: texts to vectors, as numbers or, as OpenAI's own client asks for them, as Base64 of
//! little-endian floats. A text beyond the model's length counts by its beginning.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nearside_types::{EmbedderRole, Failure};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Shared, error, work};

/// As many as OpenAI takes.
const MOST_TEXTS: usize = 2048;

#[derive(Deserialize)]
pub(crate) struct EmbeddingsRequest {
    #[serde(default)]
    model: String,
    input: Input,
    encoding_format: Option<String>,
    /// Not of OpenAI's: what the texts are, for models that tell questions from passages.
    input_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    One(String),
    Many(Vec<String>),
}

struct Order {
    texts: Vec<String>,
    role: EmbedderRole,
    base64: bool,
}

fn order(request: &mut EmbeddingsRequest) -> Result<Order, Failure> {
    let texts = match std::mem::replace(&mut request.input, Input::Many(Vec::new())) {
        Input::One(text) => vec![text],
        Input::Many(texts) => texts,
    };
    if texts.is_empty() || texts.len() > MOST_TEXTS {
        return Err(Failure::usage("`input` must hold between 1 and 2048 texts."));
    }
    if texts.iter().any(String::is_empty) {
        return Err(Failure::usage("`input` holds an empty text; leave it out."));
    }
    let role = match request.input_type.as_deref() {
        None | Some("passage" | "document") => EmbedderRole::Passage,
        Some("query") => EmbedderRole::Query,
        Some(_) => return Err(Failure::usage("`input_type` must be query or passage.")),
    };
    let base64 = match request.encoding_format.as_deref() {
        None | Some("float") => false,
        Some("base64") => true,
        Some(_) => return Err(Failure::usage("`encoding_format` must be float or base64.")),
    };
    Ok(Order { texts, role, base64 })
}

pub(crate) async fn embeddings(
    State(shared): State<Shared>,
    request: Result<Json<EmbeddingsRequest>, JsonRejection>,
) -> Response {
    let mut request = match error::parsed(
        request,
        "The body is not an embeddings request: JSON with `model` and `input`, one text or a list, sent as application/json.",
    ) {
        Ok(request) => request,
        Err(response) => return response,
    };
    let Order { texts, role, base64 } = match order(&mut request) {
        Ok(order) => order,
        Err(failure) => return error::from_failure(&failure),
    };
    let place = match work::place(&shared.slots) {
        Ok(place) => place,
        Err(response) => return response,
    };
    let model = request.model;
    let (backend, wanted) = (shared.backend.clone(), model.clone());
    let work = tokio::task::spawn_blocking(move || {
        let _place = place;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        backend.embed(&wanted, role, &texts)
    });
    let embedded =
        work.await.unwrap_or_else(|_| Err(Failure::internal("The embedding broke off.")));
    match embedded {
        Err(failure) => error::from_failure(&failure),
        Ok(embedded) => {
            let rows = embedded.vectors.iter().enumerate().map(|(index, vector)| {
                json!({"object": "embedding", "index": index, "embedding": written(vector, base64)})
            });
            let rows: Vec<Value> = rows.collect();
            let usage = json!({"prompt_tokens": embedded.tokens, "total_tokens": embedded.tokens});
            Json(json!({"object": "list", "data": rows, "model": model, "usage": usage}))
                .into_response()
        }
    }
}

fn written(vector: &[f32], base64: bool) -> Value {
    if base64 {
        let bytes: Vec<u8> = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
        json!(STANDARD.encode(bytes))
    } else {
        json!(vector)
    }
}
