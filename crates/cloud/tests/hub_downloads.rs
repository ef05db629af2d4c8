//! Downloads from a server that drops, stalls, truncates and lies, and from one whose client is killed.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests: a panic is how a test fails"
)]
#![expect(clippy::disallowed_types, reason = "tests make a client without the connector")]

mod hub_server;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use hub_server::{Behaviour, Server};
use nearside_cloud::hub::{
    HubError, HubFetch, HubFile, Patience, download, download_without_ledger, fetch, fetch_first,
};
use nearside_cloud::{Connector, Ledger, LocalOnly};
use nearside_types::{
    Cancel, Clock, DownloadEvent, Failure, FailureKind, LedgerKind, LedgerOutcome,
};
use nearside_vault::{KeySource, MemoryKeychain, Vault};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

struct Stopped;

impl Clock for Stopped {
    fn now_ms(&self) -> i64 {
        1_767_323_045_000
    }
}

const PATH: &str = "/owner/tiny/resolve/abc/sub/weights.gguf";

fn content() -> Vec<u8> {
    (0..300_000_u32).map(|index| (index % 251) as u8).collect()
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn client() -> reqwest::Client {
    // Another test may have been first; either way there is a provider then.
    let _first = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build()
        .unwrap()
}

fn request(server: &Server, folder: &Path) -> HubFetch {
    let all = content();
    HubFetch {
        name: "tiny".to_owned(),
        endpoint: server.address.clone(),
        files: vec![HubFile {
            repository: "owner/tiny".to_owned(),
            revision: "abc".to_owned(),
            file: "sub/weights.gguf".to_owned(),
            size: all.len() as u64,
            sha256: hex(&all),
            partial: folder.join("tiny/weights.gguf.partial"),
        }],
        local_only: false,
        asked_by_user: false,
        patience: Patience {
            idle: Duration::from_millis(400),
            tries: 3,
            pause: Duration::from_millis(5),
        },
    }
}

struct Ran {
    result: Result<(), HubError>,
    events: Vec<DownloadEvent>,
    noted: Vec<(String, u64)>,
}

async fn run(request: &HubFetch, cancel: &Cancel) -> Ran {
    let mut events = Vec::new();
    let mut noted = Vec::new();
    let result = fetch(
        &client(),
        request,
        cancel,
        &mut |event| events.push(event),
        &mut |host, bytes, _| {
            noted.push((host.to_owned(), bytes));
            Ok(())
        },
    )
    .await;
    Ran { result, events, noted }
}

fn partial(folder: &Path) -> PathBuf {
    folder.join("tiny/weights.gguf.partial")
}

fn is_gone(folder: &Path) -> bool {
    fs::read_dir(folder.join("tiny")).map_or(true, |mut entries| entries.next().is_none())
}

/// Runs a download against a plan and expects the whole file; gives the ranges that were asked for.
async fn whole(plan: Vec<Behaviour>) -> Vec<Option<String>> {
    let told = format!("{plan:?}");
    let server = Server::start(&content(), plan).await;
    let folder = TempDir::new().unwrap();
    let ran = run(&request(&server, folder.path()), &Cancel::new()).await;
    ran.result.unwrap_or_else(|error| panic!("{told}: {error}"));
    assert!(fs::read(partial(folder.path())).unwrap() == content(), "{told}");
    assert!(server.seen().iter().all(|seen| seen.path == PATH && !seen.credentials), "{told}");
    assert_eq!(ran.noted, [(server.host(), 300_000)], "{told}: one note for each host");
    server.seen().into_iter().map(|seen| seen.range).collect()
}

fn from(start: usize) -> Option<String> {
    Some(format!("bytes={start}-"))
}

#[tokio::test]
async fn a_good_server() {
    let server = Server::start(&content(), vec![]).await;
    let folder = TempDir::new().unwrap();
    let request = request(&server, folder.path());
    let ran = run(&request, &Cancel::new()).await;
    ran.result.unwrap();
    assert!(matches!(
        ran.events.first(),
        Some(DownloadEvent::Started { done: 0, total: 300_000, .. })
    ));
    assert!(ran.events.iter().any(|event| matches!(event, DownloadEvent::Progress { .. })));
    assert!(matches!(ran.events.last(), Some(DownloadEvent::Verifying { .. })));
    // Whole already: verified, and nobody is asked.
    let again = run(&request, &Cancel::new()).await;
    again.result.unwrap();
    assert_eq!(server.seen().len(), 1);
    assert!(again.noted.is_empty());
}

#[tokio::test]
async fn broken_connections_are_resumed() {
    assert_eq!(whole(vec![Behaviour::Drop(100_000)]).await, [None, from(100_000)]);
    assert_eq!(whole(vec![Behaviour::Stall(1000)]).await, [None, from(1000)]);
    assert_eq!(whole(vec![Behaviour::Hang, Behaviour::Silent]).await, [None, None, None]);
    let drops = vec![
        Behaviour::Drop(10),
        Behaviour::Drop(20),
        Behaviour::Stall(30),
        Behaviour::Drop(40),
        Behaviour::Drop(50),
    ];
    // Each brought something, so five are not too many for three tries in a row.
    let ranges = whole(drops).await;
    assert_eq!(ranges, [None, from(10), from(30), from(60), from(100), from(150)]);
}

#[tokio::test]
async fn odd_answers_to_a_range() {
    let after_drop = |behaviour| whole(vec![Behaviour::Drop(5000), behaviour]);
    assert_eq!(after_drop(Behaviour::IgnoreRange).await, [None, from(5000)]);
    assert_eq!(after_drop(Behaviour::NoSuchRange).await, [None, from(5000), None]);
    assert_eq!(after_drop(Behaviour::OtherRange).await, [None, from(5000), None]);
    // Its file changed: If-Range makes it send the whole.
    assert_eq!(after_drop(Behaviour::Tagged("\"two\"")).await, [None, from(5000)]);
    // The ETag is gone: the bytes are taken, since length and hash decide in the end.
    assert_eq!(
        whole(vec![Behaviour::Untagged, Behaviour::Good]).await,
        [None],
        "no ETag is needed for a whole file"
    );
}

#[tokio::test]
async fn passing_troubles_are_waited_out() {
    for status in [500, 502, 503, 429, 408] {
        let headers = "Retry-After: 0\r\n";
        assert_eq!(whole(vec![Behaviour::Status(status, headers)]).await, [None, None]);
    }
}

#[tokio::test]
async fn lies_end_the_download_and_leave_nothing() {
    let check = async |plan: Vec<Behaviour>, code: &str, requests: usize| {
        let told = format!("{plan:?}");
        let server = Server::start(&content(), plan).await;
        let folder = TempDir::new().unwrap();
        let ran = run(&request(&server, folder.path()), &Cancel::new()).await;
        let error = ran.result.expect_err(&told);
        assert_eq!(error.code(), code, "{told}: {error}");
        assert!(!error.to_string().contains('\n'));
        assert_eq!(server.seen().len(), requests, "{told}");
        assert!(is_gone(folder.path()), "{told}");
    };
    check(vec![Behaviour::Length(200)], "model_wrong_size", 1).await;
    check(vec![Behaviour::Length(300_001)], "model_wrong_size", 1).await;
    check(vec![Behaviour::Unmeasured(vec![b'x'; 300_001])], "model_wrong_size", 1).await;
    check(vec![Behaviour::Wrong], "model_wrong_hash", 1).await;
    // Joined from two files: it is tried once more from nothing, and then it is over.
    check(vec![Behaviour::Drop(10), Behaviour::Wrong, Behaviour::Wrong], "model_wrong_hash", 3)
        .await;
}

#[tokio::test]
async fn a_mixture_is_fetched_once_more() {
    // Without an ETag the server's new file is joined to the old one's beginning: the hash finds it.
    let mut old = vec![b'o'; 100];
    old.extend(&content()[100..]);
    let server = Server::start(&content(), vec![]).await;
    let folder = TempDir::new().unwrap();
    let request = request(&server, folder.path());
    fs::create_dir_all(folder.path().join("tiny")).unwrap();
    fs::write(partial(folder.path()), &old[..1000]).unwrap();
    let about = format!(
        r#"{{"sha256":"{}","size":300000,"source":"x","etag":null}}"#,
        request.files[0].sha256
    );
    fs::write(folder.path().join("tiny/weights.gguf.partial.json"), about).unwrap();
    run(&request, &Cancel::new()).await.result.unwrap();
    let ranges: Vec<_> = server.seen().into_iter().map(|seen| seen.range).collect();
    assert_eq!(ranges, [from(1000), None]);
    assert!(fs::read(partial(folder.path())).unwrap() == content());
}

#[tokio::test]
async fn refusals_are_not_repeated() {
    for status in [401, 403, 404, 410] {
        let server = Server::start(&content(), vec![Behaviour::Status(status, "")]).await;
        let folder = TempDir::new().unwrap();
        let error = run(&request(&server, folder.path()), &Cancel::new()).await.result.unwrap_err();
        assert!(error.to_string().contains(&status.to_string()), "{error}");
        assert_eq!(server.seen().len(), 1);
    }
    let hangs = vec![Behaviour::Hang, Behaviour::Hang, Behaviour::Hang, Behaviour::Hang];
    let server = Server::start(&content(), hangs).await;
    let folder = TempDir::new().unwrap();
    let error = run(&request(&server, folder.path()), &Cancel::new()).await.result.unwrap_err();
    assert_eq!(error.code(), "hub_unreachable");
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn redirects_are_followed_and_noted() {
    let network = Server::start(&content(), vec![Behaviour::Drop(7000)]).await;
    let there = Behaviour::Redirect(format!("{}/blob?signature=x", network.address));
    let hub = Server::start(&content(), vec![there.clone(), there]).await;
    let folder = TempDir::new().unwrap();
    let ran = run(&request(&hub, folder.path()), &Cancel::new()).await;
    ran.result.unwrap();
    assert!(fs::read(partial(folder.path())).unwrap() == content());
    assert_eq!(ran.noted, [(hub.host(), 300_000), (network.host(), 300_000)]);
    let ranges: Vec<_> = network.seen().into_iter().map(|seen| seen.range).collect();
    assert_eq!(ranges, [None, from(7000)]);
    assert!(network.seen().iter().all(|seen| !seen.credentials));

    let round = vec![Behaviour::Redirect(PATH.to_owned()); 20];
    let hub = Server::start(&content(), round).await;
    let error = run(&request(&hub, folder.path().join("b").as_path()), &Cancel::new()).await;
    assert_eq!(error.result.unwrap_err().code(), "hub_redirect");
    let file = vec![Behaviour::Redirect("file:///etc/passwd".to_owned())];
    let hub = Server::start(&content(), file).await;
    let error = run(&request(&hub, folder.path().join("c").as_path()), &Cancel::new()).await;
    assert_eq!(error.result.unwrap_err().code(), "hub_redirect");
}

#[tokio::test]
async fn a_cancel_keeps_what_has_arrived() {
    let server = Server::start(&content(), vec![Behaviour::Stall(60_000)]).await;
    let folder = TempDir::new().unwrap();
    let mut request = request(&server, folder.path());
    request.patience.idle = Duration::from_secs(600);
    let cancel = Cancel::new();
    let stopping = {
        let (path, cancel) = (partial(folder.path()), cancel.clone());
        async move {
            while fs::metadata(&path).map_or(0, |metadata| metadata.len()) < 60_000 {
                tokio::task::yield_now().await;
            }
            cancel.cancel();
        }
    };
    let (ran, ()) = tokio::join!(run(&request, &cancel), stopping);
    assert!(matches!(ran.result, Err(HubError::Cancelled)));
    run(&request, &Cancel::new()).await.result.unwrap();
    assert_eq!(server.seen()[1].range, from(60_000));
    assert_eq!(server.seen()[1].if_range.as_deref(), Some("\"one\""));
}

#[tokio::test]
async fn the_command_line_needs_no_ledger() {
    let server = Server::start(&content(), vec![]).await;
    let folder = TempDir::new().unwrap();
    let request = request(&server, folder.path());
    // The proxy leads nowhere, and a hub on this machine is reached without it.
    let (proxy, cancel) = ("http://127.0.0.1:9", Cancel::new());
    download_without_ledger(proxy, &[request], &cancel, &mut |_| {}).await.unwrap();
    assert!(fs::read(partial(folder.path())).unwrap() == content());
}

fn connector(folder: &Path) -> Connector {
    let keychain = Arc::new(MemoryKeychain::new());
    let source = KeySource::Keychain { keychain, ask: None };
    let vault = Vault::open(&folder.join("data"), source).unwrap();
    let ledger = Arc::new(Ledger::open(&vault, Arc::new(Stopped)).unwrap());
    Connector::new(LocalOnly::default(), "", ledger)
}

#[tokio::test]
async fn local_only_ends_a_running_download() {
    let server = Server::start(&content(), vec![Behaviour::Stall(60_000)]).await;
    let folder = TempDir::new().unwrap();
    let connector = connector(folder.path());
    let mut request = request(&server, folder.path());
    request.patience.idle = Duration::from_secs(600);
    let (path, switch) = (partial(folder.path()), connector.local_only().clone());
    let switching = async move {
        while fs::metadata(&path).map_or(0, |metadata| metadata.len()) < 60_000 {
            tokio::task::yield_now().await;
        }
        switch.set(true);
    };
    let (cancel, fetches) = (Cancel::new(), [request]);
    let mut silent = |_| {};
    let running = download(&connector, &fetches, &cancel, &mut silent);
    let (done, ()) = tokio::join!(running, switching);
    assert!(matches!(done, Err(HubError::LocalOnly(_))));
    assert_eq!(fs::metadata(partial(folder.path())).unwrap().len(), 60_000, "it is kept");
    // Asked for by the user, it goes on all the same.
    let [request] = fetches;
    let asked = HubFetch { asked_by_user: true, ..request };
    download(&connector, &[asked], &cancel, &mut |_| {}).await.unwrap();
    assert_eq!(server.seen()[1].range, from(60_000));
}

#[tokio::test]
async fn each_download_is_in_the_ledger() {
    let good = Server::start(&content(), vec![]).await;
    let missing = Server::start(&content(), vec![Behaviour::Status(404, "")]).await;
    let folder = TempDir::new().unwrap();
    let connector = connector(folder.path());
    let ledger = connector.ledger();
    let cancel = Cancel::new();
    let fetches = [request(&missing, folder.path()), request(&good, folder.path())];
    connector.local_only().set(true);
    download(&connector, &fetches, &cancel, &mut |_| {}).await.unwrap_err();
    assert!(ledger.list(10).unwrap().is_empty());
    connector.local_only().set(false);
    download(&connector, &fetches[..1], &cancel, &mut |_| {}).await.unwrap_err();
    download(&connector, &fetches[1..], &cancel, &mut |_| {}).await.unwrap();
    let items = ledger.list(10).unwrap();
    let seen: Vec<_> = items
        .iter()
        .map(|item| (item.kind, item.destination.clone(), item.bytes, item.outcome))
        .collect();
    let kind = LedgerKind::Housekeeping;
    assert_eq!(
        seen,
        [
            (kind, good.host(), 300_000, LedgerOutcome::Sent),
            (kind, missing.host(), 300_000, LedgerOutcome::Failed),
        ]
    );
    assert_eq!(items[0].sha256, hex(&content()));
    assert!(ledger.verify().unwrap().intact);
}

#[tokio::test]
async fn policy_and_ledger_come_before_the_first_byte() {
    let server = Server::start(&content(), vec![]).await;
    let folder = TempDir::new().unwrap();
    let local = HubFetch { local_only: true, ..request(&server, folder.path()) };
    let ran = run(&local, &Cancel::new()).await;
    assert!(matches!(ran.result, Err(HubError::LocalOnly(_))));
    assert!(ran.noted.is_empty() && ran.events.is_empty());
    let refuse = &mut |_: &str, _: u64, _: &str| Err(Failure::internal("the ledger is full"));
    let open = request(&server, folder.path());
    let error = fetch(&client(), &open, &Cancel::new(), &mut |_| {}, refuse).await.unwrap_err();
    assert!(matches!(error, HubError::Ledger(_)));
    assert!(server.seen().is_empty(), "nobody was asked");
    let asked = HubFetch { asked_by_user: true, ..local };
    run(&asked, &Cancel::new()).await.result.unwrap();
    assert_eq!(Failure::from(HubError::LocalOnly("x".into())).kind, FailureKind::Refused);
}

#[tokio::test]
async fn the_next_source_is_tried() {
    let lying = Server::start(&content(), vec![Behaviour::Wrong]).await;
    let good = Server::start(&content(), vec![]).await;
    let folder = TempDir::new().unwrap();
    let sources = [request(&lying, folder.path()), request(&good, folder.path())];
    let cancel = Cancel::new();
    fetch_first(&client(), &sources, &cancel, &mut |_| {}, &mut |_, _, _| Ok(())).await.unwrap();
    assert!(fs::read(partial(folder.path())).unwrap() == content());
    assert_eq!(good.seen()[0].range, None, "nothing of the lie is kept");
}

#[tokio::test]
async fn a_download_can_run_on_any_thread() {
    let server = Server::start(&content(), vec![]).await;
    let folder = TempDir::new().unwrap();
    let request = request(&server, folder.path());
    let job = tokio::spawn(async move {
        let client = client();
        fetch(&client, &request, &Cancel::new(), &mut |_| {}, &mut |_, _, _| Ok(())).await
    });
    job.await.unwrap().unwrap();
}

#[tokio::test]
async fn addresses() {
    let server = Server::start(&content(), vec![]).await;
    let folder = TempDir::new().unwrap();
    for endpoint in ["ftp://x", "nonsense", "https://me:secret@x", "file:///x"] {
        let request = HubFetch { endpoint: endpoint.into(), ..request(&server, folder.path()) };
        let error = run(&request, &Cancel::new()).await.result.unwrap_err();
        assert_eq!(error.code(), "hub_endpoint", "{endpoint}");
    }
    let endpoint = format!("{}/mirror/", server.address);
    let request = HubFetch { endpoint, ..request(&server, folder.path()) };
    run(&request, &Cancel::new()).await.result.unwrap();
    assert_eq!(server.seen()[0].path, format!("/mirror{PATH}"));
}

/// The child of the test below: downloads until it is killed.
#[tokio::test]
async fn child_that_is_killed() {
    let (Ok(address), Ok(folder)) =
        (std::env::var("NEARSIDE_HUB_TEST_SERVER"), std::env::var("NEARSIDE_HUB_TEST_FOLDER"))
    else {
        return;
    };
    let server = Server::start(&content(), vec![]).await;
    let mut request = HubFetch { endpoint: address, ..request(&server, Path::new(&folder)) };
    request.patience.idle = Duration::from_secs(600);
    let _killed = run(&request, &Cancel::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn kill_in_the_middle_of_a_download() {
    let server = Server::start(&content(), vec![Behaviour::Stall(123_456)]).await;
    let folder = TempDir::new().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_that_is_killed", "--nocapture"])
        .env("NEARSIDE_HUB_TEST_SERVER", &server.address)
        .env("NEARSIDE_HUB_TEST_FOLDER", folder.path())
        .spawn()
        .unwrap();
    while fs::metadata(partial(folder.path())).map_or(0, |metadata| metadata.len()) < 123_456 {
        assert!(child.try_wait().unwrap().is_none(), "the child ended by itself");
        tokio::task::yield_now().await;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let ran = run(&request(&server, folder.path()), &Cancel::new()).await;
    ran.result.unwrap();
    assert!(fs::read(partial(folder.path())).unwrap() == content());
    let second = &server.seen()[1];
    assert_eq!(second.range, from(123_456));
    assert_eq!(second.if_range.as_deref(), Some("\"one\""));
    assert_eq!(ran.noted, [(server.host(), 300_000 - 123_456)]);
    assert!(matches!(ran.events[0], DownloadEvent::Started { done: 123_456, .. }));
}
