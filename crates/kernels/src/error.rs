//! What can be wrong with weights or settings that are handed to the kernels. Arithmetic itself cannot fail.

use crate::GgmlType;

/// A failure of this crate. It never quotes user content: kernels see numbers only.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    #[error(
        "the data of a {kind} tensor has {found} bytes where {expected} are needed; the file is damaged"
    )]
    Length { kind: &'static str, found: usize, expected: usize },
    #[error(
        "a row of {columns} elements is not a whole number of {kind} blocks; the file is damaged"
    )]
    Ragged { kind: &'static str, columns: usize },
    #[error("a matrix of {rows} × {columns} is too large for this machine")]
    TooLarge { rows: usize, columns: usize },
    #[error("the weights do not fit together: {0}; the file is damaged or not supported")]
    Shape(&'static str),
    #[error("NEARSIDE_ISA={0} is not known; use avx512, avxvnni, avx2, portable or reference")]
    UnknownIsa(String),
    #[error("NEARSIDE_ISA={0} cannot run on this processor; use portable")]
    MissingIsa(String),
    #[error("the GPU failed: {0}")]
    Gpu(String),
    #[error("the system refused to start a worker thread: {0}")]
    Thread(String),
}

impl KernelError {
    pub(crate) fn length(kind: GgmlType, found: usize, expected: usize) -> Self {
        Self::Length { kind: kind.name(), found, expected }
    }
}
