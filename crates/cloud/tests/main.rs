//! The cloud crate against real sockets: a scripted HTTP server on loopback, and a real llama.cpp server
//! where one is at hand.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "helpers of tests: a panic is how a test fails"
)]

#[path = "cloud/failing.rs"]
mod failing;
#[path = "cloud/ledger.rs"]
mod ledger;
#[path = "cloud/llama.rs"]
mod llama;
#[path = "cloud/refusing.rs"]
mod refusing;
#[path = "cloud/sending.rs"]
mod sending;
#[path = "cloud/server.rs"]
mod server;

use std::sync::Arc;
use std::time::Duration;

use nearside_cloud::{CloudError, Connector, Ledger, Limits, LocalOnly, Reply, Retry, openai_body};
use nearside_privacy::{Gate, Outbound, Params, Policy, PseudonymMap, RawRequest};
use nearside_types::{Cancel, Clock, Provider, Role, Turn};
use nearside_vault::{KeySource, MemoryKeychain, Secret, Vault};

/// A clock that stands at 2026-01-02 03:04:05.
struct Stopped;

impl Clock for Stopped {
    fn now_ms(&self) -> i64 {
        1_767_323_045_000
    }
}

/// A vault, a ledger and a connector in a folder of their own.
struct Bench {
    _folder: tempfile::TempDir,
    vault: Vault,
    connector: Connector,
}

fn limits() -> Limits {
    Limits {
        connect: Duration::from_secs(2),
        first_byte: Duration::from_millis(1500),
        idle: Duration::from_millis(700),
        answer: 64 << 10,
        retry: Retry {
            tries: 3,
            first: Duration::from_millis(10),
            longest: Duration::from_millis(40),
            patience: Duration::from_secs(3),
        },
    }
}

impl Bench {
    fn new() -> Self {
        Self::through("")
    }

    fn through(proxy: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let keychain = Arc::new(MemoryKeychain::new());
        let source = KeySource::Keychain { keychain, ask: None };
        let vault = Vault::open(&folder.path().join("data"), source).unwrap();
        let ledger = Arc::new(Ledger::open(&vault, Arc::new(Stopped)).unwrap());
        let connector = Connector::with_limits(LocalOnly::new(false), proxy, ledger, limits());
        Self { _folder: folder, vault, connector }
    }

    /// Sends to `provider`, and answers the result with the pieces as they came.
    async fn send(
        &self,
        outbound: &Outbound,
        provider: &Provider,
    ) -> (Result<Reply, CloudError>, Vec<String>) {
        let mut pieces = Vec::new();
        let key = Secret::new(["test", "key"].join("-"));
        let mut on_delta = |piece: &str| pieces.push(piece.to_owned());
        let result = self
            .connector
            .send(outbound, provider, Some(&key), &Cancel::new(), &mut on_delta)
            .await;
        (result, pieces)
    }

    /// Destination and outcome of each entry, oldest first, after a verification.
    fn outcomes(&self) -> Vec<String> {
        let ledger = self.connector.ledger();
        let verdict = ledger.verify().unwrap();
        assert!(verdict.intact, "{verdict:?}");
        let mut items = ledger.list(100).unwrap();
        items.reverse();
        items.iter().map(|item| format!("{:?} {:?}", item.kind, item.outcome)).collect()
    }
}

fn provider(base_url: &str) -> Provider {
    Provider {
        name: "test".to_owned(),
        base_url: base_url.to_owned(),
        model: "far".to_owned(),
        context_length: 4096,
        price_in: Some("0.5".to_owned()),
        price_out: Some("2".to_owned()),
        currency: None,
        has_key: true,
    }
}

/// An approved request to `destination`.
fn outbound(destination: &str, model: &str, text: &str, stream: bool) -> Outbound {
    let request = RawRequest {
        turns: vec![
            Turn { role: Role::System, content: "Be brief.".into() },
            Turn { role: Role::User, content: text.into() },
        ],
        model: model.to_owned(),
        params: Params {
            max_tokens: Some(24),
            temperature_milli: Some(0),
            stream,
            ..Params::default()
        },
        destination: destination.to_owned(),
    };
    let gate = Gate::new(Policy::default(), None);
    let draft = gate.prepare(request, &mut PseudonymMap::new(), &[]).unwrap();
    let (_, sha256) = draft.render(openai_body);
    draft.approve(&sha256, openai_body).unwrap()
}
