//! The gate: every request for a far model passes here, or is not sent.
//!
//! It proves at its making that it finds what it must find (a canary of each kind); otherwise it stays closed
//! and each `prepare` fails. A detector that fails or panics makes an error, never a pass. It sends nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use nearside_types::{Action, EntityEdit, EntityType, NameModel, OwnEntry, OwnList, PreviewBlock};

use crate::detect::Detector;
use crate::error::{Error, Result};
use crate::outbound::{Draft, RawRequest};
use crate::overrides::Overrides;
use crate::own_list::{folded, tidy};
use crate::policy::Policy;
use crate::pseudonym::PseudonymMap;
use crate::redact::redact_all;
use crate::restore::restore;

/// Redacts requests under one policy.
pub struct Gate {
    policy: Policy,
    /// The detector, or why the gate is closed.
    detector: Result<Detector>,
    list: OwnList,
    /// The choices of the list.
    standing: Overrides,
}

impl std::fmt::Debug for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Gate({})", if self.detector.is_ok() { "open" } else { "closed" })
    }
}

impl Gate {
    /// A gate with the built-in rules and, where there is one, a model for names. It is closed when its
    /// self-test fails; `check` says so.
    #[must_use]
    pub fn new(policy: Policy, names: Option<Arc<dyn NameModel>>) -> Self {
        let detector = Detector::new(names).and_then(tested);
        Self { policy, detector, list: OwnList::default(), standing: Overrides::default() }
    }

    #[cfg(test)]
    pub(crate) fn with_detector(policy: Policy, detector: Detector) -> Self {
        Self {
            policy,
            detector: tested(detector),
            list: OwnList::default(),
            standing: Overrides::default(),
        }
    }

    /// The same gate, with the user's own list. It is closed when the list cannot be searched.
    #[must_use]
    pub fn with_list(mut self, list: &OwnList) -> Self {
        self.standing = Overrides::of_list(list);
        self.list = list.clone();
        self.detector = self.detector.and_then(|detector| detector.with_list(list));
        self
    }

    /// # Errors
    /// Why the gate is closed.
    pub fn check(&self) -> Result<()> {
        self.detector.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// Whether a model for names looks at each request.
    #[must_use]
    pub fn has_name_model(&self) -> bool {
        self.detector.as_ref().is_ok_and(Detector::has_name_model)
    }

    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Redacts a request under the policy and the user's edits. Edits name entities by their place in the
    /// preview of the same request without edits; each holds for the value wherever it stands.
    ///
    /// # Errors
    /// When the gate is closed, detection fails, the policy refuses, or something still shows after masking.
    /// Nothing may then be sent.
    pub fn prepare(
        &self,
        request: RawRequest,
        map: &mut PseudonymMap,
        edits: &[EntityEdit],
    ) -> Result<Draft> {
        self.prepare_hiding(request, map, edits, &[])
    }

    /// As `prepare`, and hides `more`: what the user picked out of the preview.
    ///
    /// # Errors
    /// As `prepare`, and when one of `more` does not stand in the request.
    pub fn prepare_hiding(
        &self,
        request: RawRequest,
        map: &mut PseudonymMap,
        edits: &[EntityEdit],
        more: &[OwnEntry],
    ) -> Result<Draft> {
        let detector = self.detector.as_ref().map_err(Clone::clone)?;
        let guarded =
            AssertUnwindSafe(|| self.prepare_unguarded(detector, request, map, edits, more));
        catch_unwind(guarded)
            .unwrap_or_else(|_| Err(Error::Detection("the gate stopped".to_owned())))
    }

    fn prepare_unguarded(
        &self,
        detector: &Detector,
        request: RawRequest,
        map: &mut PseudonymMap,
        edits: &[EntityEdit],
        more: &[OwnEntry],
    ) -> Result<Draft> {
        let plain = edits.is_empty() && more.is_empty();
        let blocks = self.blocks(detector, &request, map, &self.standing, plain)?;
        if plain {
            return Ok(Draft::new(request, blocks));
        }
        let edits = apply_edits(&blocks, edits)?;
        let mut list = self.list.clone();
        list.hide.extend_from_slice(more);
        let list = tidy(list)?;
        let detector = detector.clone().with_list(&list)?;
        let overrides = Overrides::of_list(&list).with(edits);
        let blocks = self.blocks(&detector, &request, map, &overrides, true)?;
        let found = |name: &str| {
            let name = folded(name);
            let mut spans = blocks.iter().flat_map(|block| &block.spans);
            spans.any(|span| folded(&span.text).contains(&name))
        };
        if more.iter().flat_map(|entry| &entry.names).any(|name| !found(name)) {
            return Err(Error::NotThere);
        }
        Ok(Draft::new(request, blocks))
    }

    fn blocks(
        &self,
        detector: &Detector,
        request: &RawRequest,
        map: &mut PseudonymMap,
        overrides: &Overrides,
        refusing: bool,
    ) -> Result<Vec<PreviewBlock>> {
        let texts: Vec<&str> = request.turns.iter().map(|t| t.content.0.as_str()).collect();
        let done = redact_all(detector, &texts, &self.policy, overrides, map)?;
        request
            .turns
            .iter()
            .zip(done)
            .map(|(turn, (redaction, refused))| {
                if let Some(kind) = refused.filter(|_| refusing) {
                    return Err(Error::Refused(kind));
                }
                Ok(PreviewBlock {
                    role: turn.role,
                    original: turn.content.clone(),
                    outgoing: redaction.text,
                    spans: redaction.spans,
                })
            })
            .collect()
    }
}

/// The user's edits as choices by value. Pure.
///
/// # Errors
/// When an edit names an entity that the blocks do not have, or edits without a text.
pub fn apply_edits(blocks: &[PreviewBlock], edits: &[EntityEdit]) -> Result<Overrides> {
    let mut overrides = Overrides::default();
    for edit in edits {
        let span = blocks
            .get(edit.block)
            .and_then(|block| block.spans.get(edit.span))
            .ok_or(Error::UnknownEntity { block: edit.block, span: edit.span })?;
        if edit.action == Action::Edit && edit.replacement.is_none() {
            return Err(Error::MissingReplacement);
        }
        overrides.set(span.kind, &span.text, edit.action, edit.replacement.clone());
    }
    Ok(overrides)
}

/// Finds a canary of each kind that must never pass, in both languages, and brings it back.
fn tested(detector: Detector) -> Result<Detector> {
    let policy = Policy::default();
    for (kind, text, value) in canaries() {
        let mut map = PseudonymMap::new();
        let done =
            redact_all(&detector, &[text.as_str()], &policy, &Overrides::default(), &mut map)
                .map_err(|e| Error::Closed(e.to_string()))?;
        let found = done.iter().all(|(r, _)| {
            !r.text.contains(&value)
                && r.spans.iter().any(|s| s.kind == kind)
                && restore(&r.text, &map).text.0 == text
        });
        if !found {
            return Err(Error::Closed(format!("{} was not found", kind.name())));
        }
    }
    Ok(detector)
}

/// Made of parts, so that no scanner takes them for real.
fn canaries() -> Vec<(EntityType, String, String)> {
    let sentence = |kind, before: &str, value: String, after: &str| {
        (kind, format!("{before}{value}{after}"), value)
    };
    let zeros = "0".repeat(3);
    vec![
        sentence(
            EntityType::Email,
            "Write to ",
            format!("canary{}near.example.com", '@'),
            " today",
        ),
        sentence(EntityType::Phone, "我的电话是", format!("138{zeros}0{}", "13800"), "，谢谢"),
        sentence(EntityType::Phone, "Call ", format!("+1 415 555 {}", "0132"), "."),
        sentence(EntityType::BankCard, "card ", format!("4111 1111 {} 1111", "1111"), " ok"),
        sentence(EntityType::NationalId, "身份证号", format!("11010519491231{}02X", '0'), "。"),
        sentence(EntityType::NationalId, "SSN: ", format!("536-{}-4399", "90"), ""),
        sentence(
            EntityType::BankAccount,
            "IBAN ",
            format!("DE89 3704 0044 0532 {}130 00", "0"),
            "",
        ),
        sentence(EntityType::Ip, "from ", format!("198.51.{}.23", 100), " at night"),
        sentence(
            EntityType::Secret,
            "key ",
            format!("AK{}{}", "IA", "Q3EGRTZ7PLMN5XWV"),
            " leaked",
        ),
        sentence(
            EntityType::Secret,
            "",
            format!(
                "-----BEGIN {} KEY-----\n{}\n-----END {0} KEY-----",
                "PRIVATE", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"
            ),
            "",
        ),
        sentence(EntityType::Secret, "the wifi password is ", format!("Tr0ub4dor{}3", '&'), ""),
    ]
}
