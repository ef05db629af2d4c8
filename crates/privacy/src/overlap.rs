//! Findings that overlap: which one stands, and why the other does not; and findings that are parts of one. Pure.

use std::ops::Range;

use nearside_types::{EntityType, Ground};

/// Something found, in code points of the original.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) range: Range<usize>,
    pub(crate) kind: EntityType,
    pub(crate) score: u8,
    pub(crate) ground: Ground,
    /// `recognizer: what convinced it`.
    pub(crate) why: String,
}

/// A finding that gave way. It holds no content, only places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    pub kind: EntityType,
    pub start: usize,
    pub end: usize,
    pub reason: String,
}

/// Keeps one finding for each stretch of text.
///
/// The one with the higher score stands; a finding that contains another gets a small advantage, because
/// hiding more is the safer error. Where two only partly overlap, the stronger one grows over both, so that
/// no rest of the weaker one leaves.
pub(crate) fn resolve(mut findings: Vec<Finding>) -> (Vec<Finding>, Vec<Dropped>) {
    findings.sort_by(|a, b| {
        strength(b)
            .cmp(&strength(a))
            .then(a.range.start.cmp(&b.range.start))
            .then(a.kind.cmp(&b.kind))
            .then(a.why.cmp(&b.why))
    });
    let mut kept: std::collections::BTreeMap<usize, Finding> = std::collections::BTreeMap::new();
    let mut dropped = Vec::new();
    for finding in findings {
        if finding.range.is_empty() {
            continue;
        }
        let rivals: Vec<usize> = kept
            .range(..finding.range.end)
            .rev()
            .take_while(|(_, k)| k.range.end > finding.range.start)
            .map(|(start, _)| *start)
            .collect();
        let Some(&first) = rivals.last() else {
            kept.insert(finding.range.start, finding);
            continue;
        };
        if rivals.len() > 1 {
            span_over(&mut kept, &rivals, finding, &mut dropped);
            continue;
        }
        let Some(mut winner) = kept.remove(&first) else { continue };
        let inside =
            finding.range.start >= winner.range.start && finding.range.end <= winner.range.end;
        if !inside && finding.kind.is_tier_a() && winner.kind.is_tier_a() {
            winner.range.start = winner.range.start.min(finding.range.start);
            winner.range.end = winner.range.end.max(finding.range.end);
        }
        dropped
            .push(drop_of(&finding, &format!("overlaps {}, which is surer", winner.kind.name())));
        if winner.kind != finding.kind
            && finding.kind.is_tier_a()
            && !winner.why.contains("; also like")
        {
            winner.why.push_str("; also like ");
            winner.why.push_str(finding.kind.name());
        }
        kept.insert(winner.range.start, winner);
    }
    (kept.into_values().collect(), dropped)
}

/// A finding over several stronger ones: it swallows them when it holds them whole (an address with a
/// number in it), otherwise it keeps the gaps between them, so that no rest of it leaves.
fn span_over(
    kept: &mut std::collections::BTreeMap<usize, Finding>,
    rivals: &[usize],
    finding: Finding,
    dropped: &mut Vec<Dropped>,
) {
    if !finding.kind.is_tier_a() {
        dropped.push(drop_of(&finding, "spans several surer findings"));
        return;
    }
    let holds =
        |k: &Finding| finding.range.start <= k.range.start && k.range.end <= finding.range.end;
    if rivals.iter().all(|start| kept.get(start).is_some_and(holds)) {
        for start in rivals {
            if let Some(swallowed) = kept.remove(start) {
                let reason = format!("is a part of {}", finding.kind.name());
                dropped.push(drop_of(&swallowed, &reason));
            }
        }
        kept.insert(finding.range.start, finding);
        return;
    }
    let mut at = finding.range.start;
    let mut gaps = Vec::new();
    for start in rivals.iter().rev() {
        if let Some(rival) = kept.get(start) {
            gaps.push(at..rival.range.start.max(at));
            at = at.max(rival.range.end);
        }
    }
    gaps.push(at..finding.range.end.max(at));
    for gap in gaps.into_iter().filter(|g| g.len() > 1) {
        kept.insert(gap.start, Finding { range: gap, ..finding.clone() });
    }
    dropped.push(drop_of(&finding, "keeps only the gaps between surer findings"));
}

/// Parts of an address that only a space, a comma or a line parts are one address.
pub(crate) fn join_addresses(text: &str, findings: Vec<Finding>) -> Vec<Finding> {
    let mut joined: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        let part = matches!(finding.kind, EntityType::Address | EntityType::Postcode);
        let last = joined.last_mut().filter(|last| {
            let gap = last.range.end..finding.range.start;
            part && last.kind == EntityType::Address
                && (1..=4).contains(&gap.len())
                && text
                    .chars()
                    .skip(gap.start)
                    .take(gap.len())
                    .all(|c| matches!(c, ' ' | ',' | '.' | '\n' | '?'))
        });
        match last {
            Some(last) => last.range.end = finding.range.end,
            None => joined.push(finding),
        }
    }
    joined
}

fn strength(finding: &Finding) -> (u32, usize) {
    let length = finding.range.len();
    // Eight code points more weigh as one point of score, at most ten.
    let bonus = u32::try_from(length / 8).unwrap_or(10).min(10);
    // A place inside an address must not save the address from being hidden.
    let tier = if finding.kind.is_tier_a() { 20 } else { 0 };
    (u32::from(finding.score) + bonus + tier, length)
}

fn drop_of(finding: &Finding, reason: &str) -> Dropped {
    Dropped {
        kind: finding.kind,
        start: finding.range.start,
        end: finding.range.end,
        reason: format!("{}: {reason}", finding.why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(range: Range<usize>, kind: EntityType, score: u8) -> Finding {
        Finding { range, kind, score, ground: Ground::Shape, why: "test: shape".to_owned() }
    }

    #[test]
    fn the_surer_one_stands_and_grows() {
        let (kept, dropped) = resolve(vec![
            finding(0..10, EntityType::Phone, 60),
            finding(5..15, EntityType::BankCard, 95),
            finding(20..30, EntityType::Url, 60),
            finding(22..28, EntityType::Secret, 90),
        ]);
        let places: Vec<_> = kept.iter().map(|f| (f.range.clone(), f.kind)).collect();
        assert_eq!(places, vec![(0..15, EntityType::BankCard), (22..28, EntityType::Secret)]);
        assert_eq!(dropped.len(), 2);
        assert!(dropped.iter().all(|d| d.reason.contains("surer")));
    }

    #[test]
    fn growing_never_makes_two_overlap() {
        for seed in 0..200_usize {
            let findings = (0..12)
                .map(|i| {
                    let start = (seed * 7 + i * 13) % 40;
                    let length = 1 + (seed + i * 5) % 9;
                    let kind = EntityType::ALL[(seed + i) % EntityType::ALL.len()];
                    finding(start..start + length, kind, 50 + ((seed * i) % 50) as u8)
                })
                .collect();
            let (kept, _) = resolve(findings);
            assert!(kept.windows(2).all(|w| w[0].range.end <= w[1].range.start), "seed {seed}");
        }
    }
}
