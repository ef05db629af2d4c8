//! An approved request to a server of this machine: what arrives is what was shown, the answer is restored,
//! and the ledger has its hash.

#![expect(clippy::disallowed_types, reason = "the far side of a test listens on loopback")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::common::{Place, ran};

/// Answers one request with a stream, and gives its headers and body.
fn serve_once(
    pieces: &'static [&'static str],
) -> (u16, std::thread::JoinHandle<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut headers, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            headers.push_str(&line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let mut answer =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
                .to_owned();
        for piece in pieces {
            let event = json!({ "choices": [{ "index": 0, "delta": { "content": piece } }] });
            answer.push_str(&format!("data: {event}\n\n"));
        }
        let end = json!({
            "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 9, "completion_tokens": 4 }
        });
        answer.push_str(&format!("data: {end}\n\ndata: [DONE]\n\n"));
        stream.write_all(answer.as_bytes()).unwrap();
        (headers, body)
    };
    (port, std::thread::spawn(serve))
}

#[test]
fn an_approved_body_arrives_as_it_was_shown_and_is_in_the_ledger() {
    let place = Place::new();
    let phone = format!("138{}8000", "0013");
    let (port, server) = serve_once(&["I called [PHO", "NE_1]", "."]);
    let url = format!("http://127.0.0.1:{port}/v1");
    let text = format!("Call {phone} please");
    let task = [
        "ask",
        &text,
        "--route",
        "cloud",
        "--json",
        "--provider-url",
        &url,
        "--provider-model",
        "far",
    ];
    let shown = place.run(&task);
    shown.fails(5);
    let approval = shown.lines()[0]["approval"].clone();
    let sha256 = approval["sha256"].as_str().unwrap().to_owned();

    let approved: Vec<&str> = task.iter().chain(&["--approve", &sha256]).copied().collect();
    let all: Vec<&str> = ["--passphrase-fd", "0"].iter().chain(&approved).copied().collect();
    let mut command = place.command(&all);
    let key = format!("sk-{}", "test".repeat(4));
    command.env("NEARSIDE_API_KEY", &key);
    let answer = ran(command, "correct horse battery\n").json();
    let (headers, body) = server.join().unwrap();
    assert_eq!(Value::String(String::from_utf8(body).unwrap()), approval["body"]);
    assert!(headers.to_lowercase().contains(&format!("authorization: bearer {key}")));
    assert_eq!(answer["answer"], Value::String(format!("I called {phone}.")));
    assert_eq!(answer["outbound"]["sha256"], json!(sha256));
    assert_eq!(answer["tokens"]["generated"], 4);

    let ledger = place.opened(&["ledger", "list", "--json"]).json();
    let item = &ledger["items"][0];
    assert_eq!((&item["sha256"], &item["outcome"]), (&json!(sha256), &json!("sent")));
    assert_eq!(item["entities"], json!([{ "type": "PHONE", "count": 1 }]));
    assert_eq!(place.opened(&["ledger", "verify", "--json"]).json()["intact"], true);

    // Another body than the approved one is shown again and not sent.
    let other = text.replace("Call", "Ring");
    let changed: Vec<&str> =
        all.iter().map(|word| if *word == text { other.as_str() } else { word }).collect();
    place.run_with(&changed, "correct horse battery\n").fails(5);
}
