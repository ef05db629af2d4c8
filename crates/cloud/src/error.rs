//! What can go wrong on the way to a far model, each as one sentence that says what to do.
//!
//! A provider's own error text is not repeated: it can quote the request. Its error code is, where it
//! looks like a code.

use nearside_types::{Failure, FailureKind, UserText};
use nearside_vault::VaultError;

#[derive(Debug, thiserror::Error)]
pub enum CloudError {
    #[error("Local-only mode is on, so nothing was sent: turn it off to use the cloud.")]
    LocalOnly,
    #[error("This request was approved for {approved}, not for {asked}: nothing was sent.")]
    OtherDestination { approved: String, asked: String },
    #[error("`{0}` is not the address of a provider: it begins with https:// and ends like /v1.")]
    BadAddress(String),
    #[error(
        "{0} would be reached without encryption: use an https:// address, or one in your own network."
    )]
    Unencrypted(String),
    #[error(
        "The proxy in the settings is not one: write it like http://host:port or socks5://host:port."
    )]
    BadProxy,
    #[error("The ledger could not note the request, so nothing was sent: {0}")]
    Ledger(#[from] VaultError),
    #[error(
        "The ledger does not fit together ({0}), so nothing was sent: see `nearside ledger verify`."
    )]
    LedgerBroken(String),
    #[error("{host} could not be reached: check the address, the network and the proxy.")]
    Unreachable { host: String },
    #[error("{host} could not prove who it is, so nothing was sent to it.")]
    Untrusted { host: String },
    #[error("{host} did not answer within {seconds} seconds.")]
    Slow { host: String, seconds: u64 },
    #[error("{host} rejected the key: enter it again in the settings.")]
    KeyRejected { host: String },
    #[error("{host} does not allow this with your key{code}: check the plan and the model's name.")]
    Forbidden { host: String, code: String },
    #[error("{host} does not know this address or model{code}: check both in the settings.")]
    UnknownModel { host: String, code: String },
    #[error("{host} refused the request as it is ({status}{code}).")]
    BadRequest { host: String, status: u16, code: String },
    #[error("The conversation is too long for the model at {host}: shorten it or choose another.")]
    TooLong { host: String },
    #[error("{host} has had too many requests{wait}: try again later.")]
    RateLimited { host: String, wait: String },
    #[error("{host} has a fault of its own ({status}{code}): try again later.")]
    Server { host: String, status: u16, code: String },
    #[error("{host} sends us on to another address, which is not followed: enter the new one.")]
    Redirected { host: String },
    #[error("{host} answered with something that is not an answer: check the address.")]
    Garbled { host: String },
    #[error("{host} answered with more than is sensible; the answer was cut off.")]
    TooMuch { host: String, partial: UserText },
    /// The partial text is what was delivered.
    #[error(
        "The connection to {host} was cut in the middle of the answer; what had arrived is kept."
    )]
    CutMidway { host: String, partial: UserText },
    #[error("Stopped; what had arrived is kept.")]
    Cancelled { partial: UserText },
    #[error("{0}.")]
    Fault(String),
}

impl CloudError {
    /// The part of the answer that had arrived.
    #[must_use]
    pub fn partial(&self) -> Option<&UserText> {
        match self {
            Self::TooMuch { partial, .. }
            | Self::CutMidway { partial, .. }
            | Self::Cancelled { partial } => Some(partial),
            _ => None,
        }
    }

    /// Whom the sentence is about, where it is about the other end.
    fn host(&self) -> Option<&str> {
        match self {
            Self::Unreachable { host }
            | Self::Untrusted { host }
            | Self::Slow { host, .. }
            | Self::KeyRejected { host }
            | Self::Forbidden { host, .. }
            | Self::UnknownModel { host, .. }
            | Self::BadRequest { host, .. }
            | Self::TooLong { host }
            | Self::RateLimited { host, .. }
            | Self::Server { host, .. }
            | Self::Redirected { host }
            | Self::Garbled { host }
            | Self::TooMuch { host, .. }
            | Self::CutMidway { host, .. } => Some(host),
            _ => None,
        }
    }

    /// A stable word for the window's translations.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::LocalOnly => "local_only",
            Self::OtherDestination { .. } => "other_destination",
            Self::BadAddress(_) => "bad_address",
            Self::Unencrypted(_) => "unencrypted",
            Self::BadProxy => "bad_proxy",
            Self::Ledger(_) => "ledger",
            Self::LedgerBroken(_) => "ledger_broken",
            Self::Unreachable { .. } => "unreachable",
            Self::Untrusted { .. } => "untrusted",
            Self::Slow { .. } => "timeout",
            Self::KeyRejected { .. } => "key_rejected",
            Self::Forbidden { .. } => "forbidden",
            Self::UnknownModel { .. } => "unknown_model",
            Self::BadRequest { .. } => "bad_request",
            Self::TooLong { .. } => "too_long",
            Self::RateLimited { .. } => "rate_limited",
            Self::Server { .. } => "server_error",
            Self::Redirected { .. } => "redirected",
            Self::Garbled { .. } => "garbled",
            Self::TooMuch { .. } => "too_much",
            Self::CutMidway { .. } => "cut_midway",
            Self::Cancelled { .. } => "cancelled",
            Self::Fault(_) => "",
        }
    }
}

impl From<CloudError> for Failure {
    fn from(error: CloudError) -> Self {
        let kind = match &error {
            CloudError::LocalOnly
            | CloudError::OtherDestination { .. }
            | CloudError::Unencrypted(_)
            | CloudError::Ledger(_)
            | CloudError::LedgerBroken(_) => FailureKind::Refused,
            CloudError::BadAddress(_) | CloudError::BadProxy => FailureKind::Usage,
            CloudError::Cancelled { .. } => FailureKind::Cancelled,
            CloudError::Fault(_) => FailureKind::Internal,
            _ => FailureKind::Network,
        };
        let failure = Self::coded(kind, error.code(), error.to_string());
        match error.host() {
            Some(host) => failure.with("host", host),
            None => failure,
        }
    }
}
