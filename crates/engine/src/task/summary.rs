//! Summaries of whole documents: every page is read, in parts that fit the model; the parts' summaries are
//! merged in a tree; and the document's key sentences are kept beside the model's words, with their pages.
//!
//! The key sentences are quoted from the document (see `text::key_sentences`): small models lose names and
//! numbers in every merge, quotations do not. Coverage counts a page when all of it went through the model.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use nearside_types::{
    Cancel, ChatEvent, Coverage, Failure, FailureKind, FinishReason, GenerateOptions, Remark, Role,
    Stage, TextModel,
};

use super::local::{Step, add, generate, stopped};
use super::verified::{Verified, numbers};
use super::{Written, turn};
use crate::document::{Document, all_passages, coverage, names};
use crate::prompts;
use crate::text::{KeySentence, Passage, is_mostly_chinese, key_sentences};

/// Tokens of a part: a few seconds of prefill on a CPU, and short enough for a small model to keep in mind.
const PART: usize = 1800;
const PART_ANSWER: usize = 120;
const MERGED_ANSWER: usize = 220;
/// Key sentences handed to the model with a part.
const FACTS: usize = 6;

struct Plan {
    chinese: bool,
    passages: Vec<Passage>,
    keys: Vec<KeySentence>,
    /// Key sentences name pages by index into this list of (document, page).
    pages: Vec<(usize, u32)>,
    known: BTreeSet<String>,
    names: Vec<nearside_types::UserText>,
    coverage: Coverage,
}

fn plan(documents: &[Document]) -> Result<Plan, Failure> {
    let passages = all_passages(documents, 700);
    if passages.is_empty() {
        return Err(nothing_readable());
    }
    let mut pages: Vec<(usize, u32)> = Vec::new();
    let mut texts: Vec<&str> = Vec::new();
    for (index, document) in documents.iter().enumerate() {
        for page in &document.extracted.pages {
            pages.push((index, page.page));
            texts.push(&page.text);
        }
    }
    let sample: String = texts.iter().flat_map(|text| text.chars().take(500)).take(5000).collect();
    Ok(Plan {
        chinese: is_mostly_chinese(&sample),
        keys: key_sentences(&texts, (pages.len() * 2).clamp(5, 30)),
        known: texts.iter().flat_map(|text| numbers(text)).collect(),
        names: names(documents),
        coverage: coverage(documents),
        passages,
        pages,
    })
}

/// The failure when no file has text: exit status 4 of the command line.
pub(crate) fn nothing_readable() -> Failure {
    Failure::coded(
        FailureKind::NothingReadable,
        "nothing_readable",
        "Nothing in these files could be read; `nearside extract FILE` says why for each.",
    )
}

/// Summarises with a model.
///
/// # Errors
/// `NothingReadable`, or what the model failed with before it wrote anything.
pub(crate) fn summarise(
    model: &mut dyn TextModel,
    documents: &[Document],
    options: &GenerateOptions,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(ChatEvent),
) -> Result<Written, Failure> {
    let mut plan = plan(documents)?;
    let mut written = Written {
        model: model.name().to_owned(),
        device: model.device().to_owned(),
        coverage: Some(plan.coverage),
        ..Written::default()
    };
    let parts = parts(&plan, model);
    let options = GenerateOptions { repetition_penalty: 1.1, ..options.clone() };
    let total = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    let mut level: Vec<String> = Vec::new();
    for (done, part) in (0_u32..).zip(&parts) {
        on_event(ChatEvent::Progress { stage: Stage::SummarisingPart, done, total });
        let (text, tokens) = part_text(&plan, part, model);
        let prompt = prompts::summarise_part(plan.chinese, &text, &facts(&plan, part));
        let only = parts.len() == 1;
        let limit = if only { MERGED_ANSWER } else { PART_ANSWER };
        let outcome = write(
            model,
            &prompt,
            limit,
            &options,
            cancel,
            &plan.known,
            only,
            on_event,
            &mut written,
        );
        let Some(summary) = outcome? else {
            return Ok(broken_off(written, &plan, level, on_event));
        };
        plan.coverage.tokens_read += tokens;
        plan.coverage.pages_read = pages_done(&plan, part.end);
        written.coverage = Some(plan.coverage);
        on_event(ChatEvent::Coverage { coverage: plan.coverage });
        level.push(summary);
    }
    on_event(ChatEvent::Progress { stage: Stage::SummarisingPart, done: total, total });
    while level.len() > 1 {
        let groups = groups(&level, model);
        let last = groups.len() == 1;
        let mut next = Vec::new();
        let count = u32::try_from(groups.len()).unwrap_or(u32::MAX);
        for (done, group) in (0_u32..).zip(groups) {
            on_event(ChatEvent::Progress { stage: Stage::Merging, done, total: count });
            let prompt = prompts::merge(plan.chinese, &group.join("\n\n"));
            let outcome = write(
                model,
                &prompt,
                MERGED_ANSWER,
                &options,
                cancel,
                &plan.known,
                last,
                on_event,
                &mut written,
            );
            let Some(summary) = outcome? else {
                return Ok(broken_off(written, &plan, level, on_event));
            };
            next.push(summary);
        }
        level = next;
    }
    let overview = level.pop().unwrap_or_default();
    written.text = overview;
    let tail = key_points(&plan, !written.text.is_empty());
    on_event(ChatEvent::Text { text: tail.as_str().into() });
    written.text.push_str(&tail);
    written.finish = Some(FinishReason::Stop);
    Ok(written)
}

/// The key sentences alone, for a machine that has no model yet.
///
/// # Errors
/// `NothingReadable`.
pub(crate) fn summarise_without_model(
    documents: &[Document],
    on_event: &mut dyn FnMut(ChatEvent),
) -> Result<Written, Failure> {
    let plan = plan(documents)?;
    let text = key_points(&plan, false);
    on_event(ChatEvent::Text { text: text.as_str().into() });
    Ok(Written {
        text,
        model: "none".to_owned(),
        device: "cpu".to_owned(),
        coverage: Some(plan.coverage),
        finish: Some(FinishReason::Stop),
        notices: vec![Remark::WithoutModel.into()],
        ..Written::default()
    })
}

/// Ranges of passages that go to the model together.
fn parts(plan: &Plan, model: &dyn TextModel) -> Vec<std::ops::Range<usize>> {
    let room = PART.min(model.context_length() / 2).max(64);
    let mut out = Vec::new();
    let (mut start, mut tokens) = (0, 0);
    for (index, passage) in plan.passages.iter().enumerate() {
        let size = model.count_tokens(&passage.text) + 8;
        if index > start && tokens + size > room {
            out.push(start..index);
            (start, tokens) = (index, 0);
        }
        tokens += size;
    }
    out.push(start..plan.passages.len());
    out
}

/// The text of a part as the model gets it, and its tokens.
fn part_text(plan: &Plan, part: &std::ops::Range<usize>, model: &dyn TextModel) -> (String, u64) {
    let mut text = String::new();
    let room = model.context_length() * 6 / 10;
    let mut tokens = 0;
    for passage in &plan.passages[part.clone()] {
        // A passage longer than the model is cut; the part then does not count the rest.
        let mut piece = passage.text.as_str();
        while model.count_tokens(piece) > room {
            let half = piece.chars().count() / 2;
            piece = piece.char_indices().nth(half).map_or("", |(at, _)| &piece[..at]);
        }
        tokens += model.count_tokens(piece) as u64;
        text.push_str(piece);
        text.push('\n');
    }
    (text, tokens)
}

fn facts(plan: &Plan, part: &std::ops::Range<usize>) -> String {
    let here: BTreeSet<(usize, u32)> =
        plan.passages[part.clone()].iter().map(|p| (p.document, p.page)).collect();
    let mut keys: Vec<&KeySentence> =
        plan.keys.iter().filter(|key| here.contains(&plan.pages[key.page])).collect();
    keys.sort_by(|a, b| b.score.total_cmp(&a.score));
    keys.truncate(FACTS);
    keys.iter().map(|key| format!("- {}", key.text)).collect::<Vec<_>>().join("\n")
}

/// Pages of which every passage lies before `end`.
fn pages_done(plan: &Plan, end: usize) -> u32 {
    let rest: BTreeSet<(usize, u32)> =
        plan.passages[end..].iter().map(|p| (p.document, p.page)).collect();
    let done = plan.pages.iter().filter(|page| !rest.contains(page)).count();
    u32::try_from(done).unwrap_or(u32::MAX)
}

/// Summaries that fit into one merge, at least two of them.
fn groups(level: &[String], model: &dyn TextModel) -> Vec<Vec<String>> {
    let room = PART.min(model.context_length() / 2);
    let mut out: Vec<Vec<String>> = Vec::new();
    let mut tokens = 0;
    for summary in level {
        let size = model.count_tokens(summary) + 4;
        match out.last_mut() {
            Some(group) if group.len() < 2 || tokens + size <= room => {
                group.push(summary.clone());
                tokens += size;
            }
            _ => {
                out.push(vec![summary.clone()]);
                tokens = size;
            }
        }
    }
    out
}

/// One generation, sentence by sentence through `Verified`. `None` when it was stopped or broke off.
#[expect(clippy::too_many_arguments, reason = "one call of a loop, private to this file")]
fn write(
    model: &mut dyn TextModel,
    prompt: &str,
    limit: usize,
    options: &GenerateOptions,
    cancel: &Cancel,
    known: &BTreeSet<String>,
    show: bool,
    on_event: &mut dyn FnMut(ChatEvent),
    written: &mut Written,
) -> Result<Option<String>, Failure> {
    let turns = [turn(Role::User, prompt)];
    let options = GenerateOptions { max_tokens: limit, ..options.clone() };
    let mut verified = Verified::new(known);
    let mut shown = String::new();
    let run = generate(model, &turns, &options, cancel, &mut |step| {
        if let Step::Text(piece) = step {
            let text = verified.push(piece);
            if show && !text.is_empty() {
                shown.push_str(&text);
                on_event(ChatEvent::Text { text: text.into() });
            }
        }
    });
    let complete = run.end.as_ref().is_ok_and(|generation| generation.finish == FinishReason::Stop);
    let rest = verified.finish(complete);
    if show && !rest.is_empty() {
        on_event(ChatEvent::Text { text: rest.into() });
    }
    if show {
        written.notices.extend(verified.notice());
        verified.text.clone_into(&mut written.text);
    }
    match run.end {
        Ok(generation) => {
            add(written, &generation);
            Ok((!stopped(&generation)).then_some(verified.text))
        }
        Err(failure) if failure.kind == FailureKind::Cancelled => {
            written.finish = Some(FinishReason::Cancelled);
            Ok(None)
        }
        Err(failure) if written.text.is_empty() && written.tokens.prompt == 0 => Err(failure),
        Err(failure) => {
            written.failure = Some(failure);
            Ok(None)
        }
    }
}

/// Keeps what there is when the work was stopped: finished parts, unless a merge already showed its text.
fn broken_off(
    mut written: Written,
    plan: &Plan,
    level: Vec<String>,
    on_event: &mut dyn FnMut(ChatEvent),
) -> Written {
    if written.text.is_empty() && !level.is_empty() {
        written.text = level.join("\n\n");
        on_event(ChatEvent::Text { text: written.text.as_str().into() });
    }
    let (read, total) = (plan.coverage.pages_read.into(), plan.coverage.pages_total.into());
    written.notices.push(Remark::SummaryUnfinished { read, total }.into());
    written
}

fn key_points(plan: &Plan, after_overview: bool) -> String {
    let mut out = String::new();
    if plan.keys.is_empty() {
        return out;
    }
    if after_overview {
        out.push_str("\n\n");
    }
    let _ = writeln!(out, "**{}**\n", prompts::key_points(plan.chinese));
    for key in &plan.keys {
        let (document, page) = plan.pages[key.page];
        let name = plan.names.get(document).filter(|_| plan.names.len() > 1).map(|name| &**name);
        let _ = writeln!(out, "- {} {}", key.text, prompts::page_mark(plan.chinese, name, page));
    }
    out.truncate(out.trim_end().len());
    out
}
