//! The head of a safetensors file of f16 tensors, so that data can be streamed after it. Format: a u64
//! length, JSON of that length padded with spaces to 8 bytes, data.

use std::fmt::Write as _;

use crate::CatalogError;

/// A tensor of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tensor {
    /// Letters, digits and dots only, so that no escaping is needed.
    pub(super) name: String,
    pub(super) shape: Vec<u64>,
}

impl Tensor {
    pub(super) fn count(&self) -> u64 {
        self.shape.iter().product()
    }
}

/// Length and JSON, for tensors whose data follow in this order without gaps.
pub(super) fn header<'a>(
    tensors: impl Iterator<Item = &'a Tensor>,
) -> Result<Vec<u8>, CatalogError> {
    let mut text = String::from(r#"{"__metadata__":{"format":"pt"}"#);
    let mut offset = 0_u64;
    for tensor in tensors {
        let end = offset + tensor.count() * 2;
        let shape = tensor.shape.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        write!(
            text,
            r#","{}":{{"dtype":"F16","shape":[{shape}],"data_offsets":[{offset},{end}]}}"#,
            tensor.name
        )
        .map_err(|error| CatalogError::format("model", error.to_string()))?;
        offset = end;
    }
    text.push('}');
    while text.len() % 8 != 0 {
        text.push(' ');
    }
    let mut head = (text.len() as u64).to_le_bytes().to_vec();
    head.extend_from_slice(text.as_bytes());
    Ok(head)
}
