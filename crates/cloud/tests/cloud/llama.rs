//! A real far end: the llama.cpp server of the `xllamacpp` wheel with SmolLM2, on loopback.
//!
//! Needs `NEARSIDE_TEST_PYTHON` (a Python that has xllamacpp) and `smollm2-135m.gguf` in
//! `NEARSIDE_MODELS_DIR`; says so and passes where one is absent.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nearside_cloud::{Connector, Limits, LocalOnly};
use nearside_types::{Cancel, FinishReason};

use crate::{Bench, outbound, provider};

/// The server's process, ended with the test.
struct Llama {
    child: Child,
    port: u16,
}

impl Drop for Llama {
    fn drop(&mut self) {
        let _gone_already = self.child.kill();
        let _gone_already = self.child.wait();
    }
}

fn start() -> Option<Llama> {
    let Some(python) = std::env::var_os("NEARSIDE_TEST_PYTHON") else {
        println!("skipped: NEARSIDE_TEST_PYTHON names no Python with xllamacpp");
        return None;
    };
    let models = std::env::var_os("NEARSIDE_MODELS_DIR").map(PathBuf::from).unwrap_or_default();
    let weights = models.join("smollm2-135m.gguf");
    if !weights.is_file() {
        println!("skipped: smollm2-135m.gguf is not in NEARSIDE_MODELS_DIR");
        return None;
    }
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/llama_server.py");
    let mut child = Command::new(python)
        .arg(script)
        .arg(weights)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let port = lines
        .find_map(|line| line.ok()?.strip_prefix("listening on port ")?.parse().ok())
        .expect("the server did not start");
    // It goes on talking; nobody listens, and the pipe must not fill.
    std::thread::spawn(move || lines.for_each(drop));
    Some(Llama { child, port })
}

#[tokio::test]
async fn a_real_server_answers() {
    let Some(server) = start() else {
        return;
    };
    let bench = Bench::new();
    let ledger = bench.connector.ledger().clone();
    let connector = Connector::with_limits(LocalOnly::new(false), "", ledger, Limits::default());
    let mut provider = provider(&format!("http://127.0.0.1:{}/v1", server.port));
    let check = connector.check(&provider, None, &Cancel::new()).await;
    assert!(check.reachable, "{}", check.message);
    provider.model = check.models[0].clone();

    let destination = format!("127.0.0.1:{}", server.port);
    let question = outbound(&destination, &provider.model, "What is the capital of France?", true);
    let mut pieces = Vec::new();
    let mut on_delta = |piece: &str| pieces.push(piece.to_owned());
    let reply =
        connector.send(&question, &provider, None, &Cancel::new(), &mut on_delta).await.unwrap();
    println!(
        "llama.cpp: {:?} in {} pieces, first after {:?}, all in {:?}, {:?}",
        reply.text.0,
        pieces.len(),
        reply.first_token,
        reply.total,
        reply.tokens
    );
    assert!(reply.text.contains("Paris"), "{}", reply.text.0);
    assert!(pieces.len() > 3 && pieces.concat() == reply.text.0);
    let tokens = reply.tokens.unwrap();
    assert!(tokens.prompt > 10 && tokens.generated > 3, "{tokens:?}");

    // Whole, without streaming: greedy, so the same words.
    let question = outbound(&destination, &provider.model, "What is the capital of France?", false);
    let whole =
        connector.send(&question, &provider, None, &Cancel::new(), &mut |_| {}).await.unwrap();
    assert_eq!(whole.text, reply.text);

    // Stop in the middle of a longer answer.
    let cancel = Cancel::new();
    let long = outbound(&destination, &provider.model, "Count from one to a hundred.", true);
    let mut seen = 0;
    let mut on_delta = |_: &str| {
        seen += 1;
        if seen == 3 {
            cancel.cancel();
        }
    };
    let stopped = connector.send(&long, &provider, None, &cancel, &mut on_delta).await;
    assert_eq!(stopped.unwrap_err().code(), "cancelled");
    // The server is free again for the next one.
    let started = Instant::now();
    let again =
        connector.send(&question, &provider, None, &Cancel::new(), &mut |_| {}).await.unwrap();
    assert_eq!(again.finish, whole.finish);
    assert!(matches!(again.finish, FinishReason::Stop | FinishReason::Length));
    assert!(started.elapsed() < Duration::from_secs(30));
    assert_eq!(bench.outcomes().len(), 5);
}
