//! What can stop the reading of a picture. No variant quotes what was read.

use nearside_types::{Failure, FailureKind};

/// Why a picture was not read.
#[derive(Debug, thiserror::Error)]
pub enum VisionError {
    #[error(
        "The model that reads pictures is not whole: {0} is missing or damaged. `nearside models fetch pp-ocr` gets it again."
    )]
    Model(&'static str),
    #[error(
        "The model that reads pictures does not fit its list of characters. `nearside models fetch pp-ocr` gets both again."
    )]
    Characters,
    #[error("The picture's bytes do not have the size that its width and height say.")]
    Size,
    #[error("The model that reads pictures failed on this one. Try a smaller picture.")]
    Run,
    #[error("Stopped.")]
    Cancelled,
}

impl From<VisionError> for Failure {
    fn from(error: VisionError) -> Self {
        let (kind, code) = match error {
            VisionError::Model(_) | VisionError::Characters => {
                (FailureKind::ModelMissing, "ocr_model_broken")
            }
            VisionError::Size => (FailureKind::Usage, ""),
            VisionError::Run => (FailureKind::Internal, ""),
            VisionError::Cancelled => (FailureKind::Cancelled, "cancelled"),
        };
        Failure::coded(kind, code, error.to_string())
    }
}
