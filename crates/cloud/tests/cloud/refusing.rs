//! What never leaves: in local-only mode, to another destination, unencrypted, or past a ledger that
//! cannot note it.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use nearside_cloud::{CloudError, destination};
use nearside_types::{Cancel, Failure, FailureKind};

use crate::server::{Server, Step, chunk, chunked_head, delta, good};
use crate::{Bench, outbound, provider};

#[tokio::test]
async fn local_only_refuses_every_call() {
    let server = Server::start(vec![good()]).await;
    let bench = Bench::new();
    bench.connector.local_only().set(true);
    let outbound = outbound(&server.destination(), "far", "hi", true);
    let (result, _) = bench.send(&outbound, &provider(&server.base())).await;
    let failure = Failure::from(result.unwrap_err());
    assert_eq!((failure.kind, failure.code.as_str()), (FailureKind::Refused, "local_only"));
    assert!(matches!(bench.connector.download_client(false), Err(CloudError::LocalOnly)));
    assert!(bench.connector.download_client(true).is_ok());
    assert!(server.requests().is_empty());
    assert_eq!(bench.outcomes(), ["Request Refused"]);
}

#[tokio::test]
async fn switched_on_in_the_middle_it_cuts_the_answer() {
    let steps = vec![chunked_head(), chunk(&delta("Hello, ")), Step::Stall];
    let mut server = Server::start(vec![steps]).await;
    let bench = Bench::new();
    let outbound = outbound(&server.destination(), "far", "hi", true);
    let switch = bench.connector.local_only().clone();
    let mut on_delta = |_: &str| switch.set(true);
    let result = bench
        .connector
        .send(&outbound, &provider(&server.base()), None, &Cancel::new(), &mut on_delta)
        .await;
    assert!(matches!(result, Err(CloudError::LocalOnly)));
    server.abandoned().await;
}

#[tokio::test]
async fn an_approval_holds_for_its_destination_only() {
    let server = Server::start(vec![good()]).await;
    let bench = Bench::new();
    let outbound = outbound("api.example.com", "far", "hi", true);
    let (result, _) = bench.send(&outbound, &provider(&server.base())).await;
    let failure = Failure::from(result.unwrap_err());
    assert_eq!((failure.kind, failure.code.as_str()), (FailureKind::Refused, "other_destination"));
    assert!(server.requests().is_empty());
    assert!(bench.outcomes().is_empty());
}

#[tokio::test]
async fn a_ledger_that_cannot_note_it_stops_it() {
    let server = Server::start(vec![good()]).await;
    let bench = Bench::new();
    let outbound = outbound(&server.destination(), "far", "hi", true);
    bench.send(&outbound, &provider(&server.base())).await.0.unwrap();
    bench.vault.remove_sealed("ledger-head").unwrap();
    let (result, _) = bench.send(&outbound, &provider(&server.base())).await;
    let failure = Failure::from(result.unwrap_err());
    assert_eq!((failure.kind, failure.code.as_str()), (FailureKind::Refused, "ledger_broken"));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn addresses_are_held_to_what_they_may_be() {
    let bench = Bench::new();
    for (base, expected) in [
        ("https://api.example.com/v1", Ok("api.example.com")),
        ("https://api.example.com:8443/v1/", Ok("api.example.com:8443")),
        ("http://[::1]:8080/v1", Ok("[::1]:8080")),
        ("ftp://api.example.com", Err("bad_address")),
        ("api.example.com/v1", Err("bad_address")),
        ("https://user:pass@api.example.com/v1", Err("bad_address")),
        ("https://api.example.com/v1?key=x", Err("bad_address")),
        ("file:///etc/passwd", Err("bad_address")),
        ("", Err("bad_address")),
    ] {
        let found = destination(&provider(base));
        match (&found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected),
            (Err(error), Err(code)) => assert_eq!(error.code(), code),
            _ => panic!("{base}: {found:?}"),
        }
    }
    let open = "http://api.example.com/v1";
    let (result, _) =
        bench.send(&outbound("api.example.com", "far", "hi", true), &provider(open)).await;
    assert_eq!(result.unwrap_err().code(), "unencrypted");
    let odd = Bench::through("gopher://x");
    let (result, _) =
        odd.send(&outbound("far.lan", "far", "hi", true), &provider("http://far.lan/v1")).await;
    assert_eq!(result.unwrap_err().code(), "bad_proxy");
}

/// A server with a certificate of its own making: a real TLS handshake, which we break off.
#[tokio::test]
async fn a_server_that_cannot_prove_itself_gets_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"])
        .args(["-days", "2", "-keyout", "key.pem", "-out", "cert.pem"])
        .current_dir(folder.path())
        .stderr(Stdio::null())
        .status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: no openssl to make a certificate with");
        return;
    }
    let mut server = Command::new("openssl")
        .args(["s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let port = lines
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("ACCEPT 127.0.0.1:")?.parse::<u16>().ok())
        .unwrap();
    let bench = Bench::new();
    let outbound = outbound(&format!("localhost:{port}"), "far", "hi", true);
    let far = provider(&format!("https://localhost:{port}/v1"));
    let (result, _) = bench.send(&outbound, &far).await;
    server.kill().unwrap();
    server.wait().unwrap();
    let error = result.unwrap_err();
    assert_eq!(error.code(), "untrusted", "{error}");
    assert_eq!(bench.outcomes(), ["Request Failed"]);
}
