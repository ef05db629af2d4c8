//! What is known once it was found: a value is found again wherever it stands, in every text of the request and in
//! later turns, and names of one person get one number.

use std::collections::BTreeSet;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use nearside_types::{Action, EntityType, Ground};

use crate::alias::{Mention, aliases, telling_parts, varies};
use crate::error::{Error, Result};
use crate::overlap::Finding;
use crate::overrides::Overrides;
use crate::placeholder::Label;
use crate::policy::Policy;
use crate::pseudonym::PseudonymMap;
use crate::redact::Work;

/// Gives names of one person one number: where the user's list says so, or the texts themselves.
pub(crate) fn link(work: &[Work<'_>], overrides: &Overrides, map: &mut PseudonymMap) {
    for (kind, names) in &overrides.same {
        for pair in names.windows(2) {
            map.link(Label::Entity(*kind), &pair[0], &pair[1]);
        }
    }
    let known: Vec<String> =
        map.values().filter(|(kind, _)| varies(*kind)).map(|(_, value)| value.to_owned()).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let mut mentions = Vec::new();
    for w in work {
        for finding in w.findings.iter().filter(|f| varies(f.kind)) {
            let end = w.bytes.get(finding.range.end).map_or(w.text.len(), |b| *b as usize);
            mentions.push(Mention { value: w.slice(&finding.range), after: &w.text[end..] });
        }
    }
    for (one, other) in aliases(&mentions, &known) {
        map.link(Label::Entity(EntityType::Person), &one, &other);
    }
}

/// Finds the values that are already known, from other places of the request or from earlier turns, where
/// no rule found them.
pub(crate) fn spread(
    work: &mut [Work<'_>],
    policy: &Policy,
    overrides: &Overrides,
    map: &PseudonymMap,
) -> Result<()> {
    let mut values: BTreeSet<(String, EntityType)> = BTreeSet::new();
    for (kind, value) in map.values() {
        note(&mut values, kind, value);
    }
    for w in work.iter() {
        for finding in &w.findings {
            let value = w.slice(&finding.range);
            let kept = matches!(w.decide(finding, policy, overrides).0, Action::Keep);
            if !kept {
                note(&mut values, finding.kind, value);
            }
        }
    }
    if values.is_empty() {
        return Ok(());
    }
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        // Built for one request: the quickest to build, not the quickest to run.
        .kind(Some(AhoCorasickKind::NoncontiguousNFA))
        .build(values.iter().map(|(value, _)| value))
        .map_err(|e| Error::Detection(e.to_string()))?;
    let kinds: Vec<EntityType> = values.iter().map(|(_, kind)| *kind).collect();
    for w in work.iter_mut() {
        let found: Vec<(usize, usize, EntityType)> = automaton
            .find_iter(w.text)
            .filter(|m| stands_alone(w.text, m.range()))
            .filter_map(|m| Some((m.start(), m.end(), *kinds.get(m.pattern().as_usize())?)))
            .collect();
        for (start, end, kind) in found {
            let range = w.code_point(start)..w.code_point(end);
            w.add(Finding {
                range,
                kind,
                score: 80,
                ground: Ground::Repeated,
                why: "known_value: found elsewhere".to_owned(),
            });
        }
    }
    Ok(())
}

/// A value to look for elsewhere, and the parts of a full name that can stand for it.
fn note(values: &mut BTreeSet<(String, EntityType)>, kind: EntityType, value: &str) {
    if is_telling(kind, value) {
        values.insert((value.to_owned(), kind));
    }
    if varies(kind) {
        values.extend(telling_parts(value).map(|part| (part.to_owned(), kind)));
    }
}

/// Long enough to be the same thing wherever it stands.
fn is_telling(kind: EntityType, value: &str) -> bool {
    let count = value.chars().count();
    let han = value.chars().any(|c| matches!(c, '\u{4e00}'..='\u{9fff}'));
    match kind {
        EntityType::Person => (han && count >= 3) || (value.contains(' ') && count >= 6),
        EntityType::Secret => count >= 6,
        _ => kind.is_tier_a() && count >= 6,
    }
}

fn stands_alone(text: &str, range: Range<usize>) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let inner = &text[range.clone()];
    let first = inner.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
    let last = inner.chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric());
    let runs_in = first && word(text[..range.start].chars().next_back());
    let runs_on = last && word(text[range.end..].chars().next());
    !(runs_in || runs_on)
}
