//! The user's choices for values, over the policy: edits of the preview, and what the user's own list keeps. By
//! value, in all its written forms. Pure.

use std::collections::{BTreeMap, BTreeSet};

use nearside_types::{Action, EntityType, OwnList, UserText};

use crate::own_list::folded;
use crate::placeholder::Label;
use crate::pseudonym::canonical;

/// The user's choices for values, over the policy.
#[derive(Clone, Default)]
pub struct Overrides {
    by_value: BTreeMap<(EntityType, String), (Action, Option<String>)>,
    /// Words that the user always keeps, folded.
    kept: BTreeSet<String>,
    /// Names of one entity, by the user's own list.
    pub(crate) same: Vec<(EntityType, Vec<UserText>)>,
}

impl std::fmt::Debug for Overrides {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Overrides({} values)", self.by_value.len())
    }
}

impl Overrides {
    /// Chooses for a value, in all its written forms. `replacement` is what `Action::Edit` sends.
    pub fn set(
        &mut self,
        kind: EntityType,
        value: &str,
        action: Action,
        replacement: Option<String>,
    ) {
        self.by_value.insert((kind, canonical(Label::Entity(kind), value)), (action, replacement));
    }

    /// The choices of the user's own list: what it keeps is kept, and its entries' names are one entity.
    #[must_use]
    pub fn of_list(list: &OwnList) -> Self {
        Self {
            kept: list.keep.iter().map(|word| folded(word)).collect(),
            same: list.hide.iter().map(|e| (e.kind, e.names.clone())).collect(),
            ..Self::default()
        }
    }

    /// These choices with `other`'s over them.
    #[must_use]
    pub(crate) fn with(mut self, other: Self) -> Self {
        self.by_value.extend(other.by_value);
        self.kept.extend(other.kept);
        self.same.extend(other.same);
        self
    }

    pub(crate) fn get(&self, kind: EntityType, value: &str) -> Option<(Action, Option<String>)> {
        let chosen = self.by_value.get(&(kind, canonical(Label::Entity(kind), value))).cloned();
        let kept = || self.kept.contains(&folded(value)).then_some((Action::Keep, None));
        chosen.or_else(kept)
    }
}
