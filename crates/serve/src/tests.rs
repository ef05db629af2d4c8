//! The API as a client sees it, in process: who is let in, what is answered, and that hanging up stops work.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use nearside_types::{
    Cancel, EmbedderRole, Failure, FinishReason, GenerateOptions, Generation, TokenLogprob,
    TokenText, TranscribeOptions, Transcript, Turn,
};
use tower::ServiceExt as _;

use super::*;

const TOKEN: &str = "a-token-made-for-tests";

struct Echo;

impl Backend for Echo {
    fn models(&self) -> Vec<ServedModel> {
        vec![ServedModel { name: "echo".to_owned(), context_length: Some(64) }]
    }

    fn chat(
        &self,
        model: &str,
        turns: &[Turn],
        options: &GenerateOptions,
        _: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        if model != "echo" {
            return Err(Failure::new(nearside_types::FailureKind::ModelMissing, "No such model."));
        }
        for turn in turns {
            on_text(&turn.content);
        }
        if let Some(constraint) = &options.constraint {
            on_text(&format!(" in {constraint:?}"));
        }
        Ok(generation(options))
    }

    fn complete(
        &self,
        _: &str,
        text: &str,
        options: &GenerateOptions,
        _: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        on_text(&text.to_uppercase());
        Ok(generation(options))
    }

    fn score(
        &self,
        _: &str,
        text: &str,
        _: usize,
        _: &Cancel,
    ) -> Result<Vec<TokenLogprob>, Failure> {
        let token = |(at, letter): (usize, char)| TokenLogprob {
            token: TokenText(letter.to_string().into_bytes()),
            logprob: (at > 0).then_some(-1.0),
            top: Vec::new(),
        };
        Ok(text.chars().enumerate().map(token).collect())
    }

    fn embed(&self, _: &str, role: EmbedderRole, texts: &[&str]) -> Result<Embedded, Failure> {
        let role = if role == EmbedderRole::Query { 1.0 } else { 0.0 };
        let vectors = texts.iter().map(|_| vec![role, 0.5]).collect();
        Ok(Embedded { vectors, tokens: 7 })
    }

    /// Hears its options.
    fn transcribe(
        &self,
        _: &str,
        sound: Vec<u8>,
        options: TranscribeOptions,
        _: &Cancel,
    ) -> Result<Transcript, Failure> {
        let words: Vec<&str> = options.vocabulary.iter().map(|word| &**word).collect();
        let text = format!("{} bytes, {}, {}", sound.len(), words.join("+"), options.translate);
        let segment = nearside_types::TranscriptSegment {
            start: 0.0,
            end: 1.0,
            speaker: None,
            text: text.as_str().into(),
        };
        Ok(Transcript {
            text: text.into(),
            language: options.language,
            segments: vec![segment],
            ..Transcript::default()
        })
    }
}

fn generation(options: &GenerateOptions) -> Generation {
    let token = TokenLogprob {
        token: TokenText(vec![0xE4]),
        logprob: Some(-0.5),
        top: vec![(TokenText(b"a".to_vec()), f32::NEG_INFINITY)],
    };
    Generation {
        tokens: nearside_types::Tokens { prompt: 3, reused: 1, generated: 2 },
        timings: nearside_types::Timings::default(),
        finish: FinishReason::Stop,
        notices: Vec::new(),
        logprobs: options.logprobs.map(|_| token).into_iter().collect(),
    }
}

fn shared(backend: impl Backend) -> Shared {
    Shared::new(Arc::new(backend), Token::new(TOKEN.to_owned()).unwrap(), 80)
}

async fn ask(request: axum::http::request::Builder, body: &str) -> (StatusCode, String) {
    let request: Request<Body> = request.body(Body::from(body.to_owned())).unwrap();
    let response = application(shared(Echo)).oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

fn post(path: &str) -> axum::http::request::Builder {
    Request::post(path)
        .header("host", "127.0.0.1:80")
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("content-type", "application/json")
}

const CHAT: &str = r#"{"model": "echo", "messages": [{"role": "user", "content": [{"type": "text", "text": "你好"}]}], "unknown": 1}"#;

#[tokio::test]
async fn only_a_local_caller_with_the_token_is_let_in() {
    for (host, token, origin, expected) in [
        ("127.0.0.1:80", TOKEN, None, StatusCode::OK),
        ("localhost:80", TOKEN, None, StatusCode::OK),
        ("127.0.0.1:80", "another-token-of-tests", None, StatusCode::UNAUTHORIZED),
        ("evil.example:80", TOKEN, None, StatusCode::FORBIDDEN),
        ("127.0.0.1:80", TOKEN, Some("http://evil.example"), StatusCode::FORBIDDEN),
    ] {
        let mut request = Request::get("/v1/models")
            .header("host", host)
            .header("authorization", format!("Bearer {token}"));
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        assert_eq!(ask(request, "").await.0, expected, "{host} {origin:?}");
    }
}

#[tokio::test]
async fn an_answer_comes_whole_or_streamed() {
    let (status, body) = ask(post("/v1/chat/completions"), CHAT).await;
    assert_eq!(status, StatusCode::OK);
    let answer: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(answer["choices"][0]["message"]["content"], "你好");
    assert_eq!(answer["usage"]["total_tokens"], 5);
    assert!(answer["created"].is_u64());

    let stopped = CHAT.replace("\"unknown\": 1", r#""stop": ["好"]"#);
    let (_, body) = ask(post("/v1/chat/completions"), &stopped).await;
    let answer: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(answer["choices"][0]["message"]["content"], "你");

    let streamed = CHAT
        .replace("\"unknown\": 1", r#""stream": true, "stream_options": {"include_usage": true}"#);
    let (_, body) = ask(post("/v1/chat/completions"), &streamed).await;
    let lines: Vec<_> = body.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
    assert_eq!(lines.last(), Some(&"[DONE]"));
    assert!(lines[1].contains("你好") && lines[3].contains("\"usage\""), "{lines:?}");
}

#[tokio::test]
async fn vectors_come_as_numbers_or_base64() {
    let check = async |body: &str, expected: &[serde_json::Value]| {
        let (status, text) = ask(post("/v1/embeddings"), body).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
        let rows = answer["data"].as_array().unwrap();
        let vectors: Vec<_> = rows.iter().map(|row| row["embedding"].clone()).collect();
        assert_eq!(vectors, expected, "{body}");
        assert_eq!(answer["usage"]["total_tokens"], 7);
    };
    let passage = serde_json::json!([0.0, 0.5]);
    check(r#"{"model": "e", "input": "a"}"#, std::slice::from_ref(&passage)).await;
    check(r#"{"model": "e", "input": ["a", "b"]}"#, &[passage.clone(), passage]).await;
    let question = r#"{"input": ["a"], "input_type": "query", "encoding_format": "base64"}"#;
    check(question, &[serde_json::json!("AACAPwAAAD8=")]).await;
}

#[tokio::test]
async fn bad_requests_get_one_sentence() {
    for (path, body, status) in [
        ("/v1/chat/completions", "{", StatusCode::BAD_REQUEST),
        ("/v1/chat/completions", r#"{"model": "echo", "messages": []}"#, StatusCode::BAD_REQUEST),
        (
            "/v1/chat/completions",
            r#"{"model": "other", "messages": [{"role": "user", "content": ""}]}"#,
            StatusCode::NOT_FOUND,
        ),
        (
            "/v1/chat/completions",
            r#"{"model": "echo", "messages": [{"role": "robot", "content": ""}]}"#,
            StatusCode::BAD_REQUEST,
        ),
        (
            "/v1/chat/completions",
            r#"{"model": "echo", "temperature": 9, "messages": [{"role": "user", "content": ""}]}"#,
            StatusCode::BAD_REQUEST,
        ),
        (
            "/v1/chat/completions",
            r#"{"model": "echo", "stop": "", "messages": [{"role": "user", "content": ""}]}"#,
            StatusCode::BAD_REQUEST,
        ),
        (
            "/v1/chat/completions",
            r#"{"model": "echo", "tools": [{}], "messages": [{"role": "user", "content": ""}]}"#,
            StatusCode::BAD_REQUEST,
        ),
        ("/v1/embeddings", "{}", StatusCode::BAD_REQUEST),
        ("/v1/embeddings", r#"{"input": []}"#, StatusCode::BAD_REQUEST),
        ("/v1/embeddings", r#"{"input": ["a", ""]}"#, StatusCode::BAD_REQUEST),
        ("/v1/embeddings", r#"{"input": "a", "encoding_format": "png"}"#, StatusCode::BAD_REQUEST),
        ("/v1/completions", "{}", StatusCode::BAD_REQUEST),
        ("/v1/completions", r#"{"model": "echo", "prompt": [1, 2]}"#, StatusCode::BAD_REQUEST),
        (
            "/v1/completions",
            r#"{"model": "echo", "prompt": "a", "max_tokens": 0}"#,
            StatusCode::BAD_REQUEST,
        ),
        (
            "/v1/completions",
            r#"{"model": "echo", "prompt": "a", "logprobs": 21}"#,
            StatusCode::BAD_REQUEST,
        ),
        (
            "/v1/chat/completions",
            r#"{"model": "echo", "top_logprobs": 2, "messages": [{"role": "user", "content": ""}]}"#,
            StatusCode::BAD_REQUEST,
        ),
        (
            "/v1/chat/completions",
            r#"{"model": "echo", "response_format": {"type": "xml"}, "messages": [{"role": "user", "content": ""}]}"#,
            StatusCode::BAD_REQUEST,
        ),
        (
            "/v1/chat/completions",
            r#"{"model": "echo", "messages": [{"role": "user"}]}"#,
            StatusCode::BAD_REQUEST,
        ),
        ("/v1/audio/transcriptions", "{}", StatusCode::BAD_REQUEST),
        ("/v1/audio/speech", "{}", StatusCode::NOT_IMPLEMENTED),
        ("/v1/nothing", "{}", StatusCode::NOT_FOUND),
        ("/v1/models", "{}", StatusCode::METHOD_NOT_ALLOWED),
        ("/", "", StatusCode::NOT_FOUND),
    ] {
        let (got, text) = ask(post(path), body).await;
        assert_eq!(got, status, "{path} {body}");
        assert!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap()["error"]["message"]
                .is_string()
        );
    }
}

#[tokio::test]
async fn other_machines_are_never_served() {
    let error = Server::bind("0.0.0.0:0".parse().unwrap()).await.err().unwrap();
    assert!(matches!(error, ServeError::NotLoopback(_)));
}

struct Endless(std::sync::mpsc::Sender<()>);

impl Backend for Endless {
    fn models(&self) -> Vec<ServedModel> {
        Vec::new()
    }

    fn chat(
        &self,
        _: &str,
        _: &[Turn],
        _: &GenerateOptions,
        cancel: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        while !cancel.is_cancelled() {
            on_text("more ");
            std::thread::yield_now();
        }
        let _ = self.0.send(());
        Err(Failure::new(nearside_types::FailureKind::Cancelled, "Stopped."))
    }

    fn complete(
        &self,
        _: &str,
        _: &str,
        _: &GenerateOptions,
        _: &Cancel,
        _: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        Err(Failure::internal("This one only talks."))
    }

    fn score(&self, _: &str, _: &str, _: usize, _: &Cancel) -> Result<Vec<TokenLogprob>, Failure> {
        Err(Failure::internal("This one only talks."))
    }

    fn embed(&self, _: &str, _: EmbedderRole, _: &[&str]) -> Result<Embedded, Failure> {
        Err(Failure::internal("This one only talks."))
    }

    fn transcribe(
        &self,
        _: &str,
        _: Vec<u8>,
        _: TranscribeOptions,
        _: &Cancel,
    ) -> Result<Transcript, Failure> {
        Err(Failure::internal("This one only talks."))
    }
}

#[tokio::test]
async fn hanging_up_stops_the_computing() {
    let (send, receive) = std::sync::mpsc::channel();
    let body = CHAT.replace("\"unknown\": 1", r#""stream": true"#);
    let request: Request<Body> = post("/v1/chat/completions").body(Body::from(body)).unwrap();
    let response = application(shared(Endless(send))).oneshot(request).await.unwrap();
    drop(response);
    let stopped = tokio::task::spawn_blocking(move || {
        receive.recv_timeout(std::time::Duration::from_secs(30))
    });
    assert!(stopped.await.unwrap().is_ok(), "the model went on after the client hung up");
}

#[tokio::test]
async fn a_call_of_a_tool_is_told_from_text() {
    let tools = r#""tools": [{"type": "function", "function": {"name": "add"}}]"#;
    let said = r#"<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1}}</tool_call>"#;
    let body = format!(
        r#"{{"model": "echo", {tools}, "messages": [{{"role": "user", "content": "{said}"}}]}}"#
    );
    let (_, text) = ask(post("/v1/chat/completions"), &body).await;
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    let choice = &answer["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls", "{text}");
    assert!(choice["message"]["content"].is_null());
    assert_eq!(choice["message"]["tool_calls"][0]["function"]["arguments"], r#"{"a":1}"#);

    let streamed = body.replacen("\"model\"", "\"stream\": true, \"model\"", 1);
    let (_, text) = ask(post("/v1/chat/completions"), &streamed).await;
    assert!(text.contains(r#""index":0,"delta":{"tool_calls":[{"id":"#), "{text}");
    assert!(text.contains(r#""finish_reason":"tool_calls""#));

    // The call and its result go back to the model as it knows them.
    let earlier = format!(
        r#"{{"model": "echo", "tool_choice": "none", {tools}, "messages": [
        {{"role": "assistant", "content": null, "tool_calls": [{{"id": "1", "type": "function",
          "function": {{"name": "add", "arguments": "{{\"a\":1}}"}}}}]}},
        {{"role": "tool", "tool_call_id": "1", "content": "2"}},
        {{"role": "tool", "tool_call_id": "2", "content": "3"}}]}}"#
    );
    let (_, text) = ask(post("/v1/chat/completions"), &earlier).await;
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        answer["choices"][0]["message"]["content"],
        "<tool_call>\n{\"name\":\"add\",\"arguments\":{\"a\":1}}\n</tool_call>\
         <tool_response>\n2\n</tool_response>\n<tool_response>\n3\n</tool_response>"
    );
}

#[tokio::test]
async fn a_form_and_logprobs_reach_the_model_and_come_back() {
    let body = CHAT.replace(
        "\"unknown\": 1",
        r#""response_format": {"type": "json_object"}, "logprobs": true, "top_logprobs": 1"#,
    );
    let (_, text) = ask(post("/v1/chat/completions"), &body).await;
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    let choice = &answer["choices"][0];
    assert_eq!(choice["message"]["content"], "你好 in JsonSchema");
    let token = &choice["logprobs"]["content"][0];
    assert_eq!((&token["bytes"][0], &token["logprob"]), (&0xE4.into(), &(-0.5).into()));
    assert_eq!(token["top_logprobs"][0]["logprob"], -9999.0);
}

#[tokio::test]
async fn a_plain_text_is_continued_and_weighed() {
    let check = async |fields: &str, text: &str, tokens: &[&str]| {
        let body = format!(r#"{{"model": "echo", {fields}}}"#);
        let (status, got) = ask(post("/v1/completions"), &body).await;
        assert_eq!(status, StatusCode::OK, "{got}");
        let answer: serde_json::Value = serde_json::from_str(&got).unwrap();
        assert_eq!(answer["choices"][0]["text"], text, "{fields}");
        let listed = answer["choices"][0]["logprobs"]["tokens"].as_array();
        let listed: Vec<_> = listed.into_iter().flatten().filter_map(|t| t.as_str()).collect();
        assert_eq!(listed, tokens, "{fields}");
        answer
    };
    check(r#""prompt": "abc""#, "ABC", &[]).await;
    check(r#""prompt": "abc", "stop": "B""#, "A", &[]).await;
    check(r#""prompt": "abc", "echo": true"#, "abcABC", &[]).await;
    let fields = r#""prompt": "a你", "echo": true, "logprobs": 1, "max_tokens": 0"#;
    let answer = check(fields, "a你", &["a", "你"]).await;
    let logprobs = &answer["choices"][0]["logprobs"];
    assert_eq!(logprobs["token_logprobs"], serde_json::json!([null, -1.0]));
    assert_eq!(logprobs["text_offset"], serde_json::json!([0, 1]));
    let answer = check(r#""prompt": ["a", "b"]"#, "A", &[]).await;
    assert_eq!(answer["choices"][1]["text"], "B");
    assert_eq!(answer["usage"]["total_tokens"], 10);

    let (_, text) =
        ask(post("/v1/completions"), r#"{"model": "echo", "prompt": "a", "stream": true}"#).await;
    assert!(text.contains(r#""text":"A""#) && text.ends_with("data: [DONE]\n\n"), "{text}");
}

#[tokio::test]
async fn overload_is_told() {
    let (send, _receive) = std::sync::mpsc::channel();
    let shared = shared(Endless(send));
    let body = CHAT.replace("\"unknown\": 1", r#""stream": true"#);
    let ask = async || {
        let request: Request<Body> =
            post("/v1/chat/completions").body(Body::from(body.clone())).unwrap();
        application(shared.clone()).oneshot(request).await.unwrap()
    };
    let mut held = Vec::new();
    for _ in 0..work::MOST_AT_ONCE {
        let response = ask().await;
        assert_eq!(response.status(), StatusCode::OK);
        held.push(response);
    }
    let refused = ask().await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key("retry-after"));
}

#[tokio::test]
async fn sound_is_written_down_in_the_form_that_was_asked_for() {
    let check = async |path: &str, fields: &[(&str, &str)], status: StatusCode, expected: &str| {
        let mut body = String::new();
        for (name, value) in fields {
            let file = if *name == "file" { "; filename=\"a.wav\"" } else { "" };
            body += &format!(
                "--X\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{value}\r\n"
            );
        }
        body += "--X--\r\n";
        let request = Request::post(path)
            .header("host", "127.0.0.1:80")
            .header("authorization", format!("Bearer {TOKEN}"))
            .header("content-type", "multipart/form-data; boundary=X");
        let (got, text) = ask(request, &body).await;
        assert_eq!(got, status, "{text}");
        assert!(text.contains(expected), "{text}");
    };
    let (path, ok) = ("/v1/audio/transcriptions", StatusCode::OK);
    let file = ("file", "abc");
    check(path, &[file, ("model", "m")], ok, r#"{"text":"3 bytes, , false"}"#).await;
    let named =
        [file, ("prompt", "近端, Qwen"), ("language", "zh"), ("response_format", "verbose_json")];
    check(path, &named, ok, "近端+Qwen").await;
    check(path, &named, ok, r#""language":"zh""#).await;
    check(path, &[file, ("response_format", "srt")], ok, "00:00:00,000 --> 00:00:01,000").await;
    check(path, &[file, ("response_format", "text")], ok, "3 bytes, , false\n").await;
    check("/v1/audio/translations", &[file], ok, "true").await;
    check(path, &[("model", "m")], StatusCode::BAD_REQUEST, "no `file`").await;
    check(path, &[file, ("response_format", "ass")], StatusCode::BAD_REQUEST, "must be").await;
}
