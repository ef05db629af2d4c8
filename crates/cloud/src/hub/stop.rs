//! What ends a download from outside: the user's stop, and local-only mode.

use nearside_types::Cancel;

use super::HubError;
use crate::LocalOnly;

#[derive(Debug, Clone, Copy)]
pub(super) struct Stop<'a> {
    cancel: &'a Cancel,
    /// None for a download that the user asked for by itself, or where no switch is at hand.
    local_only: Option<&'a LocalOnly>,
    name: &'a str,
}

impl<'a> Stop<'a> {
    pub(super) fn new(
        cancel: &'a Cancel,
        local_only: Option<&'a LocalOnly>,
        name: &'a str,
    ) -> Self {
        Self { cancel, local_only, name }
    }

    pub(super) fn cancel(self) -> &'a Cancel {
        self.cancel
    }

    pub(super) fn check(self) -> Result<(), HubError> {
        if self.cancel.is_cancelled() {
            return Err(HubError::Cancelled);
        }
        if self.local_only.is_some_and(LocalOnly::is_on) {
            return Err(HubError::LocalOnly(self.name.to_owned()));
        }
        Ok(())
    }
}
