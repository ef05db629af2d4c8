//! What is done with each kind of entity: two presets, and changes to them. Pure.

use std::collections::BTreeMap;

use nearside_types::{Action, EntityType, PrivacyPreset};

use crate::public_knowledge::is_public;

/// An action for every kind of entity.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Policy {
    preset: PrivacyPreset,
    #[serde(default)]
    changes: BTreeMap<EntityType, Action>,
}

impl Default for Policy {
    fn default() -> Self {
        Self::preset(PrivacyPreset::Balanced)
    }
}

impl Policy {
    /// Strict masks all it finds. Balanced masks Tier A, and keeps what a question usually needs: places,
    /// organisations, dates, ages.
    #[must_use]
    pub fn preset(preset: PrivacyPreset) -> Self {
        Self { preset, changes: BTreeMap::new() }
    }

    /// A policy by its name on the command line: `balanced`, `strict`, or either with changes, as in
    /// `balanced,ADDRESS=generalise,PHONE=fake,SECRET=refuse`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut parts = name.split(',').map(str::trim);
        let mut policy = match parts.next()? {
            "strict" => Self::preset(PrivacyPreset::Strict),
            "balanced" => Self::preset(PrivacyPreset::Balanced),
            _ => return None,
        };
        for part in parts {
            let (kind, action) = part.split_once('=')?;
            let kind =
                EntityType::ALL.into_iter().find(|k| k.name().eq_ignore_ascii_case(kind.trim()))?;
            policy = policy.with(kind, action_named(action.trim())?);
        }
        Some(policy)
    }

    /// With another action for one kind.
    #[must_use]
    pub fn with(mut self, kind: EntityType, action: Action) -> Self {
        self.changes.insert(kind, action);
        self
    }

    #[must_use]
    pub fn action(&self, kind: EntityType) -> Action {
        if let Some(action) = self.changes.get(&kind) {
            return *action;
        }
        match self.preset {
            PrivacyPreset::Strict => Action::Mask,
            PrivacyPreset::Balanced if kind.is_tier_a() => Action::Mask,
            // A number of a firm is as good as its name, and its name may be a person's.
            PrivacyPreset::Balanced if kind == EntityType::OrgId => Action::Mask,
            PrivacyPreset::Balanced => Action::Keep,
        }
    }

    /// The action for one value: the balanced preset keeps what everybody knows, such as people of history.
    #[must_use]
    pub fn action_for(&self, kind: EntityType, value: &str) -> Action {
        let preset = self.preset == PrivacyPreset::Balanced && !self.changes.contains_key(&kind);
        if preset && is_public(kind, value) { Action::Keep } else { self.action(kind) }
    }

    /// Whether the answer to a text redacted by it restores every value.
    #[must_use]
    pub fn is_reversible(&self) -> bool {
        EntityType::ALL
            .iter()
            .all(|kind| matches!(self.action(*kind), Action::Keep | Action::Mask | Action::Fake))
    }
}

/// `edit` is a person's choice for one value, never a policy.
fn action_named(name: &str) -> Option<Action> {
    Some(match name {
        "keep" => Action::Keep,
        "mask" | "placeholder" => Action::Mask,
        "generalise" => Action::Generalise,
        "fake" => Action::Fake,
        "refuse" => Action::Refuse,
        _ => return None,
    })
}
