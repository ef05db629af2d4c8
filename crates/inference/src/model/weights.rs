//! `Weights`: takes tensors out of a GGUF file by name, checks their shapes and repacks them for the
//! kernels, one after another, so that the file's pages and the copy are in memory together for one tensor
//! only.

use burn::tensor::Device;
use nearside_kernels::{Compute, GgmlType, Linear, Matrix, Projection, RmsNorm, dequantize};
use std::sync::Arc;

use crate::gguf::{GgufFile, TensorView};
use crate::{Error, Result};

/// A file as a source of weights.
pub(super) struct Weights<'f> {
    pub(super) file: &'f GgufFile,
    pub(super) compute: &'f Compute,
    pub(super) device: &'f Device,
    pub(super) norm_epsilon: f32,
}

/// What the kernels refuse, as this crate says it.
pub(super) fn refused(error: nearside_kernels::KernelError) -> Error {
    Error::Unsupported(error.to_string())
}

impl<'f> Weights<'f> {
    fn tensor(&self, name: &str) -> Result<TensorView<'f>> {
        self.file
            .tensor(name)
            .ok_or_else(|| Error::Metadata(format!("the tensor {name} is missing")))
    }

    /// A matrix of `rows` outputs and `columns` inputs.
    fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Matrix> {
        let tensor = self.tensor(name)?;
        if tensor.dims != [columns, rows] {
            return Err(shape(name, tensor.dims, &[columns, rows]));
        }
        let (compute, kind) = (self.compute, tensor.ggml_type);
        let matrix = Matrix::place(compute, self.device, kind, rows, columns, tensor.bytes)
            .map_err(refused)?;
        self.file.release(name);
        Ok(matrix)
    }

    /// A vector of `len` numbers.
    pub(super) fn vector(&self, name: &str, len: usize) -> Result<Vec<f32>> {
        let tensor = self.tensor(name)?;
        if tensor.dims != [len] {
            return Err(shape(name, tensor.dims, &[len]));
        }
        let mut values = vec![0.0; len];
        dequantize(tensor.ggml_type, tensor.bytes, &mut values).map_err(refused)?;
        Ok(values)
    }

    fn optional_vector(&self, name: &str, len: usize) -> Result<Option<Vec<f32>>> {
        self.file.tensor(name).map(|_| self.vector(name, len)).transpose()
    }

    /// The norm `norm` and the matrices after it, `(name without suffix, rows)`, joined into one. A part may
    /// have a bias where others have none.
    pub(super) fn projection(
        &self,
        norm: Option<&str>,
        columns: usize,
        parts: &[(&str, usize)],
    ) -> Result<Arc<Projection>> {
        let mut matrices = Vec::with_capacity(parts.len());
        let mut bias = Vec::new();
        let mut has_bias = false;
        for (name, rows) in parts {
            matrices.push(self.matrix(&format!("{name}.weight"), *rows, columns)?);
            match self.optional_vector(&format!("{name}.bias"), *rows)? {
                Some(values) => {
                    has_bias = true;
                    bias.extend(values);
                }
                None => bias.resize(bias.len() + rows, 0.0),
            }
        }
        let linear = Linear::new(matrices, has_bias.then_some(bias)).map_err(refused)?;
        let norm = match norm {
            Some(name) => Some(RmsNorm {
                weight: self.vector(&format!("{name}.weight"), columns)?,
                epsilon: self.norm_epsilon,
            }),
            None => None,
        };
        Projection::new(norm, linear).map(Arc::new).map_err(refused)
    }

    /// Rows of a table: (vocabulary, type) of the embedding.
    pub(super) fn table(&self, name: &str, columns: usize) -> Result<(usize, GgmlType)> {
        let tensor = self.tensor(name)?;
        match tensor.dims {
            [width, rows] if *width == columns => Ok((*rows, tensor.ggml_type)),
            other => Err(shape(name, other, &[columns])),
        }
    }
}

fn shape(name: &str, found: &[usize], wanted: &[usize]) -> Error {
    Error::Metadata(format!("the tensor {name} has shape {found:?} where {wanted:?} is needed"))
}
