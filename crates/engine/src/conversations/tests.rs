//! The store of conversations: branches, search, checkpoints. No model takes part.

use nearside_test_kit::FakeClock;
use nearside_types::{Extracted, FileStatus, Message, MessageState, Page, Role, Route};
use nearside_vault::{KeySource, MemoryKeychain, Vault};

use super::*;
use crate::document::Document;

struct Store {
    conversations: Conversations,
    vault: Vault,
    // The folder goes when the test ends.
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for Store {
    type Target = Conversations;
    fn deref(&self) -> &Conversations {
        &self.conversations
    }
}

fn store() -> (Store, FakeClock) {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::new(MemoryKeychain::new());
    let vault = Vault::open(folder.path(), KeySource::Keychain { keychain, ask: None }).unwrap();
    let clock = FakeClock::default();
    let database = vault.database("conversations", MIGRATIONS).unwrap();
    let conversations = Conversations::open(database, Arc::new(clock.clone())).unwrap();
    (Store { conversations, vault, _folder: folder }, clock)
}

fn say(store: &Conversations, id: &ConversationId, role: Role, text: &str) -> Message {
    let head = store.head(id).unwrap();
    store
        .add(&NewMessage {
            conversation: id,
            parent: head.as_ref(),
            role,
            content: text,
            files: &[],
            state: MessageState::Complete,
        })
        .unwrap()
}

fn document(name: &str, text: &str) -> Document {
    let pages = vec![Page { page: 1, section: None, text: text.into() }];
    let (kind, encoding, warnings) = ("text".to_owned(), None, Vec::new());
    Document {
        name: name.into(),
        extracted: Extracted { status: FileStatus::Ok, kind, encoding, pages, warnings },
    }
}

fn texts(store: &Conversations, id: &ConversationId) -> Vec<String> {
    store.get(id).unwrap().messages.into_iter().map(|m| m.content.0).collect()
}

#[test]
fn a_branch_is_shown_to_its_latest_end_and_the_other_stays() {
    let (store, clock) = store();
    let id = store.create().unwrap().id;
    let first = say(&store, &id, Role::User, "one");
    let answer = say(&store, &id, Role::Assistant, "two");
    say(&store, &id, Role::User, "three");
    clock.advance_ms(5);
    let other = store
        .add(&NewMessage {
            conversation: &id,
            parent: Some(&first.id),
            role: Role::Assistant,
            content: "two again",
            files: &[],
            state: MessageState::Complete,
        })
        .unwrap();
    assert_eq!(texts(&store, &id), ["one", "two again"]);
    assert_eq!(other.branches, [answer.id.clone(), other.id.clone()]);
    store.select(&answer.id).unwrap();
    assert_eq!(texts(&store, &id), ["one", "two", "three"]);
    let shown = store.get(&id).unwrap().messages;
    assert_eq!(shown[0].branches, [first.id]);
    assert_eq!(shown[1].branches, [answer.id, other.id]);
}

#[test]
fn a_fork_copies_one_branch_with_its_documents_and_leaves_the_rest() {
    let (store, clock) = store();
    let id = store.create().unwrap().id;
    let first = say(&store, &id, Role::User, "one");
    store.keep_documents(&first.id, &[document("a.txt", "page one")]).unwrap();
    store.touch(&id, Some(Route::Local), Some("one")).unwrap();
    let answer = say(&store, &id, Role::Assistant, "two");
    say(&store, &id, Role::User, "three");
    clock.advance_ms(10);
    let copy = store.fork(&id, &answer.id).unwrap();
    assert_eq!(texts(&store, &copy), ["one", "two"]);
    assert_eq!(texts(&store, &id), ["one", "two", "three"]);
    let copied = store.get(&copy).unwrap();
    assert_eq!(copied.summary.title.0, "one");
    assert_eq!(store.list().unwrap()[0].id, copy, "the newest");
    assert_eq!(store.documents(&copied.messages[0].id).unwrap().len(), 1);
    // The copy stands alone: deleting the original takes nothing from it.
    store.delete(&id).unwrap();
    assert_eq!(texts(&store, &copy), ["one", "two"]);
    assert!(matches!(store.fork(&copy, &answer.id), Err(Error::Missing { .. })));
}

#[test]
fn pinned_come_first_then_the_latest() {
    let (store, clock) = store();
    let ids: Vec<_> = (0..3)
        .map(|n| {
            clock.advance_ms(10);
            let id = store.create().unwrap().id;
            store.touch(&id, Some(Route::Local), Some(&format!("question {n}"))).unwrap();
            id
        })
        .collect();
    store.pin(&ids[0], true).unwrap();
    store.rename(&ids[1], " Named ").unwrap();
    clock.advance_ms(10);
    store.touch(&ids[1], None, Some("a later question")).unwrap();
    let titles: Vec<String> = store.list().unwrap().into_iter().map(|s| s.title.0).collect();
    assert_eq!(titles, ["question 0", "Named", "question 2"]);
    store.delete(&ids[2]).unwrap();
    assert!(matches!(store.get(&ids[2]), Err(Error::Missing { .. })));
    assert!(matches!(store.pin(&ids[2], true), Err(Error::Missing { .. })));
    assert_eq!(store.list().unwrap().len(), 2);
}

#[test]
fn search_finds_words_of_two_characters_and_mixed_text() {
    let (store, _) = store();
    let id = store.create().unwrap().id;
    say(&store, &id, Role::User, "请把用户手册里关于重跑gen-itgc后的步骤列出来");
    let other = store.create().unwrap().id;
    say(&store, &other, Role::User, "The Quick brown fox");
    let check = |query: &str, wanted: &[&ConversationId]| {
        let found: Vec<_> = store.search(query).unwrap().into_iter().map(|s| s.id).collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), wanted, "{query}");
    };
    check("用户", &[&id]);
    check("重跑gen-itgc后", &[&id]);
    check("quick FOX", &[&other]);
    check("100%", &[]);
    check("_", &[]);
    assert!(store.search("步骤").unwrap()[0].snippet.as_ref().unwrap().contains("步骤"));
    assert_eq!(store.search("").unwrap().len(), 2);
}

#[test]
fn an_answer_that_was_being_written_is_stopped_at_the_next_start() {
    let (store, clock) = store();
    let id = store.create().unwrap().id;
    let answer = store
        .add(&NewMessage {
            conversation: &id,
            parent: None,
            role: Role::Assistant,
            content: "",
            files: &[],
            state: MessageState::Streaming,
        })
        .unwrap();
    store.checkpoint(&answer.id, "half of").unwrap();
    let again = store.vault.database("conversations", MIGRATIONS).unwrap();
    let store = Conversations::open(again, Arc::new(clock)).unwrap();
    let kept = store.message(&answer.id).unwrap();
    assert_eq!((kept.state, &*kept.content), (MessageState::Stopped, "half of"));
}

#[test]
fn documents_stay_with_their_message() {
    let (store, _) = store();
    let id = store.create().unwrap().id;
    let question = say(&store, &id, Role::User, "what?");
    let document = document("报告 一.txt", "页面");
    store.keep_documents(&question.id, std::slice::from_ref(&document)).unwrap();
    assert_eq!(store.documents(&question.id).unwrap(), [document]);
    store.delete(&id).unwrap();
    assert!(store.documents(&question.id).unwrap().is_empty());
}

#[test]
fn titles_are_the_first_line_cut_at_a_word() {
    let check = |question: &str, wanted: &str| assert_eq!(title_of(question), wanted);
    check("\n  short one \nmore", "short one");
    check(
        "a question that is much longer than a title can be in the list",
        "a question that is much longer than a title can…",
    );
    check("", "");
}
