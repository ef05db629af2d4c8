//! What needs a data folder: opened with a passphrase, because a test machine has no keychain.

use serde_json::json;

use crate::common::Place;

#[test]
fn without_a_key_it_exits_5_at_once_with_a_sentence() {
    let place = Place::new();
    let sentence = place.run(&["conversations", "list"]).fails(5).to_owned();
    assert!(sentence.contains("--passphrase-fd"), "{sentence}");
    assert!(!place.path("数据 data/conversations.db").exists());
}

#[test]
fn settings_are_kept_and_read_without_a_key() {
    let place = Place::new();
    let set = place.opened(&["settings", "set", "local_only", "true", "--json"]).json();
    assert_eq!(set, json!({ "local_only": true }));
    place.opened(&["settings", "set", "theme", "dark"]);
    let all = place.run(&["settings", "get", "--json"]).json();
    assert_eq!((&all["local_only"], &all["theme"]), (&json!(true), &json!("dark")));
    place.opened(&["settings", "set", "theme", "plaid"]).fails(2);
    place.opened(&["settings", "set", "colour", "red"]).fails(3);
    let refused = place.run(&[
        "ask",
        "hello",
        "--route",
        "cloud",
        "--provider-url",
        "http://127.0.0.1:9/v1",
        "--provider-model",
        "far",
    ]);
    assert!(refused.fails(5).to_lowercase().contains("local-only"));
}

#[test]
fn files_are_indexed_found_and_forgotten() {
    let place = Place::new();
    std::fs::create_dir(place.path("我的 files")).unwrap();
    place.write("我的 files/bridge.md", "# Kelmar\n\nThe Kelmar bridge opened in 1931.\n");
    place.write("我的 files/empty.txt", "");
    let folder = place.path("我的 files").display().to_string();
    let added = place.opened(&["index", "add", &folder, "--json"]).json();
    assert_eq!(added["items"].as_array().unwrap().len(), 2);
    let status = place.opened(&["index", "status", "--json"]).json();
    let states: Vec<_> =
        status["items"].as_array().unwrap().iter().map(|f| f["status"].as_str().unwrap()).collect();
    assert!(states.contains(&"ok") && states.contains(&"empty"), "{states:?}");
    let hits = place.opened(&["search", "Kelmar bridge", "-k", "3", "--json"]).json();
    let hit = &hits["items"][0];
    assert_eq!((&hit["page"], &hit["how"]), (&json!(1), &json!("keyword")));
    let forgotten = place.opened(&["index", "forget", &folder, "--json"]).json();
    assert_eq!(forgotten["traces_found"], 0);
    let after = place.opened(&["search", "Kelmar", "--json"]).json();
    assert_eq!(after, json!({ "items": [] }));
    place.opened(&["index", "remove", &folder]).fails(3);
}

#[test]
fn the_ledger_begins_empty_and_whole() {
    let place = Place::new();
    assert_eq!(place.opened(&["ledger", "list", "--json"]).json(), json!({ "items": [] }));
    assert_eq!(place.opened(&["ledger", "verify", "--json"]).json()["intact"], true);
    let path = place.path("ledger.json").display().to_string();
    assert_eq!(place.opened(&["ledger", "export", &path, "--json"]).status, 0);
    assert!(place.path("ledger.json").exists());
}

#[test]
fn conversations_that_are_not_there_are_3_and_a_wrong_passphrase_is_5() {
    let place = Place::new();
    assert_eq!(place.opened(&["conversations", "list", "--json"]).json(), json!({ "items": [] }));
    place.opened(&["conversations", "show", "none"]).fails(3);
    let wrong =
        place.run_with(&["--passphrase-fd", "0", "conversations", "list"], "wrong wrong wrong\n");
    wrong.fails(5);
}

#[test]
fn everything_can_be_erased() {
    let place = Place::new();
    place.opened(&["settings", "set", "theme", "dark"]);
    assert_eq!(place.run(&["data", "erase", "--yes", "--json"]).json(), json!({ "erased": true }));
    let left = std::fs::read_dir(place.path("数据 data")).map(Iterator::count).unwrap_or(0);
    assert_eq!(left, 0);
}

#[test]
fn what_is_on_the_own_list_is_hidden_in_a_preview() {
    let place = Place::new();
    assert_eq!(
        place.opened(&["own-list", "show", "--json"]).json(),
        json!({ "hide": [], "keep": [] })
    );
    place.opened(&["own-list", "keep", "Ann Lee", "Halcyon"]);
    let hide = ["own-list", "hide", "--type", "org", "Halcyon", "晨曦项目", "--json"];
    assert_eq!(
        place.opened(&hide).json(),
        json!({
            "hide": [{ "type": "ORG", "names": ["Halcyon", "晨曦项目"] }],
            "keep": ["Ann Lee"]
        })
    );
    let task = [
        "ask",
        "Dr. Ann Lee runs HALCYON（晨曦项目）.",
        "--route",
        "cloud",
        "--json",
        "--provider-url",
        "http://127.0.0.1:9/v1",
        "--provider-model",
        "far",
    ];
    let shown = place.opened(&task);
    shown.fails(5);
    let body = shown.lines()[0]["approval"]["body"].as_str().unwrap().to_owned();
    assert!(body.contains("Dr. Ann Lee runs [ORG_1]（[ORG_1b]）."), "{body}");
    // The passphrase and then the question, both on standard input.
    let asked = ["--passphrase-fd", "0", "ask", "-"];
    let asked: Vec<&str> = asked.iter().chain(&task[2..]).copied().collect();
    let piped = place.run_with(&asked, "correct horse battery\nIs HALCYON late?\n");
    piped.fails(5);
    let body = piped.lines()[0]["approval"]["body"].as_str().unwrap().to_owned();
    assert!(body.contains("Is [ORG_1] late?") && !body.contains("horse"), "{body}");
    // One type apart from the level.
    place.opened(&["settings", "set", "actions", r#"{"ORG":"refuse"}"#]);
    assert!(place.opened(&task).fails(5).contains("ORG"));
    place.opened(&["settings", "set", "actions", r#"{"DRAGON":"mask"}"#]).fails(2);
    place.opened(&["own-list", "hide", "张"]).fails(2);
    place.opened(&["own-list", "hide", "--type", "dragon", "Smaug"]).fails(2);
    place.opened(&["own-list", "remove", "Nobody"]).fails(3);
    place.opened(&["own-list", "remove", "halcyon", "晨曦项目", "Ann Lee"]);
    let text = place.opened(&["own-list", "show"]);
    assert!(text.out.contains("empty"), "{}", text.out);
}

#[test]
fn an_archive_has_a_passphrase_of_its_own() {
    let place = Place::new();
    place.opened(&["own-list", "hide", "Halcyon"]);
    let path = place.path("a.backup").display().to_string();
    let call = |words: &[&str], input: &str| {
        place.run_with(&[&["--passphrase-fd", "0"], words].concat(), input)
    };
    let own = "words for the archive";
    let exported = call(&["data", "export", &path], &format!("correct horse battery\n{own}\n"));
    assert_eq!(exported.status, 0, "{}", exported.err);
    call(&["data", "restore", &path], "a new passphrase\nnot these words\n").fails(5);
    let restored = call(&["data", "restore", &path], &format!("a new passphrase\n{own}\n"));
    assert_eq!(restored.status, 0, "{}", restored.err);
    let shown = call(&["own-list", "show"], "a new passphrase\n");
    assert!(shown.out.contains("Halcyon"), "{}{}", shown.out, shown.err);
}
