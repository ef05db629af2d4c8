//! What the first stage before the name model costs and misses: sentences and characters that it picks, and
//! labelled names in sentences that it leaves out.

use std::collections::BTreeMap;

use nearside_types::EntityType;
use serde::Serialize;

use super::cases::Case;
use crate::first_stage::may_name;
use crate::sentence::split;

/// Sums over the cases of one language.
#[derive(Debug, Clone, Default, Serialize)]
pub struct FirstStageRow {
    pub lang: String,
    pub sentences: usize,
    pub picked: usize,
    pub characters: usize,
    pub characters_picked: usize,
    /// Labelled people, organisations and places.
    pub names: usize,
    /// Of them, those the model would never read, by type.
    pub missed: BTreeMap<String, usize>,
}

pub(super) fn rows(cases: &[Case]) -> Vec<FirstStageRow> {
    let mut rows: BTreeMap<String, FirstStageRow> = BTreeMap::new();
    for case in cases {
        let lang =
            if ["en", "zh"].contains(&case.lang.as_str()) { case.lang.as_str() } else { "other" };
        let row = rows.entry(lang.to_owned()).or_default();
        row.lang = lang.to_owned();
        let names: Vec<_> = case
            .spans
            .iter()
            .filter(|s| {
                matches!(s.kind, EntityType::Person | EntityType::Org | EntityType::Location)
            })
            .collect();
        row.names += names.len();
        for sentence in split(&case.text) {
            let part = &case.text[sentence.bytes.clone()];
            let length = part.chars().count();
            let end = sentence.first + length;
            row.sentences += 1;
            row.characters += length;
            if may_name(part) {
                row.picked += 1;
                row.characters_picked += length;
                continue;
            }
            for name in names.iter().filter(|n| sentence.first <= n.start && n.start < end) {
                *row.missed.entry(name.kind.name().to_owned()).or_default() += 1;
            }
        }
    }
    rows.into_values().collect()
}
