//! Measures redaction on the public sets: recall and precision by type, hard negatives kept, time for 4 KB.
//!
//! Spans are scored exactly and by overlap (intersection over union of at least 0.75). A case's `scope` says
//! which types its labels cover: other predictions are ignored there. Cases marked `recall_only` count no
//! extra predictions, `weak` ones are scored apart. Cases are split by template group into a tuning and a test
//! half, by a hash of the group's name, so that nobody chooses the halves. It reads files; it prints nothing.

mod cases;
mod first_stage;
mod score;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use nearside_types::{EntityType, NameModel};
use serde::Serialize;

pub use cases::{Case, Half, HardNegative, Label};
pub use first_stage::FirstStageRow;
pub use score::{Counts, Row};

use crate::detect::Detector;
use crate::error::Result;
use crate::overrides::Overrides;
use crate::policy::Policy;
use crate::pseudonym::PseudonymMap;
use crate::redact::redact_all;
use score::Table;

/// Runs that compile the patterns and are not counted.
const WARM: usize = 3;
const PROSE: &str = "Please go through the notes below and write a short summary for the team. The first part describes how the \
work was planned, which steps took longer than expected, and what we would change the next time. The second part lists open \
questions; answer those that follow from the text and say clearly which do not. Keep the tone friendly and avoid jargon.\n";
const PROSE_ZH: &str = "请阅读下面的记录，给团队写一段简短的总结。第一部分说明工作是怎样安排的，哪些步骤比预期更慢，下一次应该怎样改进。\
第二部分列出还没有解决的问题，能从文中得出答案的请直接回答，不能的请说明原因。语气友好一些，不要使用术语。\n";

/// What `bench redact` prints.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// By half, language and type; then sums.
    pub rows: Vec<Row>,
    pub hard_negatives: Vec<KeptRow>,
    /// What the stage before the name model picks and misses.
    pub first_stage: Vec<FirstStageRow>,
    pub latency: Vec<LatencyRow>,
}

/// Hard negatives of one expectation and language.
#[derive(Debug, Clone, Serialize)]
pub struct KeptRow {
    pub expect: String,
    pub lang: String,
    pub cases: usize,
    /// Cases that would reach the cloud unchanged under the balanced policy.
    pub kept: usize,
    pub share: f64,
}

/// Time for one text of about 4 KB.
#[derive(Debug, Clone, Serialize)]
pub struct LatencyRow {
    pub text: String,
    pub bytes: usize,
    pub runs: usize,
    pub fastest_ms: f64,
    pub median_ms: f64,
    pub p99_ms: f64,
}

/// Runs the whole benchmark with the built-in rules.
///
/// # Errors
/// When a file cannot be read, or detection fails.
pub fn bench_redact(public: &Path, hard_negatives: &Path) -> Result<Report> {
    bench_redact_with(public, hard_negatives, None)
}

/// Runs the whole benchmark with the built-in rules and, where there is one, a model for names.
///
/// # Errors
/// When a file cannot be read, or detection fails.
pub fn bench_redact_with(
    public: &Path,
    hard_negatives: &Path,
    names: Option<Arc<dyn NameModel>>,
) -> Result<Report> {
    let detector = Detector::new(names)?;
    let cases: Vec<Case> = cases::read(public)?;
    let negatives: Vec<HardNegative> = cases::read(hard_negatives)?;
    let mut table = Table::default();
    for case in &cases {
        let found = predictions(&detector, &case.text)?;
        table.add(case, &found);
    }
    Ok(Report {
        rows: table.rows(),
        hard_negatives: kept_rows(&detector, &negatives)?,
        first_stage: first_stage::rows(&cases),
        latency: latency(&detector, &cases, 100)?,
    })
}

/// The places found in a text, all types, as `redact` lists them: kept ones too.
///
/// # Errors
/// When detection fails.
pub fn predictions(detector: &Detector, text: &str) -> Result<Vec<(usize, usize, EntityType)>> {
    let mut map = PseudonymMap::new();
    let done = redact_all(detector, &[text], &Policy::default(), &Overrides::default(), &mut map)?;
    let spans = done.into_iter().flat_map(|(redaction, _)| redaction.spans);
    Ok(spans.map(|span| (span.start, span.end, span.kind)).collect())
}

/// Whether a text reaches the cloud unchanged under the balanced policy.
///
/// # Errors
/// When detection fails.
pub fn is_kept(detector: &Detector, text: &str) -> Result<bool> {
    let mut map = PseudonymMap::new();
    let done = redact_all(detector, &[text], &Policy::default(), &Overrides::default(), &mut map)?;
    Ok(done.iter().all(|(redaction, _)| *redaction.text == *text))
}

fn kept_rows(detector: &Detector, negatives: &[HardNegative]) -> Result<Vec<KeptRow>> {
    let mut rows: Vec<KeptRow> = Vec::new();
    for case in negatives {
        let kept = is_kept(detector, &case.text)?;
        let at = rows.iter().position(|r| r.expect == case.expect && r.lang == case.lang);
        let index = at.unwrap_or_else(|| {
            let (expect, lang) = (case.expect.clone(), case.lang.clone());
            rows.push(KeptRow { expect, lang, cases: 0, kept: 0, share: 0.0 });
            rows.len() - 1
        });
        if let Some(row) = rows.get_mut(index) {
            row.cases += 1;
            row.kept += usize::from(kept);
            row.share = row.kept as f64 / row.cases as f64;
        }
    }
    Ok(rows)
}

/// Redacts texts of about 4 KB: the cases of one language in a row, nothing but entities, and the same amid
/// ordinary text, as a prompt has them.
fn latency(detector: &Detector, cases: &[Case], runs: usize) -> Result<Vec<LatencyRow>> {
    let mut rows = Vec::new();
    for (lang, prose) in [("en", ""), ("zh", ""), ("en", PROSE), ("zh", PROSE_ZH)] {
        let mut text = String::new();
        for case in cases.iter().filter(|c| c.lang == lang).step_by(7) {
            if text.len() >= 4096 {
                break;
            }
            text.push_str(&case.text);
            text.push('\n');
            text.push_str(prose);
        }
        let mut end = text.len().min(4096);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        let mut times = Vec::with_capacity(runs);
        for _ in 0..runs + WARM {
            let mut map = PseudonymMap::new();
            let start = Instant::now();
            redact_all(detector, &[&text], &Policy::default(), &Overrides::default(), &mut map)?;
            times.push(start.elapsed().as_secs_f64() * 1000.0);
        }
        times.drain(..WARM);
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let last = times.len().saturating_sub(1);
            times.get(((last as f64) * share) as usize).copied().unwrap_or(0.0)
        };
        rows.push(LatencyRow {
            text: format!(
                "4 KB, {lang}, {}",
                if prose.is_empty() { "entities only" } else { "a prompt" }
            ),
            bytes: text.len(),
            runs,
            fastest_ms: at(0.0),
            median_ms: at(0.5),
            p99_ms: at(0.99),
        });
    }
    Ok(rows)
}
