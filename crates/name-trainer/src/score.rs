//! Exact spans found, missed and invented, by kind.

use anyhow::Result;
use half::f16;
use nearside_inference::names::{KINDS, NameHead, TAGS, Tag, Transitions};

use crate::features::Example;
use crate::sentence::Labelled;

/// Precision, recall and F1 of each kind, in the order of `KINDS`.
pub(crate) fn score(
    head: &NameHead,
    transitions: &Transitions,
    examples: &[&Example],
) -> Result<[(f64, f64, f64); KINDS.len()]> {
    let mut counts = [(0_u32, 0_u32, 0_u32); KINDS.len()];
    for batch in examples.chunks(32) {
        let features = batch.iter().flat_map(|e| e.features.iter().map(|x| f16::to_f32(*x)));
        let lengths: Vec<usize> = batch.iter().map(|example| example.tags.len()).collect();
        let emissions = head.emissions(features.collect(), &lengths)?;
        let mut start = 0;
        for example in batch {
            let end = start + example.tags.len();
            let found =
                spans(&transitions.best(&emissions[start * TAGS..end * TAGS]), &example.places);
            start = end;
            for (kind, (right, labels, findings)) in counts.iter_mut().enumerate() {
                let of =
                    |spans: &[Labelled]| spans.iter().filter(|s| s.kind == kind).count() as u32;
                *labels += of(&example.names);
                *findings += of(&found);
                let hits = found.iter().filter(|f| f.kind == kind && example.names.contains(f));
                *right += hits.count() as u32;
            }
        }
    }
    Ok(counts.map(|(right, labels, findings)| {
        let (right, labels, findings) = (f64::from(right), f64::from(labels), f64::from(findings));
        (
            right / findings.max(1.0),
            right / labels.max(1.0),
            2.0 * right / (labels + findings).max(1.0),
        )
    }))
}

fn spans(tags: &[Tag], places: &[(u32, u32)]) -> Vec<Labelled> {
    let mut spans: Vec<Labelled> = Vec::new();
    for (tag, (start, end)) in tags.iter().zip(places) {
        let (start, end) = (*start as usize, *end as usize);
        match tag {
            Tag::Begins(kind) => spans.push(Labelled { start, end, kind: *kind }),
            Tag::Inside(_) => {
                if let Some(last) = spans.last_mut() {
                    last.end = end;
                }
            }
            Tag::Outside => {}
        }
    }
    spans
}
