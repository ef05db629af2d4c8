//! Sending, from the question to the stored answer, on a scripted model and a scripted far side.

use std::sync::Arc;

use nearside_test_kit::ParrotModel;
use nearside_types::{
    Action, Cancel, ChatEvent, EntityEdit, FailureKind, MessageState, Role, Route, RouteChoice,
    SendRequest, SettingsPatch,
};

use crate::task::Verdict;
use crate::testing::{Always, FakeFar, Fixture, asking, send_it, sent};

fn contents(fixture: &Fixture, id: &nearside_types::ConversationId) -> Vec<String> {
    let conversation = fixture.engine.conversation(id).unwrap();
    conversation.messages.into_iter().map(|m| m.content.0).collect()
}

#[test]
fn a_question_is_stored_answered_titled_and_found_again() {
    let fixture = Fixture::new(Some(ParrotModel::saying("Paris is the capital.")));
    let id = fixture.conversation();
    let answer = sent(&fixture.engine, asking(&id, "What is the capital of France?"));
    assert_eq!(answer.state, MessageState::Complete);
    let footer = answer.footer.unwrap();
    assert_eq!((footer.model.as_str(), footer.route.chosen), ("parrot", Some(Route::Local)));
    let fixture = fixture.reopened(None);
    assert_eq!(
        contents(&fixture, &id),
        ["What is the capital of France?", "Paris is the capital."]
    );
    let found = fixture.engine.search_conversations("capital").unwrap();
    assert_eq!(&*found[0].title, "What is the capital of France?");
    assert_eq!(found[0].route, Some(Route::Local));
}

#[test]
fn events_come_in_order() {
    let fixture = Fixture::new(Some(ParrotModel::saying("Yes.")));
    let id = fixture.conversation();
    let mut names = Vec::new();
    fixture
        .engine
        .send(asking(&id, "Is it?"), &Cancel::new(), &mut Always(None), &mut |event| {
            let name = serde_json::to_value(&event).unwrap()["event"].as_str().unwrap().to_owned();
            if names.last() != Some(&name) {
                names.push(name);
            }
        })
        .unwrap();
    assert_eq!(names, ["started", "routed", "progress", "text", "finished"]);
}

#[test]
fn regenerate_edit_and_continue_keep_the_other_branches() {
    let parrot = ParrotModel::scripted(|turns| match turns.last() {
        Some(last) if last.role == Role::Assistant => " and more".to_owned(),
        Some(last) => format!("re: {}", &*last.content),
        None => String::new(),
    });
    let fixture = Fixture::new(Some(parrot));
    let id = fixture.conversation();
    let first = sent(&fixture.engine, asking(&id, "one"));
    let again = sent(
        &fixture.engine,
        SendRequest { regenerates: Some(first.id.clone()), ..asking(&id, "") },
    );
    assert_eq!(again.branches, [first.id.clone(), again.id.clone()]);
    let continued =
        sent(&fixture.engine, SendRequest { continues: Some(first.id.clone()), ..asking(&id, "") });
    assert_eq!((continued.id, &*continued.content), (first.id.clone(), "re: one and more"));
    let question = first.parent.unwrap();
    let edited = sent(
        &fixture.engine,
        SendRequest { replaces: Some(question.clone()), ..asking(&id, "two") },
    );
    assert_eq!(contents(&fixture, &id), ["two", "re: two"]);
    assert_ne!(edited.parent, Some(question.clone()));
    let back = fixture.engine.show_branch(&id, &question).unwrap();
    assert_eq!(&*back.messages[0].content, "one");
    let other = fixture.conversation();
    assert!(fixture.engine.show_branch(&other, &question).is_err());
}

#[test]
fn a_dropped_file_is_answered_from_cited_and_remembered() {
    let parrot = ParrotModel::scripted(|turns| {
        let heard: String = turns.iter().map(|t| t.content.0.clone()).collect();
        if heard.contains("Zephyr-41") { "The codename is Zephyr-41." } else { "I do not know." }
            .into()
    });
    let fixture = Fixture::new(Some(parrot));
    let id = fixture.conversation();
    let path = fixture.write(
        "年度 报告.md",
        "# Start\n\nNothing here.\n\n# Names\n\nThe codename is Zephyr-41.\n",
    );
    let request = SendRequest { files: vec![path.clone()], ..asking(&id, "What is the codename?") };
    let answer = sent(&fixture.engine, request);
    let footer = answer.footer.unwrap();
    assert_eq!(footer.citations.iter().map(|c| c.page).collect::<Vec<_>>(), [2]);
    assert_eq!(footer.coverage.unwrap().pages_read, 2);
    std::fs::remove_file(path).unwrap();
    let later = sent(&fixture.engine, asking(&id, "Say the codename again."));
    assert!(later.content.contains("Zephyr-41"), "the pages are kept with the conversation");
}

#[test]
fn a_missing_or_empty_file_fails_with_the_question_kept() {
    let fixture = Fixture::new(Some(ParrotModel::new()));
    let id = fixture.conversation();
    let empty = fixture.write("empty.txt", "  \n");
    for (path, kind) in [
        ("/nonexistent/x.txt".to_owned(), FailureKind::NotFound),
        (empty, FailureKind::NothingReadable),
    ] {
        let request = SendRequest { files: vec![path], ..asking(&id, "What does it say?") };
        let mut failed = None;
        let result =
            fixture.engine.send(request, &Cancel::new(), &mut Always(None), &mut |event| {
                if let ChatEvent::Failed { failure, message } = event {
                    failed = Some((failure.kind, message.unwrap().state));
                }
            });
        assert_eq!(result.unwrap_err().kind, kind);
        assert_eq!(failed, Some((kind, MessageState::Failed)));
    }
    assert_eq!(contents(&fixture, &id).len(), 4);
}

#[test]
fn a_first_run_without_a_model_summarises_by_rule_and_says_so() {
    let fixture = Fixture::new(None);
    let id = fixture.conversation();
    let path =
        fixture.write("note.txt", "The bridge at Kelmar opened in 1931 and cost 4,200 crowns.");
    let answer = sent(&fixture.engine, SendRequest { files: vec![path], ..asking(&id, "") });
    assert!(answer.content.contains("1931"));
    assert!(answer.footer.unwrap().notices[0].text.contains("No model"));
    let failure = fixture
        .engine
        .send(asking(&id, "Hello"), &Cancel::new(), &mut Always(None), &mut |_| {})
        .unwrap_err();
    assert_eq!(failure.kind, FailureKind::ModelMissing);
}

#[test]
fn stop_keeps_the_words_so_far() {
    let fixture = Fixture::new(Some(ParrotModel::saying("one two three")));
    let id = fixture.conversation();
    let cancel = Cancel::new();
    let mut state = None;
    fixture
        .engine
        .send(asking(&id, "go"), &cancel, &mut Always(None), &mut |event| match event {
            ChatEvent::Text { text } if text.contains("two") => cancel.cancel(),
            ChatEvent::Finished { message } => state = Some(message.state),
            _ => {}
        })
        .unwrap();
    assert_eq!(state, Some(MessageState::Stopped));
    assert_eq!(contents(&fixture, &id)[1], "one two");
}

fn phone() -> String {
    format!("138{}8000", "0013")
}

fn cloud(id: &nearside_types::ConversationId) -> SendRequest {
    let text = format!("Call {} tomorrow.", phone());
    SendRequest { route: RouteChoice::Cloud, ..asking(id, &text) }
}

#[test]
fn what_leaves_is_what_was_approved_and_the_answer_is_restored() {
    let far =
        Arc::new(FakeFar { pieces: vec!["I called [PHO", "NE_1]", "."], ..Default::default() });
    let fixture = Fixture::new(Some(ParrotModel::new()));
    fixture.with_far(&far);
    let id = fixture.conversation();
    let mut shown = None;
    let mut last = None;
    fixture
        .engine
        .send(cloud(&id), &Cancel::new(), &mut Always(Some(send_it)), &mut |event| match event {
            ChatEvent::Approval { preview } => shown = Some(preview),
            ChatEvent::Finished { message } => last = Some(message),
            _ => {}
        })
        .unwrap();
    let (shown, last) = (shown.unwrap(), last.unwrap());
    assert_eq!(far.bodies.lock().unwrap()[0], shown.body.as_bytes());
    assert!(!shown.body.contains(&phone()) && shown.body.contains("[PHONE_1]"));
    assert_eq!(&*last.content, format!("I called {}.", phone()));
    let footer = last.footer.unwrap();
    let outbound = footer.outbound.unwrap();
    assert_eq!((outbound.sha256, outbound.bytes), (shown.sha256, shown.bytes));
    assert_eq!(footer.cost.unwrap().currency, "EUR");
    // The value keeps its placeholder in the next turn, and after a restart.
    let map = fixture.engine.conversations.pseudonyms(&id).unwrap();
    assert_eq!(map.len(), 1);
}

#[test]
fn nothing_leaves_without_the_right_hash_and_keep_local_answers_here() {
    let far = Arc::new(FakeFar { pieces: vec!["far"], ..Default::default() });
    let fixture = Fixture::new(Some(ParrotModel::saying("near")));
    fixture.with_far(&far);
    let id = fixture.conversation();
    let send = |verdict: Option<fn(&nearside_types::Preview) -> Verdict>| {
        let mut text = String::new();
        let result =
            fixture.engine.send(cloud(&id), &Cancel::new(), &mut Always(verdict), &mut |event| {
                if let ChatEvent::Finished { message } = event {
                    text = message.content.0;
                }
            });
        result.map(|()| text)
    };
    assert_eq!(send(None).unwrap_err().kind, FailureKind::Refused);
    let wrong = send(Some(|_| Verdict::Send { sha256: "00".repeat(32) }));
    assert_eq!(wrong.unwrap_err().kind, FailureKind::Refused);
    assert_eq!(send(Some(|_| Verdict::KeepLocal)).unwrap(), "near");
    assert!(far.bodies.lock().unwrap().is_empty());
}

#[test]
fn an_edit_changes_the_preview_and_then_what_leaves() {
    struct Editing(Option<std::thread::JoinHandle<String>>);
    impl crate::task::Approver for Editing {
        fn ask(&mut self, preview: &nearside_types::Preview) -> std::sync::mpsc::Receiver<Verdict> {
            let (say, hear) = std::sync::mpsc::channel();
            let block = preview.blocks.iter().position(|b| !b.spans.is_empty()).unwrap();
            self.0 = Some(std::thread::spawn(move || {
                let (shown, see) = std::sync::mpsc::channel();
                let edit = EntityEdit {
                    block,
                    span: 0,
                    action: Action::Edit,
                    replacement: Some("the office".into()),
                };
                say.send(Verdict::Edit { edits: vec![edit], more: vec![], shown }).unwrap();
                let preview = see.recv().unwrap().unwrap();
                say.send(Verdict::Send { sha256: preview.sha256 }).unwrap();
                preview.body
            }));
            hear
        }
    }
    let far = Arc::new(FakeFar { pieces: vec!["ok"], ..Default::default() });
    let fixture = Fixture::new(Some(ParrotModel::new()));
    fixture.with_far(&far);
    let id = fixture.conversation();
    let mut editing = Editing(None);
    fixture.engine.send(cloud(&id), &Cancel::new(), &mut editing, &mut |_| {}).unwrap();
    let body = editing.0.unwrap().join().unwrap();
    assert!(body.contains("the office") && !body.contains("PHONE"));
    assert_eq!(far.bodies.lock().unwrap()[0], body.as_bytes());
}

#[test]
fn a_cut_answer_is_kept_and_local_only_sends_nothing() {
    let far = Arc::new(FakeFar {
        pieces: vec!["half of "],
        fails: Some(FailureKind::Network),
        ..Default::default()
    });
    let fixture = Fixture::new(Some(ParrotModel::new()));
    fixture.with_far(&far);
    let id = fixture.conversation();
    let mut kept = None;
    let failed =
        fixture.engine.send(cloud(&id), &Cancel::new(), &mut Always(Some(send_it)), &mut |event| {
            if let ChatEvent::Failed { message, .. } = event {
                kept = message;
            }
        });
    assert_eq!(failed.unwrap_err().kind, FailureKind::Network);
    let kept = kept.unwrap();
    assert_eq!((kept.state, &*kept.content), (MessageState::Failed, "half of "));
    assert!(kept.footer.unwrap().outbound.is_some());

    let local_only = SettingsPatch { local_only: Some(true), ..Default::default() };
    fixture.engine.update_settings(local_only).unwrap();
    fixture.engine.headless().set_far(Arc::clone(&far) as _);
    let refused =
        fixture.engine.send(cloud(&id), &Cancel::new(), &mut Always(Some(send_it)), &mut |_| {});
    assert_eq!(refused.unwrap_err().kind, FailureKind::Refused);
    assert_eq!(far.bodies.lock().unwrap().len(), 1);
}
