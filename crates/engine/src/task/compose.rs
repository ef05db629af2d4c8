//! Composing a prompt from turns and documents: whole documents where they fit, else the passages nearest
//! to the question, each labelled with its file and page.
//!
//! Whole documents stand in the turn with which they were dropped, so that the beginning of the prompt is
//! the same for every later question and stays in the model's cache.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use nearside_types::{Coverage, Notice, Remark, Role, Turn};

use super::{Said, documents, question, turn};
use crate::document::{all_passages, coverage, names};
use crate::prompts;
use crate::text::{Passage, is_mostly_chinese, rank};

/// Characters of a passage: about a paragraph.
const PASSAGE: usize = 500;
/// Tokens up to which a whole document is read for any question: a few seconds on a CPU.
const WHOLE: usize = 3000;
/// Tokens of passages when the whole does not fit.
const BEST: usize = 1600;
/// From this size on, the nearest passages are repeated beside the question, because small models lose
/// what stands far from it.
const REPEAT_FROM: usize = 700;
const REPEAT: usize = 350;

/// Turns for a model, and what of the documents is in them.
pub(crate) struct Composed {
    pub(crate) turns: Vec<Turn>,
    pub(crate) given: Vec<Passage>,
    pub(crate) coverage: Option<Coverage>,
    pub(crate) notices: Vec<Notice>,
}

/// Composes for a model with `context` tokens; `count` counts the tokens of a text.
pub(crate) fn compose(said: &[Said], context: usize, count: &dyn Fn(&str) -> usize) -> Composed {
    let all = documents(said);
    if !all.iter().any(crate::document::Document::is_readable) {
        let mut turns = vec![turn(Role::System, prompts::ASSISTANT)];
        turns.extend(said.iter().map(|s| turn(s.role, s.content.clone())));
        return Composed { turns, given: Vec::new(), coverage: None, notices: Vec::new() };
    }
    let asked = question(said);
    let names = names(&all);
    let passages = all_passages(&all, PASSAGE);
    let sizes: Vec<usize> = passages.iter().map(|p| count(&p.text) + 8).collect();
    let total: usize = sizes.iter().sum();
    let room = if wants_everything(asked) { context * 7 / 10 } else { WHOLE.min(context * 6 / 10) };
    let ranked = rank(asked, &passages);
    let chinese = is_mostly_chinese(asked)
        || (asked.trim().is_empty() && is_mostly_chinese(&passages[0].text));
    let label = |indexes: &[usize]| labelled(indexes, &passages, &names);
    let last_user = said.iter().rposition(|s| s.role == Role::User).unwrap_or(0);

    let mut notices = Vec::new();
    let whole = total <= room;
    let near = if whole {
        if total < REPEAT_FROM { Vec::new() } else { take(&ranked, &sizes, REPEAT) }
    } else {
        let best = take(&ranked, &sizes, BEST.min(context / 2));
        // A question without a word of the document: its beginning says most about it.
        if best.is_empty() {
            take(&(0..passages.len()).collect::<Vec<_>>(), &sizes, BEST.min(context / 2))
        } else {
            best
        }
    };
    let given_indexes: Vec<usize> =
        if whole { (0..passages.len()).collect() } else { near.clone() };
    if !whole {
        let (near, passages) = (near.len() as u64, passages.len() as u64);
        notices.push(Remark::NearestPassages { near, passages }.into());
    }

    let mut turns = vec![turn(Role::System, prompts::READER)];
    let mut first_document = 0;
    for (index, said) in said.iter().enumerate() {
        let mut content = String::new();
        if whole && said.documents.iter().any(crate::document::Document::is_readable) {
            let held = first_document..first_document + said.documents.len();
            let mine: Vec<usize> =
                (0..passages.len()).filter(|&i| held.contains(&passages[i].document)).collect();
            let _ = write!(content, "{}\n{}\n", prompts::documents_head(chinese), label(&mine));
        }
        first_document += said.documents.len();
        if index == last_user && !near.is_empty() {
            let _ = write!(content, "{}\n{}\n", prompts::excerpts_head(chinese), label(&near));
        }
        if content.is_empty() {
            content.push_str(&said.content);
        } else {
            content.push_str(&prompts::question(chinese, &said.content));
        }
        turns.push(turn(said.role, content));
    }

    let given: Vec<Passage> = given_indexes.iter().map(|&i| passages[i].clone()).collect();
    let pages: BTreeSet<(usize, u32)> = given.iter().map(|p| (p.document, p.page)).collect();
    let mut coverage = coverage(&all);
    coverage.pages_read =
        if whole { coverage.pages_total } else { u32::try_from(pages.len()).unwrap_or(u32::MAX) };
    coverage.tokens_read = given.iter().map(|p| count(&p.text) as u64).sum();
    Composed { turns, given, coverage: Some(coverage), notices }
}

/// Turns for a far model, whose tokenizer is not here: three characters count as a token.
pub(crate) fn far_turns(said: &[Said], context: usize) -> Composed {
    compose(said, context, &|text| text.chars().count().div_ceil(3))
}

/// Counting and listing need all of a document, not the nearest passages.
fn wants_everything(question: &str) -> bool {
    const WORDS: [&str; 12] = [
        "how many",
        "count",
        "list all",
        "list every",
        "all the",
        "every ",
        "多少个",
        "几个",
        "几次",
        "列出",
        "所有",
        "全部",
    ];
    let lower = question.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

/// The best of `ranked` that fit into `room` tokens, in reading order.
fn take(ranked: &[usize], sizes: &[usize], room: usize) -> Vec<usize> {
    let mut left = room;
    let mut chosen = Vec::new();
    for &index in ranked {
        if sizes[index] <= left {
            left -= sizes[index];
            chosen.push(index);
        } else if chosen.is_empty() {
            // One passage is always given, even a long one.
            chosen.push(index);
            break;
        }
    }
    chosen.sort_unstable();
    chosen
}

/// `[file p.N]` before the text of each page.
fn labelled(indexes: &[usize], passages: &[Passage], names: &[nearside_types::UserText]) -> String {
    let mut out = String::new();
    let mut last = None;
    for &index in indexes {
        let passage = &passages[index];
        let here = (passage.document, passage.page);
        if last != Some(here) {
            let name = names.get(passage.document).map_or("", |name| &**name);
            let _ = writeln!(out, "[{name} p.{}]", passage.page);
            last = Some(here);
        }
        let _ = writeln!(out, "{}", passage.text);
    }
    out
}
