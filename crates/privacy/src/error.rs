//! What can go wrong in the gate. No variant carries user content, so that an error can be shown, logged
//! and sent to a crash report without saying what the user wrote.

use nearside_types::{EntityType, Failure, FailureKind};

/// Why nothing is sent, or why a text could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error(
        "the privacy gate is closed: its self-test failed ({0}), so nothing is sent; restart Nearside, and report this if it stays"
    )]
    Closed(String),
    #[error("looking for personal data failed ({0}), so nothing is sent; ask this locally instead")]
    Detection(String),
    #[error("the policy refuses to send {}; remove it, or ask this locally", .0.name())]
    Refused(EntityType),
    #[error("after masking, {} was still found in the text, so nothing is sent; mask it by hand, or ask this locally", .0.name())]
    Remains(EntityType),
    #[error(
        "an answer to this text could not be put back exactly, so nothing is sent; change the text, or ask this locally"
    )]
    NoWayBack,
    #[error(
        "the body that would be sent is not the one that was approved; look at the preview again"
    )]
    NotApproved,
    #[error(
        "edit names entity {span} of message {block}, which does not exist; open the preview again"
    )]
    UnknownEntity { block: usize, span: usize },
    #[error("an edited entity needs the text to send instead; type it, or choose mask")]
    MissingReplacement,
    #[error(
        "these words do not stand in the request as one piece; pick them out of the preview again"
    )]
    NotThere,
    #[error("a name on your list {0}")]
    OwnName(&'static str),
    #[error("{0}")]
    Data(String),
}

pub type Result<T> = std::result::Result<T, Error>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (kind, code) = match &error {
            Error::Closed(_) => (FailureKind::Refused, "gate_closed"),
            Error::Detection(_) => (FailureKind::Refused, "detection_failed"),
            Error::Refused(_) => (FailureKind::Refused, "refused_by_policy"),
            Error::Remains(_) => (FailureKind::Refused, "personal_data_remains"),
            Error::NoWayBack => (FailureKind::Refused, "no_way_back"),
            Error::NotApproved => (FailureKind::Refused, "not_approved"),
            Error::UnknownEntity { .. } => (FailureKind::Usage, "unknown_entity"),
            Error::MissingReplacement => (FailureKind::Usage, "missing_replacement"),
            Error::NotThere => (FailureKind::Usage, "not_there"),
            Error::OwnName(_) => (FailureKind::Usage, "own_name"),
            Error::Data(_) => (FailureKind::NothingReadable, ""),
        };
        Failure::coded(kind, code, error.to_string())
    }
}
