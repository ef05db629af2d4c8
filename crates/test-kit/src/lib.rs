//! Fixtures and fakes of the traits in types; a dev-dependency only.
