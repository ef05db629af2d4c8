//! Answers that arrive: as a stream in every shape that servers give it, or whole.

use nearside_cloud::{Connector, LocalOnly};
use nearside_types::{Cancel, FinishReason, Tokens};
use sha2::{Digest, Sha256};

use crate::server::{Server, Step, answer, delta, ending, good, send, stream_head};
use crate::{Bench, limits, outbound, provider};

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn the_approved_bytes_leave_and_the_answer_streams_back() {
    let server = Server::start(vec![good()]).await;
    let bench = Bench::new();
    let text = format!("Call {} about it.", ["138", "0013", "8000"].join(" "));
    let outbound = outbound(&server.destination(), "far", &text, true);
    let (reply, pieces) = bench.send(&outbound, &provider(&server.base())).await;
    let reply = reply.unwrap();
    assert_eq!(&*reply.text, "Hello, world");
    assert_eq!(pieces, ["Hello, ", "world"]);
    assert_eq!(reply.finish, FinishReason::Stop);
    assert_eq!(reply.tokens, Some(Tokens { prompt: 1000, reused: 30, generated: 200 }));
    let cost = reply.cost.unwrap();
    assert!((cost.amount - 0.0009).abs() < 1e-12, "{cost:?}");
    assert_eq!((reply.model.as_deref(), reply.tries), (Some("far-1"), 1));

    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert!(requests[0].head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"));
    let head = requests[0].head.to_ascii_lowercase();
    assert!(head.contains("\r\nauthorization: bearer test-key"), "{head}");
    assert_eq!(requests[0].body, outbound.body());
    let sent = String::from_utf8(requests[0].body.clone()).unwrap();
    assert!(sent.contains("[PHONE_1]") && !sent.contains("8000"), "{sent}");

    assert_eq!(bench.outcomes(), ["Request Sent"]);
    let item = &bench.connector.ledger().list(1).unwrap()[0];
    assert_eq!(item.sha256, hex(&requests[0].body));
    assert_eq!(item.bytes, requests[0].body.len() as u64);
    assert_eq!(item.destination, server.destination());
    assert_eq!(item.time, "2026-01-02T03:04:05Z");
    assert_eq!((item.entities.len(), item.entities[0].count), (1, 1));
}

/// The same answer in another shape must read the same.
async fn check_shape(steps: Vec<Step>, expected: &str) {
    let server = Server::start(vec![steps]).await;
    let bench = Bench::new();
    let outbound = outbound(&server.destination(), "far", "hi", true);
    let (reply, pieces) = bench.send(&outbound, &provider(&server.base())).await;
    assert_eq!(&*reply.unwrap().text, expected);
    assert_eq!(pieces.concat(), expected);
}

#[tokio::test]
async fn streams_of_many_shapes() {
    let events = format!("{}{}{}", delta("你好，"), delta("世界 🌍"), ending());
    let whole = "你好，世界 🌍";
    let crlf = events.replace('\n', "\r\n");
    let with_comments = format!("\u{feff}: hello\n\n:\n\nevent: x\nid: 7\nretry: 3\n{events}");
    for text in [&events, &crlf, &events.replace('\n', "\r"), &with_comments] {
        check_shape(vec![stream_head(), send(text)], whole).await;
    }
    // Byte by byte: every character and every line ending is cut somewhere.
    let bytewise = crlf.bytes().map(|byte| Step::Send(vec![byte]));
    check_shape(std::iter::once(stream_head()).chain(bytewise).collect(), whole).await;
    // Cut inside a character, with time to see it.
    let cut = events.find('世').unwrap() + 1;
    let (left, right) = events.as_bytes().split_at(cut);
    let halves =
        vec![stream_head(), Step::Send(left.to_vec()), Step::Breathe, Step::Send(right.to_vec())];
    check_shape(halves, whole).await;
    // No [DONE] and no closing empty line, but a finish reason.
    let end = events.find("data: {\"choices\":[],").unwrap();
    check_shape(vec![stream_head(), send(events[..end].trim_end())], whole).await;
    // A server that does not stream although it was asked to.
    let json = r#"{"model":"m","choices":[{"message":{"role":"assistant","content":"all at once"},"finish_reason":"stop"}]}"#;
    check_shape(answer("200 OK", "Content-Type: application/json\r\n", json), "all at once").await;
}

#[tokio::test]
async fn a_length_limit_is_told() {
    let json = r#"{"choices":[{"message":{"content":"too sho"},"finish_reason":"length"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}"#;
    let steps = answer("200 OK", "Content-Type: application/json; charset=utf-8\r\n", json);
    let server = Server::start(vec![steps]).await;
    let bench = Bench::new();
    let outbound = outbound(&server.destination(), "far", "hi", false);
    let (reply, _) = bench.send(&outbound, &provider(&server.base())).await;
    assert_eq!(reply.unwrap().finish, FinishReason::Length);
}

#[tokio::test]
async fn a_proxy_of_the_settings_is_used_and_loopback_goes_around_it() {
    let proxy = Server::start(vec![good()]).await;
    let bench = Bench::through(&format!("http://127.0.0.1:{}", proxy.port));
    // A name that resolves nowhere: only the proxy can answer.
    let far = provider("http://far.lan/v1");
    let (reply, _) = bench.send(&outbound("far.lan", "far", "hi", true), &far).await;
    assert_eq!(&*reply.unwrap().text, "Hello, world");
    let requests = proxy.requests();
    assert!(requests[0].head.starts_with("POST http://far.lan/v1/chat/completions "));

    let server = Server::start(vec![good()]).await;
    let outbound = outbound(&server.destination(), "far", "hi", true);
    bench.send(&outbound, &provider(&server.base())).await.0.unwrap();
    assert_eq!((server.requests().len(), proxy.requests().len()), (1, 1));
}

#[tokio::test]
async fn a_socks_proxy_resolves_the_name() {
    let proxy = Server::start_socks(vec![good()]).await;
    let bench = Bench::through(&format!("socks5h://127.0.0.1:{}", proxy.port));
    let far = provider("http://far.lan/v1");
    let (reply, _) = bench.send(&outbound("far.lan", "far", "hi", true), &far).await;
    assert_eq!(&*reply.unwrap().text, "Hello, world");
    let requests = proxy.requests();
    assert_eq!(requests[0].head, "socks far.lan");
    assert!(requests[1].head.starts_with("POST /v1/chat/completions "));
}

#[tokio::test]
async fn the_connection_test_lists_models() {
    let json = r#"{"object":"list","data":[{"id":"far"},{"id":"other"},{"id":"other"},{"x":1}]}"#;
    let server = Server::start(vec![answer("200 OK", "", json)]).await;
    let bench = Bench::new();
    let key = nearside_vault::Secret::new("test-key".to_owned());
    let check = bench.connector.check(&provider(&server.base()), Some(&key), &Cancel::new()).await;
    assert!(check.reachable);
    assert_eq!(check.models, ["far", "other"]);
    assert!(server.requests()[0].head.starts_with("GET /v1/models "));
    assert_eq!(bench.outcomes(), ["Housekeeping Sent"]);

    let local = Connector::with_limits(
        LocalOnly::new(true),
        "",
        bench.connector.ledger().clone(),
        limits(),
    );
    let check = local.check(&provider(&server.base()), None, &Cancel::new()).await;
    assert!(!check.reachable && check.message.contains("Local-only"));
    assert_eq!(server.requests().len(), 1);
}
