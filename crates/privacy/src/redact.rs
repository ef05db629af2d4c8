//! Redaction: what was found becomes placeholders, coarser values or stays, by policy and by the user's
//! choices; then the outgoing text is looked at once more.
//!
//! A value that was found once is replaced wherever it stands, in every text of the request. Text of the
//! user's that looks like a placeholder is replaced by one of its own, so that the way back is exact.

use std::collections::BTreeMap;
use std::ops::Range;

use nearside_types::{Action, EntityType, Ground, PrivacyPreset, Redaction, Span, UserText};

use crate::detect::Detector;
use crate::error::{Error, Result};
use crate::generalise::generalise;
use crate::known::{link, spread};
use crate::overlap::Finding;
use crate::overrides::Overrides;
use crate::placeholder::{Label, Step, can_begin, parse};
use crate::policy::Policy;
use crate::pseudonym::PseudonymMap;
use crate::restore::restore;

/// Code points before and after a replacement that are looked at again: more than the reach of any pattern's
/// context. What stands farther away reads as it did.
const NEAR_REPLACEMENT: usize = 240;

/// The object replacement character: no letter, no digit, no word boundary of ours.
const NEUTRAL: char = '\u{fffc}';

/// Looks at the outgoing text at most this often; a text that still shows more is refused.
const ROUNDS: usize = 6;

/// Redacts one text with the built-in rules.
///
/// # Errors
/// When detection fails or the policy refuses; the text must then not be sent.
pub fn redact(text: &str, policy: &Policy, map: &mut PseudonymMap) -> Result<Redaction> {
    redact_with(&Detector::new(None)?, text, policy, map)
}

/// Redacts one text with a detector, which may have a model for names.
///
/// # Errors
/// As `redact`.
pub fn redact_with(
    detector: &Detector,
    text: &str,
    policy: &Policy,
    map: &mut PseudonymMap,
) -> Result<Redaction> {
    let mut done = redact_all(detector, &[text], policy, &Overrides::default(), map)?;
    let (redaction, refused) = done.pop().ok_or_else(|| Error::Detection("no text".to_owned()))?;
    refused.map_or(Ok(redaction), |kind| Err(Error::Refused(kind)))
}

/// Redacts the texts of one request together. With each comes the kind that the policy refuses, if any.
pub(crate) fn redact_all(
    detector: &Detector,
    texts: &[&str],
    policy: &Policy,
    overrides: &Overrides,
    map: &mut PseudonymMap,
) -> Result<Vec<(Redaction, Option<EntityType>)>> {
    let mut work = Vec::with_capacity(texts.len());
    for text in texts {
        work.push(Work::new(text, detector.find(text)?.findings, map));
    }
    spread(&mut work, policy, overrides, map)?;
    link(&work, overrides, map);
    work.iter_mut().map(|w| w.finish(detector, policy, overrides, map, texts)).collect()
}

/// One text and what was found in it.
pub(crate) struct Work<'t> {
    pub(crate) text: &'t str,
    /// Byte offset of every code point, and the length.
    pub(crate) bytes: Vec<u32>,
    pub(crate) findings: Vec<Finding>,
    lookalikes: Vec<Range<usize>>,
    /// Placeholders in the place of invented values, because those did not come back.
    masks_only: bool,
}

/// A stretch of the original and what is sent for it.
struct Piece {
    range: Range<usize>,
    outgoing: String,
    /// `restore` brings the original back.
    returns: bool,
}

impl<'t> Work<'t> {
    fn new(text: &'t str, findings: Vec<Finding>, map: &PseudonymMap) -> Self {
        let bytes: Vec<u32> = text
            .char_indices()
            .map(|(i, _)| i)
            .chain([text.len()])
            .map(|i| u32::try_from(i).unwrap_or(u32::MAX))
            .collect();
        let mut work = Self { text, bytes, findings, lookalikes: Vec::new(), masks_only: false };
        work.lookalikes = work.find_lookalikes(map);
        work
    }

    pub(crate) fn slice(&self, range: &Range<usize>) -> &'t str {
        let at = |i: usize| self.bytes.get(i).map_or(self.text.len(), |b| *b as usize);
        self.text.get(at(range.start)..at(range.end)).unwrap_or("")
    }

    pub(crate) fn code_point(&self, byte: usize) -> usize {
        self.bytes.partition_point(|b| (*b as usize) < byte)
    }

    /// The user's own text that `restore` would take for a placeholder.
    fn find_lookalikes(&self, map: &PseudonymMap) -> Vec<Range<usize>> {
        let fakes: Vec<&str> = map.fakes().map(|(fake, _)| fake).collect();
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.text.len() {
            if let Some(fake) =
                fakes.iter().find(|f| self.text.as_bytes()[at..].starts_with(f.as_bytes()))
            {
                found.push(self.code_point(at)..self.code_point(at + fake.len()));
                at += fake.len();
                continue;
            }
            let step = if can_begin(self.text.as_bytes()[at]) {
                parse(self.text, at, self.text[..at].chars().next_back(), true)
            } else {
                Step::No
            };
            if let Step::Found { end, .. } = step {
                found.push(self.code_point(at)..self.code_point(end));
                at = end;
            } else {
                at += 1;
            }
        }
        found
    }

    /// Adds findings where nothing was found yet.
    pub(crate) fn add(&mut self, finding: Finding) -> bool {
        let at = self.findings.partition_point(|f| f.range.end <= finding.range.start);
        if self.findings.get(at).is_some_and(|f| f.range.start < finding.range.end) {
            return false;
        }
        self.findings.insert(at, finding);
        true
    }

    pub(crate) fn decide(
        &self,
        finding: &Finding,
        policy: &Policy,
        overrides: &Overrides,
    ) -> (Action, Option<String>) {
        overrides.get(finding.kind, self.slice(&finding.range)).unwrap_or_else(|| {
            let usual = policy.action_for(finding.kind, self.slice(&finding.range));
            // What the user put on the list is hidden, though others of its kind may be kept.
            let listed = usual == Action::Keep && finding.ground == Ground::OwnList;
            (if listed { Action::Mask } else { usual }, None)
        })
    }

    fn finish(
        &mut self,
        detector: &Detector,
        policy: &Policy,
        overrides: &Overrides,
        map: &mut PseudonymMap,
        avoid: &[&str],
    ) -> Result<(Redaction, Option<EntityType>)> {
        let mut remaining = None;
        for _ in 0..ROUNDS {
            let composed = self.compose(policy, overrides, map, avoid)?;
            if composed.pieces.is_empty() {
                return Ok(composed.done());
            }
            if !composed.comes_back(self, map) {
                // An invented value may make a placeholder of the text before it: `PERSON_` and a number.
                if std::mem::replace(&mut self.masks_only, true) {
                    return Err(Error::NoWayBack);
                }
                continue;
            }
            remaining = self.look_again(detector, policy, overrides, &composed)?;
            if remaining.is_none() {
                return Ok(composed.done());
            }
        }
        Err(Error::Remains(remaining.unwrap_or(EntityType::Secret)))
    }

    /// Detects in the outgoing text; what is new and must not leave becomes a finding of the original.
    fn look_again(
        &mut self,
        detector: &Detector,
        policy: &Policy,
        overrides: &Overrides,
        composed: &Composed,
    ) -> Result<Option<EntityType>> {
        let mut new = None;
        let hidden = |kind| policy.action(kind) != Action::Keep;
        for finding in detector.find_again(&composed.scan, hidden)? {
            let Some(range) = composed.original(&finding.range) else { continue };
            let finding =
                Finding { range, why: format!("{}, after masking", finding.why), ..finding };
            if matches!(self.decide(&finding, policy, overrides).0, Action::Keep) {
                continue;
            }
            if self.add(finding.clone()) {
                new = Some(finding.kind);
            }
        }
        Ok(new)
    }

    fn compose(
        &self,
        policy: &Policy,
        overrides: &Overrides,
        map: &mut PseudonymMap,
        avoid: &[&str],
    ) -> Result<Composed> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut spans = Vec::new();
        let mut used = BTreeMap::new();
        let mut refused = None;
        let mut looks = self.lookalikes.clone();
        let mut decided = Vec::with_capacity(self.findings.len());
        for finding in &self.findings {
            decided.push((finding, self.decide(finding, policy, overrides)));
        }
        let replaced: Vec<usize> = decided
            .iter()
            .filter(|(_, (action, _))| *action != Action::Keep)
            .map(|(finding, _)| finding.range.start)
            .collect();
        for (finding, (action, typed)) in decided {
            let mut range = finding.range.clone();
            let mut why = finding.why.clone();
            let value = self.slice(&finding.range);
            let (mut action, coarse) = match action {
                Action::Generalise => match generalise(finding.kind, value) {
                    Some(coarse) => (Action::Generalise, Some(coarse)),
                    None => (Action::Mask, None),
                },
                other => (other, None),
            };
            if action == Action::Keep {
                spans.push(self.span(finding, action, value.to_owned(), why));
                continue;
            }
            // A look-alike that touches an entity goes with it, up to the next entity that is replaced,
            // which takes the rest.
            let next = replaced.partition_point(|start| *start <= finding.range.start);
            let limit = replaced.get(next).copied().unwrap_or(usize::MAX);
            looks.retain_mut(|look| {
                if look.start >= range.end || range.start >= look.end {
                    return true;
                }
                range = range.start.min(look.start)..range.end.max(look.end.min(limit));
                look.start = limit;
                look.start < look.end
            });
            let outgoing = match action {
                Action::Edit => typed.ok_or(Error::MissingReplacement)?,
                Action::Generalise => coarse.unwrap_or_default(),
                _ => {
                    if action == Action::Refuse {
                        refused = refused.or(Some(finding.kind));
                    }
                    let value = self.slice(&range);
                    let placeholder = map.placeholder(Label::Entity(finding.kind), value);
                    let fake = if action == Action::Fake && !self.masks_only {
                        map.fake(&placeholder, finding.kind, |fake| {
                            !avoid.iter().any(|t| t.contains(fake))
                        })
                    } else {
                        None
                    };
                    used.insert(map.key(&placeholder), UserText::from(value));
                    if action == Action::Fake && fake.is_none() {
                        action = Action::Mask;
                        why.push_str("; masked, because no invented value fits here");
                    }
                    fake.unwrap_or_else(|| placeholder.to_string())
                }
            };
            spans.push(self.span(finding, action, outgoing.clone(), why));
            let returns = matches!(action, Action::Mask | Action::Fake | Action::Refuse);
            pieces.push(Piece { range, outgoing, returns });
        }
        for look in looks {
            let value = self.slice(&look);
            let name = map.placeholder(Label::Text, value).to_string();
            used.insert(name.clone(), UserText::from(value));
            let at = pieces.partition_point(|p| p.range.end <= look.start);
            pieces.insert(at, Piece { range: look, outgoing: name, returns: true });
        }
        let mut composed = Composed {
            text: String::with_capacity(self.text.len()),
            scan: String::with_capacity(self.text.len()),
            segments: Vec::new(),
            pieces,
            spans,
            used,
            refused,
        };
        composed.assemble(self);
        Ok(composed)
    }

    fn span(&self, finding: &Finding, action: Action, replacement: String, why: String) -> Span {
        Span {
            start: finding.range.start,
            end: finding.range.end,
            kind: finding.kind,
            text: UserText::from(self.slice(&finding.range)),
            action,
            replacement: UserText(replacement),
            ground: finding.ground,
            why,
        }
    }
}

struct Composed {
    text: String,
    /// The outgoing text with one neutral sign for each replacement: what is ours need not be looked at again,
    /// and its digits and words must not speak for what stands beside it.
    scan: String,
    /// Code points of `scan` that stand unchanged in the original: (scan, original, length).
    segments: Vec<(usize, usize, usize)>,
    pieces: Vec<Piece>,
    spans: Vec<Span>,
    used: BTreeMap<String, UserText>,
    refused: Option<EntityType>,
}

impl Composed {
    fn assemble(&mut self, work: &Work<'_>) {
        let length = work.bytes.len() - 1;
        let mut at = 0;
        let mut out = 0;
        let pieces = std::mem::take(&mut self.pieces);
        for piece in &pieces {
            let gap = piece.range.start.saturating_sub(at);
            if gap > 0 {
                self.text.push_str(work.slice(&(at..piece.range.start)));
                out = self.scan_gap(work, at..piece.range.start, at > 0, true, out);
            }
            self.text.push_str(&piece.outgoing);
            self.scan.push(NEUTRAL);
            out += 1;
            at = piece.range.end;
        }
        if at < length {
            self.text.push_str(work.slice(&(at..length)));
            self.scan_gap(work, at..length, at > 0, false, out);
        }
        self.pieces = pieces;
    }

    /// Adds what stands between two replacements to the scanned text: only what is near enough to one that it
    /// may read otherwise now. Returns the length of the scanned text in code points.
    fn scan_gap(
        &mut self,
        work: &Work<'_>,
        gap: Range<usize>,
        behind: bool,
        before: bool,
        out: usize,
    ) -> usize {
        let head = if behind { NEAR_REPLACEMENT } else { 0 };
        let tail = if before { NEAR_REPLACEMENT } else { 0 };
        if head + tail >= gap.len() {
            return self.scan_part(work, gap, out);
        }
        let mut out = self.scan_part(work, gap.start..gap.start + head, out);
        self.scan.push('\n');
        out += 1;
        self.scan_part(work, gap.end - tail..gap.end, out)
    }

    fn scan_part(&mut self, work: &Work<'_>, range: Range<usize>, out: usize) -> usize {
        self.scan.push_str(work.slice(&range));
        self.segments.push((out, range.start, range.len()));
        out + range.len()
    }

    /// The original's range, if all of it stands unchanged; a find that touches a replacement is our own.
    fn original(&self, scanned: &Range<usize>) -> Option<Range<usize>> {
        let at =
            self.segments.partition_point(|(out, _, _)| *out <= scanned.start).checked_sub(1)?;
        let (out, original, length) = *self.segments.get(at)?;
        let start = scanned.start - out;
        let end = scanned.end - out;
        (end <= length).then(|| original + start..original + end)
    }

    /// Whether `restore` makes of the outgoing text what it must: the original, but for what is meant to stay
    /// coarser.
    fn comes_back(&self, work: &Work<'_>, map: &PseudonymMap) -> bool {
        let mut expected = String::with_capacity(work.text.len());
        let mut at = 0;
        for piece in &self.pieces {
            expected.push_str(work.slice(&(at..piece.range.start)));
            expected.push_str(if piece.returns {
                work.slice(&piece.range)
            } else {
                &piece.outgoing
            });
            at = piece.range.end;
        }
        expected.push_str(work.slice(&(at..work.bytes.len() - 1)));
        *restore(&self.text, map).text == *expected
    }

    fn done(self) -> (Redaction, Option<EntityType>) {
        (Redaction { text: UserText(self.text), spans: self.spans, map: self.used }, self.refused)
    }
}

/// The preset that `policy` names, for callers that hold settings.
impl From<PrivacyPreset> for Policy {
    fn from(preset: PrivacyPreset) -> Self {
        Self::preset(preset)
    }
}
