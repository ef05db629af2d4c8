//! The API as a client sees it, in process: who is let in, what is answered, and that hanging up stops work.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use nearside_types::{
    Cancel, EmbedderRole, Failure, FinishReason, GenerateOptions, Generation, Turn,
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
        _: &GenerateOptions,
        _: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        if model != "echo" {
            return Err(Failure::new(nearside_types::FailureKind::ModelMissing, "No such model."));
        }
        for turn in turns {
            on_text(&turn.content);
        }
        Ok(Generation {
            tokens: nearside_types::Tokens { prompt: 3, reused: 1, generated: 2 },
            timings: nearside_types::Timings::default(),
            finish: FinishReason::Stop,
            notices: Vec::new(),
        })
    }

    fn embed(&self, _: &str, role: EmbedderRole, texts: &[&str]) -> Result<Embedded, Failure> {
        let role = if role == EmbedderRole::Query { 1.0 } else { 0.0 };
        let vectors = texts.iter().map(|_| vec![role, 0.5]).collect();
        Ok(Embedded { vectors, tokens: 7 })
    }
}

async fn ask(request: axum::http::request::Builder, body: &str) -> (StatusCode, String) {
    let shared = Shared {
        backend: Arc::new(Echo),
        guard: Arc::new(guard::Guard::new(Token::new(TOKEN.to_owned()).unwrap(), 80)),
    };
    let request: Request<Body> = request.body(Body::from(body.to_owned())).unwrap();
    let response = application(shared).oneshot(request).await.unwrap();
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
        ("/v1/completions", "{}", StatusCode::NOT_IMPLEMENTED),
        ("/v1/audio/transcriptions", "{}", StatusCode::NOT_IMPLEMENTED),
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
        self.0.send(()).unwrap();
        Err(Failure::new(nearside_types::FailureKind::Cancelled, "Stopped."))
    }

    fn embed(&self, _: &str, _: EmbedderRole, _: &[&str]) -> Result<Embedded, Failure> {
        Err(Failure::internal("This one only talks."))
    }
}

#[tokio::test]
async fn hanging_up_stops_the_computing() {
    let (send, receive) = std::sync::mpsc::channel();
    let shared = Shared {
        backend: Arc::new(Endless(send)),
        guard: Arc::new(guard::Guard::new(Token::new(TOKEN.to_owned()).unwrap(), 80)),
    };
    let body = CHAT.replace("\"unknown\": 1", r#""stream": true"#);
    let request: Request<Body> = post("/v1/chat/completions").body(Body::from(body)).unwrap();
    let response = application(shared).oneshot(request).await.unwrap();
    drop(response);
    let stopped = tokio::task::spawn_blocking(move || {
        receive.recv_timeout(std::time::Duration::from_secs(30))
    });
    assert!(stopped.await.unwrap().is_ok(), "the model went on after the client hung up");
}
