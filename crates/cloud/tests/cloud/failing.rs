//! Answers that do not arrive, or not whole: what is tried again, what is kept, what is said.

use std::time::{Duration, Instant};

use nearside_types::{Cancel, Failure, FailureKind};

use crate::server::{
    Server, Step, answer, chunk, chunked_head, delta, ending, good, send, stream_head,
};
use crate::{Bench, outbound, provider};

/// Sends once against the scripts: the error's code, the tries that reached the server, the outcomes,
/// and the pieces that were delivered.
async fn check(scripts: Vec<Vec<Step>>, code: &str, tries: usize, delivered: &str) -> Failure {
    let server = Server::start(scripts).await;
    let bench = Bench::new();
    let outbound = outbound(&server.destination(), "far", "hi", true);
    let (result, pieces) = bench.send(&outbound, &provider(&server.base())).await;
    let error = result.expect_err(code);
    assert_eq!(error.code(), code, "{error}");
    assert_eq!(pieces.concat(), delivered);
    if let Some(partial) = error.partial() {
        assert_eq!(&**partial, delivered);
    }
    let requests = server.requests();
    assert_eq!(requests.len(), tries, "{code}");
    assert!(requests.iter().all(|request| request.body == outbound.body()), "a retry changed");
    assert_eq!(bench.outcomes(), vec!["Request Sent"; tries]);
    let failure = Failure::from(error);
    assert!(failure.message.ends_with('.') && !failure.message.contains("test-key"), "{failure}");
    failure
}

#[tokio::test]
async fn refusals_are_not_tried_again() {
    let body = |code: &str| {
        format!(r#"{{"error":{{"message":"you said SECRET","code":"{code}","type":"x y"}}}}"#)
    };
    for (status, said, code) in [
        ("401 Unauthorized", "invalid_api_key", "key_rejected"),
        ("403 Forbidden", "no_access", "forbidden"),
        ("404 Not Found", "model_not_found", "unknown_model"),
        ("400 Bad Request", "bad", "bad_request"),
        ("400 Bad Request", "context_length_exceeded", "too_long"),
        ("413 Too Large", "", "too_long"),
        ("429 Slow", "insufficient_quota", "rate_limited"),
    ] {
        let failure = check(vec![answer(status, "", &body(said))], code, 1, "").await;
        assert_eq!(failure.kind, FailureKind::Network);
        assert!(!failure.message.contains("SECRET"), "{failure}");
    }
    check(vec![answer("400 Bad Request", "", "<html>not json</html>")], "bad_request", 1, "").await;
}

#[tokio::test]
async fn passing_faults_are_tried_again_with_the_same_bytes() {
    for status in ["429 Slow", "500 Oops", "502 Bad", "503 Busy", "504 Late"] {
        let server =
            Server::start(vec![answer(status, "", ""), answer(status, "", ""), good()]).await;
        let bench = Bench::new();
        let outbound = outbound(&server.destination(), "far", "hi", true);
        let (reply, pieces) = bench.send(&outbound, &provider(&server.base())).await;
        let reply = reply.unwrap();
        assert_eq!((reply.tries, reply.sequence), (3, 3), "{status}");
        assert_eq!(pieces.concat(), "Hello, world");
        let requests = server.requests();
        assert!(requests.iter().all(|request| request.body == outbound.body()));
        assert_eq!(bench.outcomes(), ["Request Sent"; 3]);
    }
    check(vec![answer("503 Busy", "", "")], "server_error", 3, "").await;
    check(vec![answer("429 Slow", "", "")], "rate_limited", 3, "").await;
}

#[tokio::test]
async fn a_server_that_names_a_pause_gets_it() {
    let server = Server::start(vec![answer("429 Slow", "Retry-After: 1\r\n", ""), good()]).await;
    let bench = Bench::new();
    let outbound = outbound(&server.destination(), "far", "hi", true);
    let started = Instant::now();
    let (reply, _) = bench.send(&outbound, &provider(&server.base())).await;
    assert_eq!(reply.unwrap().tries, 2);
    assert!(started.elapsed() >= Duration::from_secs(1), "{:?}", started.elapsed());
    // A pause longer than our patience ends it at once, and says how long.
    let failure =
        check(vec![answer("429 Slow", "Retry-After: 3600\r\n", "")], "rate_limited", 1, "").await;
    assert!(failure.message.contains("3600 seconds"), "{failure}");
}

#[tokio::test]
async fn a_connection_that_closes_before_the_answer_is_tried_again() {
    check(vec![vec![]], "unreachable", 3, "").await;
    // A stream that ends before the first token loses nothing by another try.
    check(vec![vec![chunked_head()]], "cut_midway", 3, "").await;
    let server = Server::start(vec![vec![], good()]).await;
    let bench = Bench::new();
    let outbound = outbound(&server.destination(), "far", "hi", true);
    let (reply, _) = bench.send(&outbound, &provider(&server.base())).await;
    assert_eq!(reply.unwrap().tries, 2);
}

#[tokio::test]
async fn a_cut_in_the_middle_keeps_what_arrived_and_is_not_repeated() {
    let hello = delta("Hello, ");
    let failure = check(
        vec![vec![chunked_head(), chunk(&hello), Step::Breathe], good()],
        "cut_midway",
        1,
        "Hello, ",
    )
    .await;
    assert_eq!(failure.kind, FailureKind::Network);
    // An orderly end without a finish reason is a cut as well.
    check(vec![vec![stream_head(), send(&hello)]], "cut_midway", 1, "Hello, ").await;
    // Half an event, garbage and an error object in the middle.
    for rest in [
        "data: {\"choices\":[{\"delta\":{\"con".to_owned(),
        "data: <html>\n\n".to_owned(),
        "data: {\"error\":{\"message\":\"x\",\"code\":500}}\n\n".to_owned(),
    ] {
        let steps = vec![stream_head(), send(&hello), send(&rest)];
        check(vec![steps], "cut_midway", 1, "Hello, ").await;
    }
    // A stall in the middle: the idle limit ends it.
    check(vec![vec![chunked_head(), chunk(&hello), Step::Stall]], "cut_midway", 1, "Hello, ").await;
}

#[tokio::test]
async fn errors_inside_a_stream_before_the_first_token() {
    let overloaded =
        "data: {\"error\":{\"message\":\"x\",\"type\":\"overloaded\",\"code\":503}}\n\n";
    check(vec![vec![stream_head(), send(overloaded)]], "server_error", 3, "").await;
    let rejected = "data: {\"error\":{\"message\":\"x\",\"code\":\"401\"}}\n\n";
    check(vec![vec![stream_head(), send(rejected)]], "key_rejected", 1, "").await;
}

#[tokio::test]
async fn silence_is_ended() {
    check(vec![vec![Step::Stall]], "timeout", 1, "").await;
    check(vec![vec![chunked_head(), Step::Stall]], "timeout", 1, "").await;
}

#[tokio::test]
async fn garbage_and_floods_are_bounded() {
    check(vec![vec![stream_head(), send("data: garbage\n\n")]], "garbled", 1, "").await;
    check(vec![vec![stream_head(), send("<html>hello</html>")]], "garbled", 1, "").await;
    let html = answer("200 OK", "Content-Type: application/json\r\n", "<html>");
    check(vec![html], "garbled", 1, "").await;
    // A line without end.
    let endless = vec![stream_head(), Step::Send(vec![b'x'; 3 << 20])];
    check(vec![endless], "too_much", 1, "").await;
    // More text than an answer may have: 64 KiB here.
    let piece = "y".repeat(40 << 10);
    let steps = vec![stream_head(), send(&delta(&piece)), send(&delta(&piece)), send(&ending())];
    check(vec![steps], "too_much", 1, &piece).await;
    let body = "z".repeat(100 << 10);
    let json = answer("200 OK", "Content-Type: application/json\r\n", &body);
    check(vec![json], "too_much", 1, "").await;
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_the_key_stays_here() {
    let elsewhere = Server::start(vec![good()]).await;
    let location = format!("Location: {}/chat/completions\r\n", elsewhere.base());
    for status in ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"] {
        check(vec![answer(status, &location, "")], "redirected", 1, "").await;
    }
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn stop_drops_the_connection_at_once() {
    let steps = vec![chunked_head(), chunk(&delta("Hello, ")), Step::Stall];
    let mut server = Server::start(vec![steps]).await;
    let bench = Bench::new();
    let outbound = outbound(&server.destination(), "far", "hi", true);
    let cancel = Cancel::new();
    let stop = cancel.clone();
    // Stop is pressed when the first piece arrives.
    let mut on_delta = |_: &str| stop.cancel();
    let provider = provider(&server.base());
    let started = Instant::now();
    let result = bench.connector.send(&outbound, &provider, None, &cancel, &mut on_delta).await;
    let error = result.unwrap_err();
    assert_eq!(error.code(), "cancelled");
    assert_eq!(&**error.partial().unwrap(), "Hello, ");
    server.abandoned().await;
    assert!(started.elapsed() < Duration::from_millis(600), "{:?}", started.elapsed());
    assert_eq!(bench.outcomes(), ["Request Sent"]);
}

#[tokio::test]
async fn nobody_there_is_said_and_noted_as_not_left() {
    let port = {
        let server = Server::start(vec![vec![]]).await;
        server.port
    };
    let bench = Bench::new();
    let outbound = outbound(&format!("127.0.0.1:{port}"), "far", "hi", true);
    // The aborted listener is gone once a connection is refused; until then it may accept one.
    let (result, _) =
        bench.send(&outbound, &provider(&format!("http://127.0.0.1:{port}/v1"))).await;
    assert_eq!(result.unwrap_err().code(), "unreachable");
    assert_eq!(bench.outcomes().last().unwrap(), "Request Failed");
}
