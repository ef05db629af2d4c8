//! Answering and summarising on a scripted model: what it is given, and what is said of it.

use std::sync::Arc;
use std::time::Duration;

use nearside_test_kit::{Heard, ParrotModel};
use nearside_types::{
    Cancel, ChatEvent, DeviceChoice, Extracted, Failure, FailureKind, FileStatus, FinishReason,
    Notice, Page, Role, Stage, TextModel, Turn,
};

use super::*;
use crate::keeper::{Keeper, ModelSource};

struct One(ParrotModel);

impl ModelSource for One {
    fn resolve(&self, _: Option<&str>) -> Result<String, Failure> {
        Ok("parrot".to_owned())
    }

    fn load(&self, _: &str, _: DeviceChoice) -> Result<(Box<dyn TextModel>, Vec<Notice>), Failure> {
        Ok((Box::new(self.0.clone()), Vec::new()))
    }
}

fn keeper(model: ParrotModel) -> (Keeper, Heard) {
    let heard = model.heard();
    (Keeper::start(Arc::new(One(model)), Duration::from_secs(60)).unwrap(), heard)
}

fn place(keeper: &Keeper) -> Place<'_> {
    Place { keeper, model: None }
}

fn document(name: &str, pages: &[String]) -> Document {
    let pages = pages
        .iter()
        .zip(1..)
        .map(|(text, page)| Page { page, section: None, text: text.as_str().into() })
        .collect();
    let extracted = Extracted {
        status: FileStatus::Ok,
        kind: "pdf".into(),
        encoding: None,
        pages,
        warnings: Vec::new(),
    };
    Document { name: name.into(), extracted }
}

fn filler(pages: usize, sentences: usize) -> Vec<String> {
    (1..=pages)
        .map(|n| {
            (0..sentences)
                .map(|s| format!("Paragraph {s} of part {n} describes how the committee reviews ordinary work in calm weather. "))
                .collect()
        })
        .collect()
}

fn asking(question: &str, document: Document) -> Vec<Said> {
    vec![Said { role: Role::User, content: question.into(), documents: vec![document] }]
}

fn last_prompt(heard: &Heard) -> String {
    let heard = heard.lock().unwrap();
    heard.last().unwrap().iter().map(|t: &Turn| t.content.0.clone() + "\n").collect()
}

#[test]
fn a_short_document_is_given_whole_and_the_answer_is_cited() {
    let mut pages = filler(12, 1);
    pages[8].push_str("The Orlan turbine produced 4,718 kilowatt hours.");
    let (keeper, heard) = keeper(ParrotModel::saying("It produced 4,718 kilowatt hours."));
    let said = asking("How much did the Orlan turbine produce?", document("a b.pdf", &pages));
    let written = answer_locally(
        &place(&keeper),
        &said,
        &TaskOptions::default(),
        &Cancel::new(),
        &mut |_| {},
    )
    .unwrap();
    assert_eq!(written.citations.iter().map(|c| c.page).collect::<Vec<_>>(), [9]);
    let coverage = written.coverage.unwrap();
    assert_eq!((coverage.pages_read, coverage.pages_total), (12, 12));
    let prompt = last_prompt(&heard);
    assert!((1..=12).all(|n| prompt.contains(&format!("[a b.pdf p.{n}]"))), "{prompt}");
    assert!(written.notices.is_empty());
}

#[test]
fn a_long_document_gives_its_nearest_passages_and_says_so() {
    let mut pages = filler(60, 12);
    pages[44].push_str("The Orlan turbine produced 4,718 kilowatt hours.");
    let (keeper, heard) = keeper(ParrotModel::saying("It produced 4,718 kilowatt hours."));
    let said = asking("How much did the Orlan turbine produce?", document("long.pdf", &pages));
    let written = answer_locally(
        &place(&keeper),
        &said,
        &TaskOptions::default(),
        &Cancel::new(),
        &mut |_| {},
    )
    .unwrap();
    assert_eq!(written.citations[0].page, 45);
    let coverage = written.coverage.unwrap();
    assert!(coverage.pages_read < 60 && coverage.pages_total == 60);
    assert!(written.notices[0].text.contains("nearest"));
    let prompt = last_prompt(&heard);
    let cited_unseen =
        written.citations.iter().any(|c| !prompt.contains(&format!("p.{}]", c.page)));
    assert!(!cited_unseen, "a page that was not given is never cited");
}

#[test]
fn a_second_question_reuses_the_documents_prefix() {
    let (keeper, _) = keeper(ParrotModel::saying("Yes."));
    let mut said = asking("First question?", document("a.pdf", &filler(6, 3)));
    let run = |said: &[Said]| {
        answer_locally(&place(&keeper), said, &TaskOptions::default(), &Cancel::new(), &mut |_| {})
            .unwrap()
    };
    run(&said);
    said.push(Said { role: Role::Assistant, content: "Yes.".into(), documents: Vec::new() });
    said.push(Said::user("Second question?"));
    let second = run(&said);
    assert!(second.tokens.reused >= second.coverage.unwrap().tokens_read, "{:?}", second.tokens);
}

#[test]
fn stop_keeps_what_was_written_and_a_lost_device_too() {
    let (first, _) = keeper(ParrotModel::saying("one two three four"));
    let cancel = Cancel::new();
    let said = [Said::user("go")];
    let written =
        answer_locally(&place(&first), &said, &TaskOptions::default(), &cancel, &mut |event| {
            if let ChatEvent::Text { text } = event
                && text.contains("two")
            {
                cancel.cancel();
            }
        })
        .unwrap();
    assert_eq!((written.text.as_str(), written.finish), ("one two", Some(FinishReason::Cancelled)));

    let mut failing = ParrotModel::saying("one two three four");
    failing.fails_after = Some(3);
    let (second, _) = keeper(failing);
    let written = answer_locally(
        &place(&second),
        &said,
        &TaskOptions::default(),
        &Cancel::new(),
        &mut |_| {},
    )
    .unwrap();
    assert_eq!(written.text, "one two three");
    assert!(written.failure.is_some());
}

fn summarise(model: ParrotModel, document: Document) -> (Result<Written, Failure>, String, Heard) {
    let (keeper, heard) = keeper(model);
    let mut shown = String::new();
    let said = asking("", document);
    let written = summarise_locally(
        &place(&keeper),
        &said,
        &TaskOptions::default(),
        &Cancel::new(),
        &mut |event| {
            if let ChatEvent::Text { text } = event {
                shown.push_str(&text);
            }
        },
    );
    (written, shown, heard)
}

#[test]
fn a_summary_reads_every_page_and_keeps_planted_facts() {
    let mut pages = filler(12, 8);
    for (n, page) in pages.iter_mut().enumerate() {
        page.push_str(&format!("Station Kel{n} at Port Ama{n} recorded {} tonnes. ", 1370 + n));
        page.push_str(&format!("Inspector Brook{n} signed contract QX-{}.", 400 + n));
    }
    let model = ParrotModel::saying(
        "The committee reviews work. It fell to 99999 tonnes. The committee reviews work.",
    );
    let (written, shown, heard) = summarise(model, document("r.pdf", &pages));
    let written = written.unwrap();
    assert_eq!(written.text, shown, "what streams is what is kept");
    let coverage = written.coverage.unwrap();
    assert_eq!((coverage.pages_read, coverage.pages_total), (12, 12));
    let received: String = heard.lock().unwrap().iter().map(|t| t[0].content.0.clone()).collect();
    assert!(
        (1..=12).all(|n| received.contains(&format!("of part {n} "))),
        "every page was received"
    );
    let kept = (0..12).filter(|n| written.text.contains(&format!("Port Ama{n} "))).count()
        + (0..12).filter(|n| written.text.contains(&format!("QX-{}.", 400 + n))).count();
    assert!(kept >= 20, "{kept} of 24 facts");
    assert!(written.text.contains("(p. 9)"));
    assert!(!written.text.contains("99999"), "an invented number is held back");
    assert!(written.notices.iter().any(|n| n.text.contains("left out")));
    let (first_only, _, _) =
        summarise(ParrotModel::saying("Work."), document("r.pdf", &pages[..1]));
    assert!(first_only.unwrap().text.matches("QX-").count() < kept);
}

#[test]
fn a_summary_can_be_stopped_and_says_how_far_it_came() {
    let (keeper, _) = keeper(ParrotModel::saying("Part done."));
    let cancel = Cancel::new();
    let said = asking("", document("r.pdf", &filler(30, 20)));
    let written =
        summarise_locally(&place(&keeper), &said, &TaskOptions::default(), &cancel, &mut |event| {
            if matches!(event, ChatEvent::Progress { stage: Stage::SummarisingPart, done: 2, .. }) {
                cancel.cancel();
            }
        })
        .unwrap();
    assert_eq!(written.finish, Some(FinishReason::Cancelled));
    let coverage = written.coverage.unwrap();
    assert!(coverage.pages_read > 0 && coverage.pages_read < 30);
    assert!(written.text.contains("Part done."));
}

#[test]
fn nothing_readable_is_said_and_no_model_is_named() {
    let (written, _, _) = summarise(ParrotModel::new(), document("e.pdf", &[String::new()]));
    assert_eq!(written.unwrap_err().kind, FailureKind::NothingReadable);
    let without =
        summarise_without_model(&[document("r.pdf", &filler(2, 2))], &mut |_| {}).unwrap();
    assert_eq!(without.model, "none");
    assert_eq!(without.coverage.unwrap().tokens_read, 0);
    assert!(without.text.contains("Key points") && !without.notices.is_empty());
}

#[test]
fn a_summary_is_recognised_and_a_question_is_not() {
    let check = |question: &str, wanted: bool| {
        let said = asking(question, document("r.pdf", &filler(1, 1)));
        assert_eq!(asks_for_summary(&said), wanted, "{question}");
    };
    check("", true);
    check("Summarise this, please", true);
    check("总结一下这份文件", true);
    check("What does page 2 say?", false);
    assert!(!asks_for_summary(&[Said::user("summarise")]), "there is no document");
}
