//! What can go wrong with sound. Each is a sentence that says what to do; none quotes what was said.

/// Why a recording was not transcribed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("the work was stopped")]
    Cancelled,
}

pub type Result<T> = std::result::Result<T, Error>;
