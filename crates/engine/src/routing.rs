//! The facts on which the router decides, gathered from a task, the settings and what is installed. The
//! deciding is the router's.

use std::collections::BTreeMap;

use nearside_privacy::{Policy, PseudonymMap};
use nearside_router::{
    CloudModel, DeviceFacts, Features, LocalModel, PolicyFacts, Request, TaskKind, decide as route,
};
use nearside_types::{Decision, EntityCount, EntityType, Settings};

use crate::document::Document;
use crate::task::{Said, TaskOptions, documents, question};

/// Tokens that every model of the catalog reads.
pub const CONTEXT: u64 = 8192;
/// Tokens of documents that a question takes at most: longer ones are read in part.
const READ: u64 = 3000;
/// Bytes of a 4-bit file for a million parameters, tables included.
const BYTES_PER_MILLION: u64 = 700_000;
/// Code points of documents that are looked through for the decision; the gate looks at all that leaves.
const LOOKED_AT: usize = 200_000;

/// Where a task runs, and what was ruled out. `model` is the local one with its size in bytes.
pub(crate) fn decide(
    said: &[Said],
    summary: bool,
    options: &TaskOptions,
    settings: &Settings,
    model: Option<(String, Option<u64>)>,
) -> Decision {
    let asked = question(said);
    let held = documents(said);
    let in_documents: u64 = held.iter().map(tokens_of).sum();
    let task = match (held.is_empty(), summary) {
        (false, true) => TaskKind::Summarize,
        (false, false) => TaskKind::AskFiles,
        _ => TaskKind::Chat,
    };
    let read = if summary { in_documents } else { in_documents.min(READ) };
    let request = Request {
        choice: options.route,
        task,
        prompt_tokens: estimate(asked) + read,
        answer_tokens: options.max_tokens as u64,
        entities: entities(asked, &held),
        features: Features::of(asked),
    };
    let device = DeviceFacts {
        model: model.map(|(name, size)| LocalModel {
            name,
            context_length: CONTEXT,
            parameters_millions: size.map_or(1000, |bytes| bytes / BYTES_PER_MILLION),
        }),
        // Not asked beforehand: a network that is down is said by the request itself.
        online: true,
        battery: None,
    };
    let provider = options.provider.as_ref().or(settings.provider.as_ref());
    let policy = PolicyFacts {
        local_only: settings.local_only,
        cloud: provider.map(|provider| CloudModel {
            name: provider.model.clone(),
            context_length: u64::from(provider.context_length),
        }),
        never: Vec::new(),
        joint: Vec::new(),
    };
    route(&request, &device, &policy)
}

/// About four Latin letters or one and a half Chinese characters make a token.
pub(crate) fn estimate(text: &str) -> u64 {
    let wide = text.chars().filter(|c| !c.is_ascii()).count() as u64;
    let ascii = text.chars().count() as u64 - wide;
    ascii / 4 + wide * 2 / 3 + 1
}

/// About how many tokens a document's text makes.
pub(crate) fn tokens_of(document: &Document) -> u64 {
    document.extracted.pages.iter().map(|page| estimate(&page.text)).sum()
}

/// About how many tokens turns make with their documents.
pub(crate) fn tokens_said(said: &[Said]) -> u64 {
    let of =
        |turn: &Said| estimate(&turn.content) + turn.documents.iter().map(tokens_of).sum::<u64>();
    said.iter().map(of).sum()
}

/// What would have to be masked, by type. Where detection fails the gate will refuse by itself.
fn entities(asked: &str, documents: &[Document]) -> Vec<EntityCount> {
    let mut text = asked.to_owned();
    for page in documents.iter().flat_map(|document| &document.extracted.pages) {
        let left = LOOKED_AT.saturating_sub(text.len());
        text.push('\n');
        text.extend(page.text.chars().take(left));
    }
    let found = nearside_privacy::redact(&text, &Policy::default(), &mut PseudonymMap::new());
    let mut counts: BTreeMap<EntityType, usize> = BTreeMap::new();
    for span in found.map(|found| found.spans).unwrap_or_default() {
        *counts.entry(span.kind).or_default() += 1;
    }
    counts.into_iter().map(|(kind, count)| EntityCount { kind, count }).collect()
}

#[cfg(test)]
mod tests {
    use super::estimate;

    #[test]
    fn tokens_are_estimated_as_the_window_does() {
        // The same values as in ui/src/features/chat/chats.test.ts.
        for (text, tokens) in
            [("abcd", 2), ("abcdefgh", 3), ("你好", 2), ("你好世界吗啊", 5), ("😀", 1)]
        {
            assert_eq!(estimate(text), tokens, "{text}");
        }
    }
}
