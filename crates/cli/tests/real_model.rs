//! With real weights, where `NEARSIDE_MODELS_DIR` has them; otherwise each test says that it was skipped.

use std::io::Read;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Place, ran};

const MODEL: &str = "qwen2.5-coder-0.5b";

const ENCODER: &str = "multilingual-e5-small";

/// The folder of weights, if the model is in it.
fn weights(wanted: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("NEARSIDE_MODELS_DIR")?);
    let place = Place::new();
    let mut command = place.command(&["models", "list", "--json"]);
    command.env("NEARSIDE_MODELS_DIR", &folder);
    let listed = ran(command, "").json();
    let there = listed["items"]
        .as_array()?
        .iter()
        .any(|model| model["name"] == wanted && model["state"] == "installed");
    there.then_some(folder)
}

fn with_model(name: &str, work: impl FnOnce(&Place, &dyn Fn(&[&str]) -> Value)) {
    let Some(folder) = weights(MODEL) else {
        eprintln!("{name} is skipped: {MODEL} is not in NEARSIDE_MODELS_DIR.");
        return;
    };
    let place = Place::new();
    let run = |arguments: &[&str]| {
        let all: Vec<&str> =
            arguments.iter().chain(&["--model", MODEL, "--json"]).copied().collect();
        let mut command = place.command(&all);
        command.env("NEARSIDE_MODELS_DIR", &folder);
        ran(command, "").json()
    };
    work(&place, &run);
}

fn document(facts: &[(usize, String)]) -> String {
    let mut text = String::new();
    for page in 1..=12 {
        text.push_str(&format!("# Part {page}\n\n"));
        for sentence in 0..6 {
            text.push_str(&format!(
                "In this part the committee looks at point {sentence} of its ordinary work and finds it in order. "
            ));
        }
        for (_, fact) in facts.iter().filter(|(at, _)| *at == page) {
            text.push_str(fact);
            text.push(' ');
        }
        text.push_str("\n\n");
    }
    text
}

#[test]
fn a_fact_on_page_9_is_in_the_answer_and_cited_to_page_9() {
    with_model("the planted fact", |place, run| {
        let fact = (9, "The night ferry to Vestmarn leaves from pier 37.".to_owned());
        let path = place.write("报告 report.md", &document(&[fact]));
        let question = "From which pier does the night ferry to Vestmarn leave?";
        let value = run(&["ask", question, "--file", &path, "--max-tokens", "48"]);
        assert!(value["answer"].as_str().unwrap().contains("37"), "{value}");
        let pages: Vec<_> =
            value["citations"].as_array().unwrap().iter().map(|c| &c["page"]).collect();
        assert_eq!(pages, [9], "{value}");
        assert_eq!(value["coverage"]["pages_total"], 12);
        assert!(value["coverage"]["tokens_read"].as_u64().unwrap() > 100);
    });
}

#[test]
fn a_summary_keeps_more_facts_than_page_one_has() {
    with_model("the summary", |place, run| {
        let towns = [
            "Arvik", "Belmor", "Corvan", "Delsund", "Estrup", "Farnholt", "Gellin", "Hovdal",
            "Istren", "Jorvik", "Kelmar", "Lundry", "Morvath", "Nesby", "Orlen", "Perrin",
            "Quarnby", "Rostad", "Selvik", "Torvald",
        ];
        let facts: Vec<(usize, String)> = towns
            .iter()
            .enumerate()
            .map(|(n, town)| {
                (n * 12 / 20 + 1, format!("The mill at {town} employs {} people.", 113 + 7 * n))
            })
            .collect();
        let path = place.write("mills.md", &document(&facts));
        let value = run(&["summarize", &path]);
        let summary = value["summary"].as_str().unwrap();
        let kept = towns.iter().filter(|town| summary.contains(*town)).count();
        let on_page_one = facts.iter().filter(|(page, _)| *page == 1).count();
        assert!(kept > on_page_one, "{kept} facts: {summary}");
        assert_eq!(value["coverage"]["pages_read"], 12);
        assert_eq!(value["files"][0]["status"], "ok");
        eprintln!("the summary kept {kept} of 20 facts; page 1 has {on_page_one}");
    });
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_printed_and_exits_130() {
    let Some(folder) = weights(MODEL) else {
        eprintln!("the interrupt is skipped: {MODEL} is not in NEARSIDE_MODELS_DIR.");
        return;
    };
    let place = Place::new();
    let mut command =
        place.command(&["ask", "Count from one to one hundred in words.", "--model", MODEL]);
    command.env("NEARSIDE_MODELS_DIR", &folder);
    let mut child = command.spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut first = [0_u8; 1];
    out.read_exact(&mut first).unwrap();
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_question_finds_what_it_means_in_either_language() {
    let Some(folder) = weights(ENCODER) else {
        eprintln!("searching by meaning is skipped: {ENCODER} is not in NEARSIDE_MODELS_DIR.");
        return;
    };
    let place = Place::new();
    std::fs::create_dir(place.path("papers 文件")).unwrap();
    for (name, text) in [
        (
            "lease.txt",
            "The tenant pays 4200 a month and gives three months' notice before leaving.",
        ),
        ("greenhouse.txt", "The greenhouse needs a new roof before the winter storms arrive."),
        ("预算.txt", "明年的培训预算增加百分之十，由人事部门统一安排。"),
        ("体检.txt", "患者血压偏高，建议减少盐的摄入并按时服药。"),
    ] {
        place.write(&format!("papers 文件/{name}"), text);
    }
    let run = |arguments: &[&str]| {
        let all = [&["--passphrase-fd", "0"][..], arguments, &["--json"]].concat();
        let mut command = place.command(&all);
        command.env("NEARSIDE_MODELS_DIR", &folder);
        ran(command, "correct horse battery\n").json()
    };
    run(&["index", "add", &place.path("papers 文件").display().to_string()]);
    let check = |question: &str, file: &str, how: &str| {
        let hits = run(&["search", question, "-k", "2"]);
        let best = &hits["items"][0];
        let found = best["file"].as_str().unwrap_or_default();
        assert!(found.ends_with(file), "{question}: {hits}");
        assert_eq!(best["how"], how, "{question}: {hits}");
    };
    check("How much is the rent?", "lease.txt", "both");
    check("房租是多少钱？", "lease.txt", "vector");
    check("staff education money for next year", "预算.txt", "vector");
    check("greenhouse roof", "greenhouse.txt", "both");
    check("high blood pressure medicine", "体检.txt", "vector");
    let forgotten = run(&["index", "forget", &place.path("papers 文件").display().to_string()]);
    assert_eq!(forgotten["traces_found"], 0);
    assert_eq!(run(&["search", "房租是多少钱？"])["items"], serde_json::json!([]));
}
