//! Attaching through the local socket: what another process may ask, and who is turned away.

use std::io::Write;
use std::time::Duration;

use nearside_test_kit::ParrotModel;
use nearside_types::{Cancel, ChatEvent, DeviceChoice, FailureKind, MessageState, RouteChoice};
use serde_json::Value;

use super::*;
use crate::lock::HELD;
use crate::testing::{Fixture, headless};

fn ask(text: &str) -> Request {
    Request::Ask(Box::new(AskRequest {
        text: text.into(),
        files: Vec::new(),
        conversation: Some("new".into()),
        summary: false,
        approve: None,
        provider: None,
        api_key: None,
        route: RouteChoice::Auto,
        model: None,
        device: DeviceChoice::Auto,
        max_tokens: 64,
        temperature: 0.0,
        seed: 0,
    }))
}

fn attached(fixture: &Fixture) -> Session {
    let models = fixture.folder.path().join("models");
    let session =
        Session::open(fixture.options(), headless(None, &models), Duration::ZERO).unwrap();
    assert!(matches!(session, Session::There(_)));
    session
}

#[test]
fn a_second_process_attaches_asks_and_reads_what_was_stored() {
    let fixture = Fixture::new(Some(ParrotModel::saying("Hello from the holder.")));
    let _listening = fixture.engine.listen().unwrap();
    let session = attached(&fixture);
    let mut text = String::new();
    let answer = session
        .call(ask("Who answers?"), &Cancel::new(), &mut |event| {
            if let CallEvent::Chat { event: ChatEvent::Text { text: more } } = event {
                text.push_str(&more);
            }
        })
        .unwrap();
    assert_eq!(text, "Hello from the holder.");
    assert_eq!(answer["answer"], Value::String(text));
    let listed =
        session.call(Request::Conversations { query: None }, &Cancel::new(), &mut |_| {}).unwrap();
    assert_eq!(listed["items"][0]["id"], answer["conversation"]);
    let missing = Request::Conversation { id: nearside_types::ConversationId("none".into()) };
    let failure = session.call(missing, &Cancel::new(), &mut |_| {}).unwrap_err();
    assert_eq!(failure.kind, FailureKind::NotFound);
}

#[test]
fn only_the_owner_can_open_the_socket_and_only_with_the_token() {
    let fixture = Fixture::new(Some(ParrotModel::new()));
    let listening = fixture.engine.listen().unwrap();
    let address = fixture.engine.data_dir().join("run/attach.json");
    let mut told: Value = serde_json::from_slice(&std::fs::read(&address).unwrap()).unwrap();
    let socket = std::path::PathBuf::from(told["socket"].as_str().unwrap());
    #[cfg(unix)]
    for private in [&address, &socket] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(private).unwrap().permissions().mode() & 0o777, 0o600);
    }
    told["token"] = "0".repeat(64).into();
    std::fs::write(&address, told.to_string()).unwrap();
    let refused = attached(&fixture).call(Request::Settings, &Cancel::new(), &mut |_| {});
    assert_eq!(refused.unwrap_err().kind, FailureKind::Refused);
    // A peer that talks nonsense is let go, and the next one is served.
    let mut stranger = transport::connect(&socket).unwrap();
    stranger.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    drop(listening);
    assert!(!address.exists() && transport::connect(&socket).is_err());
}

#[test]
fn a_caller_that_stops_stops_the_holders_work() {
    let mut slow = ParrotModel::saying("one two three four");
    // Held at the third word until the holder has noticed.
    slow.pace = Some(std::sync::Arc::new(|token, cancel| {
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        while token == 2 && !cancel.is_cancelled() && std::time::Instant::now() < deadline {
            std::thread::yield_now();
        }
    }));
    let fixture = Fixture::new(Some(slow));
    let _listening = fixture.engine.listen().unwrap();
    let cancel = Cancel::new();
    let stopped = attached(&fixture).call(ask("go on"), &cancel, &mut |event| {
        if let CallEvent::Chat { event: ChatEvent::Text { .. } } = event {
            cancel.cancel();
        }
    });
    assert_eq!(stopped.unwrap_err().kind, FailureKind::Cancelled);
    let store = &fixture.engine.conversations;
    let id = store.list().unwrap()[0].id.clone();
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    loop {
        let answer = store.get(&id).unwrap().messages.pop().unwrap();
        if answer.state != MessageState::Streaming {
            assert_eq!((answer.state, &*answer.content), (MessageState::Stopped, "one two"));
            break;
        }
        assert!(std::time::Instant::now() < deadline, "the holder went on writing");
        std::thread::yield_now();
    }
}

#[test]
fn a_holder_that_does_not_listen_is_named() {
    let fixture = Fixture::new(None);
    let models = fixture.folder.path().join("models");
    let held =
        Session::open(fixture.options(), headless(None, &models), Duration::ZERO).err().unwrap();
    assert_eq!((held.kind, held.code.as_str()), (FailureKind::Refused, HELD));
}
