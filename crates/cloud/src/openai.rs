//! The OpenAI chat completions format: a request's body, and what comes back in pieces or whole.
//!
//! Pure functions over bytes. Only what Nearside uses is read; everything else in an answer is ignored.

use nearside_privacy::Proposed;
use nearside_types::{FinishReason, Role, Tokens};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The exact body of a chat request. Deterministic: the same content gives the same bytes, so that the
/// sha256 in an approval names them.
#[must_use]
pub fn openai_body(proposed: &Proposed) -> Vec<u8> {
    let messages: Vec<Value> = proposed
        .messages()
        .iter()
        .map(|message| {
            let role = match message.role() {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            json!({ "role": role, "content": message.text() })
        })
        .collect();
    let params = proposed.params();
    let mut body = Map::new();
    body.insert("model".to_owned(), proposed.model().into());
    body.insert("messages".to_owned(), messages.into());
    let thousandths = |value: u32| f64::from(value) / 1000.0;
    if let Some(limit) = params.max_tokens {
        body.insert("max_tokens".to_owned(), limit.into());
    }
    if let Some(temperature) = params.temperature_milli {
        body.insert("temperature".to_owned(), thousandths(temperature).into());
    }
    if let Some(top_p) = params.top_p_milli {
        body.insert("top_p".to_owned(), thousandths(top_p).into());
    }
    if let Some(seed) = params.seed {
        body.insert("seed".to_owned(), seed.into());
    }
    body.insert("stream".to_owned(), params.stream.into());
    if params.stream {
        body.insert("stream_options".to_owned(), json!({ "include_usage": true }));
    }
    Value::Object(body).to_string().into_bytes()
}

/// One piece of an answer, or a whole one.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) finish: Option<FinishReason>,
    pub(crate) usage: Option<Tokens>,
    pub(crate) model: Option<String>,
}

/// An error object in the stream or in a body: its code, where it looks like one.
#[derive(Debug, PartialEq)]
pub(crate) struct ErrorObject {
    pub(crate) code: String,
    /// The HTTP status that it names, where it does.
    pub(crate) status: Option<u16>,
}

#[derive(Deserialize)]
struct WireAnswer {
    #[serde(default)]
    choices: Vec<WireChoice>,
    usage: Option<WireUsage>,
    model: Option<String>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct WireChoice {
    delta: Option<WireMessage>,
    message: Option<WireMessage>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct WireMessage {
    content: Option<String>,
}

#[derive(Deserialize)]
struct WireUsage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
    prompt_tokens_details: Option<WireDetails>,
}

#[derive(Deserialize)]
struct WireDetails {
    cached_tokens: Option<u64>,
}

/// What one JSON object of an answer says; none when it is not one.
pub(crate) fn read_piece(json: &[u8]) -> Option<Result<Piece, ErrorObject>> {
    let answer: WireAnswer = serde_json::from_slice(json).ok()?;
    if let Some(error) = answer.error.filter(|error| !error.is_null()) {
        return Some(Err(read_error(&error)));
    }
    let mut piece = Piece { model: answer.model, ..Piece::default() };
    piece.usage = answer.usage.map(|usage| Tokens {
        prompt: usage.prompt_tokens,
        reused: usage.prompt_tokens_details.and_then(|d| d.cached_tokens).unwrap_or(0),
        generated: usage.completion_tokens,
    });
    if let Some(choice) = answer.choices.into_iter().next() {
        piece.text =
            choice.delta.or(choice.message).and_then(|message| message.content).unwrap_or_default();
        piece.finish = choice.finish_reason.map(|reason| match reason.as_str() {
            "length" => FinishReason::Length,
            _ => FinishReason::Stop,
        });
    }
    Some(Ok(piece))
}

/// The error object of a failed answer's body, as far as it has one.
pub(crate) fn read_error_body(body: &[u8]) -> ErrorObject {
    let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    read_error(body.get("error").unwrap_or(&body))
}

fn read_error(error: &Value) -> ErrorObject {
    let fields = ["code", "type"].map(|name| error.get(name).unwrap_or(&Value::Null));
    let code = fields.iter().filter_map(|field| field.as_str()).find(|code| {
        (1..=64).contains(&code.len())
            && code.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b))
    });
    let status = fields[0]
        .as_u64()
        .or_else(|| fields[0].as_str().and_then(|code| code.parse().ok()))
        .and_then(|status| u16::try_from(status).ok())
        .filter(|status| (400..600).contains(status));
    ErrorObject { code: code.unwrap_or_default().to_owned(), status }
}

/// The models that GET /models lists: at most a thousand names of a sensible length.
pub(crate) fn read_models(body: &[u8]) -> Option<Vec<String>> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let list = body.get("data").unwrap_or(&body).as_array()?;
    let mut models: Vec<String> = list
        .iter()
        .filter_map(|model| model.get("id").and_then(Value::as_str))
        .filter(|id| !id.is_empty() && id.len() <= 200 && !id.chars().any(char::is_control))
        .take(1000)
        .map(str::to_owned)
        .collect();
    models.sort();
    models.dedup();
    Some(models)
}

#[cfg(test)]
mod tests {
    use nearside_privacy::{Gate, Params, Policy, PseudonymMap, RawRequest};
    use nearside_types::Turn;

    use super::*;

    /// Against the field names and types of OpenAI's API reference for chat completions.
    #[test]
    fn the_body_is_what_the_reference_describes() {
        let turn = |role, content: &str| Turn { role, content: content.into() };
        let request = RawRequest {
            turns: vec![
                turn(Role::System, "Be \"brief\"."),
                turn(Role::User, "你好\n"),
                turn(Role::Assistant, "Hi"),
            ],
            model: "far".to_owned(),
            params: Params {
                max_tokens: Some(64),
                temperature_milli: Some(700),
                top_p_milli: Some(950),
                seed: Some(7),
                stream: true,
            },
            destination: "api.example.com".to_owned(),
        };
        let gate = Gate::new(Policy::default(), None);
        let draft = gate.prepare(request, &mut PseudonymMap::new(), &[]).unwrap();
        let (body, _) = draft.render(openai_body);
        let expected = concat!(
            r#"{"model":"far","messages":[{"role":"system","content":"Be \"brief\"."},"#,
            r#"{"role":"user","content":"你好\n"},{"role":"assistant","content":"Hi"}],"#,
            r#""max_tokens":64,"temperature":0.7,"top_p":0.95,"seed":7,"stream":true,"#,
            r#""stream_options":{"include_usage":true}}"#
        );
        assert_eq!(String::from_utf8(body).unwrap(), expected);
    }

    #[test]
    fn error_codes_are_taken_and_messages_are_not() {
        for (body, code, status) in [
            (
                r#"{"error":{"message":"m","type":"invalid_request_error","code":"x-1"}}"#,
                "x-1",
                None,
            ),
            (
                r#"{"error":{"message":"m","type":"overloaded","code":503}}"#,
                "overloaded",
                Some(503),
            ),
            (r#"{"error":{"message":"m","type":"said by you","code":null}}"#, "", None),
            (r#"{"code":"429","message":"m"}"#, "429", Some(429)),
            (r#"{"error":"text"}"#, "", None),
            (r#"[1]"#, "", None),
            ("<html>", "", None),
        ] {
            let found = read_error_body(body.as_bytes());
            assert_eq!(found, ErrorObject { code: code.to_owned(), status }, "{body}");
        }
    }

    #[test]
    fn foreign_answers_are_no_pieces() {
        for bad in [
            "",
            "1",
            "\"x\"",
            "[",
            "{\"choices\":7}",
            "{\"choices\":[{\"delta\":{\"content\":5}}]}",
        ] {
            assert!(read_piece(bad.as_bytes()).is_none(), "{bad}");
        }
        let empty = read_piece(b"{}").unwrap().unwrap();
        assert_eq!(empty, Piece::default());
        let null = r#"{"error":null,"choices":[{"delta":{"content":null,"role":"assistant"},"finish_reason":null}],"usage":null}"#;
        assert_eq!(read_piece(null.as_bytes()).unwrap().unwrap(), Piece::default());
    }
}
