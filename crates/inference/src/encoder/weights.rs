//! `EncoderWeights`: takes tensors out of a safetensors file by name, checks their shapes and makes them
//! what the kernels want. The table of word vectors stays in the mapped file.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use nearside_kernels::{Compute, GgmlType, LayerNorm, Linear, Matrix, Projection, dequantize};
use safetensors::{Dtype, SafeTensors};

use super::quantise::quantise;
use crate::gguf::storage::Storage;
use crate::{Error, Result};

/// A file as a source of weights.
pub(super) struct EncoderWeights {
    storage: Arc<Storage>,
    /// Before every name, e.g. `bert.`.
    prefix: &'static str,
}

/// Rows of a table in the file.
pub(super) struct Table {
    storage: Arc<Storage>,
    bytes: Range<usize>,
    kind: GgmlType,
    rows: usize,
    width: usize,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} × {})", self.rows, self.width)
    }
}

fn refused(error: nearside_kernels::KernelError) -> Error {
    Error::Unsupported(error.to_string())
}

impl EncoderWeights {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let storage = Arc::new(Storage::map(path)?);
        let file = parse(&storage)?;
        let word = "embeddings.word_embeddings.weight";
        let prefix = ["", "bert.", "model.", "roberta."]
            .into_iter()
            .find(|prefix| file.tensor(&format!("{prefix}{word}")).is_ok())
            .ok_or_else(|| Error::Metadata(format!("the tensor {word} is missing")))?;
        drop(file);
        Ok(Self { storage, prefix })
    }

    /// Shape, type and place in the file.
    fn find(&self, name: &str) -> Result<(Vec<usize>, GgmlType, Range<usize>)> {
        let file = parse(&self.storage)?;
        let tensor = file
            .tensor(&format!("{}{name}", self.prefix))
            .map_err(|_| Error::Metadata(format!("the tensor {name} is missing")))?;
        let kind = match tensor.dtype() {
            Dtype::F32 => GgmlType::F32,
            Dtype::F16 => GgmlType::F16,
            Dtype::BF16 => GgmlType::Bf16,
            _ => return Err(Error::Unsupported(format!("the tensor {name} holds no floats"))),
        };
        let start = tensor.data().as_ptr().addr() - self.storage.bytes().as_ptr().addr();
        Ok((tensor.shape().to_vec(), kind, start..start + tensor.data().len()))
    }

    fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let (found, kind, range) = self.find(name)?;
        if found != shape {
            return Err(wrong_shape(name, &found, shape));
        }
        let mut values = vec![0.0; shape.iter().product()];
        dequantize(kind, &self.storage.bytes()[range], &mut values).map_err(refused)?;
        Ok(values)
    }

    pub(super) fn norm(&self, name: &str, width: usize, epsilon: f32) -> Result<Arc<LayerNorm>> {
        let weight = self.values(&format!("{name}.weight"), &[width])?;
        let bias = self.values(&format!("{name}.bias"), &[width])?;
        LayerNorm::new(weight, bias, epsilon).map(Arc::new).map_err(refused)
    }

    /// Matrices with their biases over the same input, joined into one; `rows` is the height of each.
    pub(super) fn linear(
        &self,
        compute: &Compute,
        names: &[String],
        rows: usize,
        columns: usize,
    ) -> Result<Arc<Projection>> {
        let mut parts = Vec::with_capacity(names.len());
        let mut bias = Vec::new();
        for name in names {
            let values = self.values(&format!("{name}.weight"), &[rows, columns])?;
            let (kind, bytes) = quantise(&values);
            parts.push(Matrix::from_blocks(compute, kind, rows, columns, &bytes).map_err(refused)?);
            bias.extend(self.values(&format!("{name}.bias"), &[rows])?);
        }
        let linear = Linear::new(parts, Some(bias)).map_err(refused)?;
        Projection::new(None, linear).map(Arc::new).map_err(refused)
    }

    pub(super) fn table(&self, name: &str, width: usize) -> Result<Table> {
        let (shape, kind, bytes) = self.find(name)?;
        match *shape {
            [rows, columns] if columns == width && rows > 0 => {
                Ok(Table { storage: Arc::clone(&self.storage), bytes, kind, rows, width })
            }
            _ => Err(wrong_shape(name, &shape, &[0, width])),
        }
    }
}

impl Table {
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Writes one row; the caller knows that there is one.
    pub(super) fn read(&self, row: usize, out: &mut [f32]) -> Result<()> {
        if row >= self.rows {
            return Err(Error::Tokenizer(format!("it has no row for token {row}")));
        }
        let size = self.bytes.len() / self.rows;
        let start = self.bytes.start + row * size;
        let bytes = &self.storage.bytes()[start..start + size];
        dequantize(self.kind, bytes, out).map_err(refused)
    }
}

fn parse(storage: &Storage) -> Result<SafeTensors<'_>> {
    SafeTensors::deserialize(storage.bytes())
        .map_err(|_| Error::Metadata("it is not a whole safetensors file".to_owned()))
}

fn wrong_shape(name: &str, found: &[usize], wanted: &[usize]) -> Error {
    Error::Metadata(format!("the tensor {name} has shape {found:?} where {wanted:?} is needed"))
}
