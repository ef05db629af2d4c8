//! What needs no model and no key.

use serde_json::{Value, json};

use crate::common::{Place, ran};

fn phone() -> String {
    format!("138{}8000", "0013")
}

#[test]
fn usage_errors_are_one_sentence_and_exit_2() {
    let place = Place::new();
    for arguments in [
        &["nonsense"][..],
        &["extract"],
        &["ask", "hello", "--route", "moon"],
        &["ask", "hello", "--temperature", "9"],
        &["ask", "hello", "--provider-url", "http://localhost:1/v1"],
        &["search", "x", "-k", "0"],
        &[],
        &["redact", "text", "--policy", "loose"],
        &["data", "erase"],
        &["ask", ""],
        &["ask", "hello", "--model", ""],
        &["ask", "hello", "--model", "multilingual-e5-small"],
        &["restore", "-----BEGIN somebody's words", "--map", "map.json"],
    ] {
        let sentence = place.run(arguments).fails(2).to_owned();
        assert!(!sentence.contains("somebody"), "{sentence}");
        assert!(sentence.ends_with('.'), "{arguments:?}: {sentence}");
    }
    let help = place.run(&["--help"]);
    assert_eq!((help.status, help.err.as_str()), (0, ""));
}

#[test]
fn extract_gives_pages_and_its_status_is_the_result() {
    let place = Place::new();
    let path = place.write("报告 一.md", "# 第一章\n\n内容。\n\n# Second\n\nMore.\n");
    let value = place.run(&["extract", &path, "--json"]).json();
    assert_eq!((&value["status"], &value["kind"]), (&json!("ok"), &json!("markdown")));
    let pages = value["pages"].as_array().unwrap();
    assert_eq!(pages.iter().map(|p| &p["page"]).collect::<Vec<_>>(), [&json!(1), &json!(2)]);
    assert_eq!(pages[1]["section"], "Second");
    assert!(value["encoding"].is_string() && value["warnings"].is_array());

    let empty = place.write("empty.txt", "");
    assert_eq!(place.run(&["extract", &empty, "--json"]).json()["status"], "empty");
    let broken = place.write("broken.pdf", "%PDF-1.7\nnothing that a reader could use");
    let broken = place.run(&["extract", &broken, "--json"]).json();
    assert_eq!(broken["status"], "corrupt");
    let missing = place.path("no such file.pdf").display().to_string();
    place.run(&["extract", &missing, "--json"]).fails(3);
}

#[test]
fn redact_and_restore_are_inverse_and_offsets_are_code_points() {
    let place = Place::new();
    let text = format!("😀 电话 {} 谢谢", phone());
    let value = place.run(&["redact", &text, "--json"]).json();
    let span = &value["spans"][0];
    assert_eq!((&span["type"], &span["action"]), (&json!("PHONE"), &json!("mask")));
    assert_eq!((&span["start"], &span["end"]), (&json!(5), &json!(16)));
    assert_eq!(span["text"], Value::String(phone()));
    let outgoing = value["text"].as_str().unwrap();
    assert!(!outgoing.contains(&phone()));
    assert_eq!(value["map"][span["replacement"].as_str().unwrap()], Value::String(phone()));

    let map = place.write("map.json", &value.to_string());
    let back = place.run_with(&["restore", "--map", &map, "--json"], outgoing).json();
    assert_eq!((&back["text"], &back["unknown"]), (&json!(text), &json!([])));
    let unknown = place.run(&["restore", "--map", &map, "--json", "see [EMAIL_7]"]).json();
    assert_eq!(unknown["unknown"], json!(["[EMAIL_7]"]));
    place.run(&["restore", "x", "--map", "no such map"]).fails(3);
    let bad = place.write("bad.json", "[1, 2]");
    place.run(&["restore", "x", "--map", &bad]).fails(2);
}

#[test]
fn a_batch_answers_each_line_with_its_id_and_goes_on() {
    let place = Place::new();
    let input = format!(
        "{}\nnot json\n{}\n\n{}\n",
        json!({ "id": 7, "text": format!("call {}", phone()) }),
        json!({ "id": "no text" }),
        json!({ "id": "z", "text": "nothing here" })
    );
    let ran = place.run_with(&["redact", "--jsonl"], &input);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let lines = ran.lines();
    assert_eq!(
        lines.iter().map(|l| l["id"].clone()).collect::<Vec<_>>(),
        [json!(7), Value::Null, json!("no text"), json!("z")]
    );
    assert_eq!(lines[0]["spans"][0]["type"], "PHONE");
    assert!(lines[1]["error"]["message"].is_string() && lines[1].get("spans").is_none());
    assert_eq!(lines[2]["error"]["status"], 2);
    assert_eq!(lines[3]["text"], "nothing here");

    let line = json!({ "id": 1, "text": "[PHONE_1]!", "map": { "[PHONE_1]": "x" } }).to_string();
    assert_eq!(place.run_with(&["restore", "--jsonl"], &line).lines()[0]["text"], "x!");
    let routed = place.run_with(&["route", "--jsonl"], "{\"id\":1,\"text\":\"hello\"}\n");
    assert_eq!((routed.status, &routed.lines()[0]["id"]), (0, &json!(1)));
    let asked = place.run_with(&["ask", "--jsonl"], "{\"id\":1,\"text\":\"hello\"}\n");
    assert_eq!((asked.status, &asked.lines()[0]["error"]["status"]), (0, &json!(6)));
}

#[test]
fn route_says_why_and_runs_nothing() {
    let place = Place::new();
    let value = place.run(&["route", "Summarise my notes", "--json"]).json();
    assert!(value["score"].is_number());
    assert!(!value["reasons"].as_array().unwrap().is_empty());
    assert!(value["discarded"].as_array().unwrap().iter().all(|d| d["reason"]["text"].is_string()));
    assert!(!place.path("数据 data").exists(), "nothing is kept");
}

#[test]
fn models_and_devices_are_listed_and_unknown_ones_are_not_found() {
    let place = Place::new();
    let models = place.run(&["models", "list", "--json"]).json();
    let first = &models["items"][0];
    for field in
        ["name", "purpose", "version", "previous", "size", "sha256", "licence", "state", "source"]
    {
        assert!(first.get(field).is_some(), "{field}");
    }
    let devices = place.run(&["devices", "--json"]).json();
    let chosen = devices["items"].as_array().unwrap().iter().filter(|d| d["chosen"] == true);
    assert_eq!(chosen.count(), 1);
    for arguments in [
        ["models", "verify", "nothing"],
        ["models", "fetch", "nothing"],
        ["models", "rollback", "nothing"],
    ] {
        place.run(&arguments).fails(3);
    }
}

#[test]
fn a_missing_model_names_the_command_that_fetches_it() {
    let place = Place::new();
    let path = place.write("note.txt", "The bridge opened in 1931.");
    for arguments in [
        &["ask", "hello"][..],
        &["ask", "when?", "--file", &path],
        &["summarize", &path],
        &["ask", "hello", "--route", "local", "--json"],
    ] {
        let sentence = place.run(arguments).fails(6).to_owned();
        assert!(sentence.contains("nearside models fetch "), "{sentence}");
    }
}

#[test]
fn nothing_readable_is_4_and_is_never_answered() {
    let place = Place::new();
    let empty = place.write("empty.txt", " \n ");
    let ran = place.run(&["ask", "what does it say?", "--file", &empty, "--json"]);
    ran.fails(4);
    assert_eq!(ran.out, "");
    let ran = place.run(&["summarize", &empty, "--json"]);
    ran.fails(4);
    place.run(&["ask", "what?", "--file", "no such file"]).fails(3);
}

#[test]
fn a_cloud_route_prints_the_exact_body_and_exits_5() {
    let place = Place::new();
    let text = format!("Call {} please", phone());
    let arguments = [
        "ask",
        &text,
        "--route",
        "cloud",
        "--json",
        "--provider-url",
        "http://127.0.0.1:9/v1",
        "--provider-model",
        "far",
    ];
    let first = place.run(&arguments);
    let sentence = first.fails(5).to_owned();
    let approval = &first.lines()[0]["approval"];
    let body = approval["body"].as_str().unwrap();
    assert!(body.contains("[PHONE_1]") && !body.contains(&phone()));
    assert_eq!(approval["bytes"], json!(body.len()));
    let sha256 = approval["sha256"].as_str().unwrap();
    assert!(sentence.contains(sha256), "{sentence}");
    // The same request has the same body, so that an approval can name it.
    let second = place.run(&arguments);
    assert_eq!(second.lines()[0]["approval"]["sha256"], json!(sha256));
    place.run(&["ask", "hello", "--route", "cloud"]).fails(5);
}

#[test]
fn a_reader_that_closes_its_pipe_ends_it_quietly() {
    let place = Place::new();
    let long = place.write("long.txt", &"A line of a long document.\n\n".repeat(40_000));
    let mut command = place.command(&["extract", &long]);
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    drop(child.stdin.take());
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    child.wait().unwrap();
    assert_eq!(said, "");
}

#[test]
fn text_comes_from_standard_input() {
    let place = Place::new();
    let piped = place.run_with(&["redact", "-"], "plain\n");
    assert_eq!((piped.status, piped.out.as_str()), (0, "plain\n"));
    let mut command = place.command(&["redact"]);
    command.env("LANG", "C");
    assert_eq!(ran(command, "中文\n").out, "中文\n");
}
