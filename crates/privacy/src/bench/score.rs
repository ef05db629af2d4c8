//! Counting hits, misses and false alarms by type, exactly and by overlap.

use std::collections::BTreeMap;

use nearside_types::EntityType;
use serde::Serialize;

use super::cases::{Case, Half};

/// The overlap from which two spans are the same entity.
const SAME: f64 = 0.75;

/// Counts of one row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Labelled entities.
    pub labels: usize,
    /// Found with the right type and the same ends.
    pub exact: usize,
    /// Found with the right type and an overlap of at least 0.75.
    pub overlapping: usize,
    /// Wholly covered by findings that would be hidden, of whatever type: nothing of it leaves.
    pub hidden: usize,
    /// Findings that count here.
    pub findings: usize,
    /// Findings that overlap a label of their type by at least 0.75.
    pub right: usize,
    pub right_exact: usize,
}

/// One line of the report.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub half: Half,
    /// `en`, `zh`, another, or `all`.
    pub lang: String,
    /// A type, or a sum: `TIER_A`, `CHECKED` (checksummed and secret types), `OTHER_TIER_A` (the rest but people),
    /// `PRESIDIO_SYNTHETIC` by type, `PRESIDIO_BINARY` as Presidio's own evaluator counts (any type, touching
    /// spans as one), `WEAK`.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(flatten)]
    pub counts: Counts,
    pub recall: f64,
    pub precision: f64,
    pub recall_exact: f64,
    pub precision_exact: f64,
    pub hidden_share: f64,
}

#[derive(Default)]
pub(super) struct Table {
    counts: BTreeMap<(Half, String, String), Counts>,
}

/// Types that a checksum or an issuer's form settles.
pub(super) fn is_checked(kind: EntityType) -> bool {
    use EntityType as T;
    matches!(
        kind,
        T::Email
            | T::NationalId
            | T::BankCard
            | T::Ip
            | T::Mac
            | T::Crypto
            | T::Secret
            | T::BankAccount
    )
}

impl Table {
    pub(super) fn add(&mut self, case: &Case, found: &[(usize, usize, EntityType)]) {
        let half = case.half();
        let synthetic = case.source.contains("synth_dataset");
        let mut sums: Vec<(String, String, Counts)> = Vec::new();
        let mut note = |kind: EntityType, counts: Counts| {
            if case.weak {
                sums.push(("all".into(), "WEAK".into(), counts));
                return;
            }
            let mut keys = vec![kind.name().to_owned()];
            if kind.is_tier_a() {
                keys.push("TIER_A".into());
            }
            if is_checked(kind) {
                keys.push("CHECKED".into());
            }
            if kind.is_tier_a() && !is_checked(kind) && kind != EntityType::Person {
                keys.push("OTHER_TIER_A".into());
            }
            if synthetic {
                keys.push("PRESIDIO_SYNTHETIC".into());
            }
            for key in keys {
                sums.push((case.lang.clone(), key.clone(), counts));
                sums.push(("all".into(), key, counts));
            }
        };
        for label in &case.spans {
            let same_type = || found.iter().filter(|f| f.2 == label.kind);
            let exact = same_type().any(|f| f.0 == label.start && f.1 == label.end);
            let overlapping =
                same_type().any(|f| overlap(f.0, f.1, label.start, label.end) >= SAME);
            let covered = (label.start..label.end)
                .all(|i| found.iter().any(|f| f.2.is_tier_a() && f.0 <= i && i < f.1));
            note(
                label.kind,
                Counts {
                    labels: 1,
                    exact: usize::from(exact),
                    overlapping: usize::from(overlapping),
                    hidden: usize::from(covered),
                    ..Counts::default()
                },
            );
        }
        if !case.recall_only {
            for finding in found.iter().filter(|f| case.covers(f.2)) {
                let labels = || case.spans.iter().filter(|l| l.kind == finding.2);
                let right = labels().any(|l| overlap(finding.0, finding.1, l.start, l.end) >= SAME);
                let exact = labels().any(|l| finding.0 == l.start && finding.1 == l.end);
                note(
                    finding.2,
                    Counts {
                        findings: 1,
                        right: usize::from(right),
                        right_exact: usize::from(exact),
                        ..Counts::default()
                    },
                );
            }
        }
        if synthetic {
            let counts = binary(case, found);
            sums.push((case.lang.clone(), "PRESIDIO_BINARY".into(), counts));
            sums.push(("all".into(), "PRESIDIO_BINARY".into(), counts));
        }
        for (lang, kind, counts) in sums {
            let sum = self.counts.entry((half, lang, kind)).or_default();
            sum.labels += counts.labels;
            sum.exact += counts.exact;
            sum.overlapping += counts.overlapping;
            sum.hidden += counts.hidden;
            sum.findings += counts.findings;
            sum.right += counts.right;
            sum.right_exact += counts.right_exact;
        }
    }

    pub(super) fn rows(self) -> Vec<Row> {
        let share = |a: usize, b: usize| if b == 0 { 1.0 } else { a as f64 / b as f64 };
        self.counts
            .into_iter()
            .map(|((half, lang, kind), c)| Row {
                half,
                lang,
                kind,
                counts: c,
                recall: share(c.overlapping, c.labels),
                precision: share(c.right, c.findings),
                recall_exact: share(c.exact, c.labels),
                precision_exact: share(c.right_exact, c.findings),
                hidden_share: share(c.hidden, c.labels),
            })
            .collect()
    }
}

/// Counts without types, spans that only spaces and punctuation part being one.
fn binary(case: &Case, found: &[(usize, usize, EntityType)]) -> Counts {
    let text: Vec<char> = case.text.chars().collect();
    let merged = |mut spans: Vec<(usize, usize)>| {
        spans.sort_unstable();
        let mut whole: Vec<(usize, usize)> = Vec::new();
        for (start, end) in spans {
            let joined = whole.last_mut().filter(|last| {
                last.1 >= start
                    || text[last.1..start.min(text.len())].iter().all(|c| !c.is_alphanumeric())
            });
            match joined {
                Some(last) => last.1 = last.1.max(end),
                None => whole.push((start, end)),
            }
        }
        whole
    };
    let labels = merged(case.spans.iter().map(|l| (l.start, l.end)).collect());
    let findings = merged(found.iter().filter(|f| case.covers(f.2)).map(|f| (f.0, f.1)).collect());
    let same = |a: &(usize, usize), b: &(usize, usize)| overlap(a.0, a.1, b.0, b.1) >= SAME;
    Counts {
        labels: labels.len(),
        exact: labels.iter().filter(|l| findings.contains(l)).count(),
        overlapping: labels.iter().filter(|l| findings.iter().any(|f| same(l, f))).count(),
        hidden: 0,
        findings: findings.len(),
        right: findings.iter().filter(|f| labels.iter().any(|l| same(l, f))).count(),
        right_exact: findings.iter().filter(|f| labels.contains(f)).count(),
    }
}

/// Intersection over union.
fn overlap(a: usize, b: usize, c: usize, d: usize) -> f64 {
    let both = b.min(d).saturating_sub(a.max(c));
    let either = b.max(d) - a.min(c);
    if either == 0 { 0.0 } else { both as f64 / either as f64 }
}
