//! `NameHead`: hidden states of some of the encoder's layers, side by side, through a dense layer, residual
//! convolutions over neighbouring tokens, and a dense layer to tags. It reads no text.

use std::sync::Arc;

use burn::tensor::{Device, Tensor, TensorData};
use half::f16;
use nearside_kernels::{Compute, GgmlType, Linear, Matrix, Projection, gelu, project};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::tags::{TAGS, Transitions};
use crate::{Error, Result};

/// Layers of the encoder whose states the head sees; the encoder runs no further than the last.
pub const FEATURE_LAYERS: [usize; 2] = [4, 6];
/// Tokens that a convolution looks at, the middle one its own.
pub const KERNEL: usize = 3;

/// The head's numbers: matrices row-major, `[output][input]`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeadWeights {
    /// Columns of the features and of the hidden layers.
    pub features: usize,
    pub hidden: usize,
    /// `[hidden][features]` and its bias.
    pub input: (Vec<f32>, Vec<f32>),
    /// Each `[hidden][KERNEL * hidden]` and its bias.
    pub convolutions: Vec<(Vec<f32>, Vec<f32>)>,
    /// `[TAGS][hidden]` and its bias.
    pub output: (Vec<f32>, Vec<f32>),
    pub transitions: Vec<f32>,
}

impl HeadWeights {
    /// A safetensors file with matrices in half precision.
    ///
    /// # Errors
    /// When the sizes contradict each other.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let half = |values: &[f32]| -> Vec<u8> {
            values.iter().flat_map(|x| f16::from_f32(*x).to_le_bytes()).collect()
        };
        let full =
            |values: &[f32]| -> Vec<u8> { values.iter().flat_map(|x| x.to_le_bytes()).collect() };
        let mut tensors = Vec::new();
        let mut add = |name: &str, matrix: &(Vec<f32>, Vec<f32>), columns: usize| {
            let rows = matrix.1.len();
            tensors.push((
                format!("{name}.weight"),
                Dtype::F16,
                vec![rows, columns],
                half(&matrix.0),
            ));
            tensors.push((format!("{name}.bias"), Dtype::F32, vec![rows], full(&matrix.1)));
        };
        add("input", &self.input, self.features);
        for (index, convolution) in self.convolutions.iter().enumerate() {
            add(&format!("convolution.{index}"), convolution, KERNEL * self.hidden);
        }
        add("output", &self.output, self.hidden);
        let shape = vec![TAGS + 1, TAGS];
        tensors.push(("transitions".to_owned(), Dtype::F32, shape, full(&self.transitions)));
        let views = tensors
            .iter()
            .map(|(name, kind, shape, bytes)| {
                Ok((name.as_str(), TensorView::new(*kind, shape.clone(), bytes)?))
            })
            .collect::<Result<Vec<_>, safetensors::SafeTensorError>>()
            .map_err(|error| Error::Unsupported(error.to_string()))?;
        safetensors::serialize(views, None).map_err(|error| Error::Unsupported(error.to_string()))
    }
}

/// The head with its weights in memory.
#[derive(Debug)]
pub struct NameHead {
    compute: Compute,
    device: Device,
    input: Arc<Projection>,
    convolutions: Vec<Arc<Projection>>,
    output: Arc<Projection>,
    pub(super) transitions: Transitions,
}

impl NameHead {
    /// # Errors
    /// When the bytes are not a head that `HeadWeights::to_bytes` wrote.
    pub fn from_bytes(bytes: &[u8], compute: Compute) -> Result<Self> {
        let refused = || Error::Metadata("the name model's head is damaged".to_owned());
        let file = SafeTensors::deserialize(bytes).map_err(|_| refused())?;
        let matrix = |name: &str, columns: Option<usize>, rows: Option<usize>| {
            let weight = file.tensor(&format!("{name}.weight")).map_err(|_| refused())?;
            let bias = file.tensor(&format!("{name}.bias")).map_err(|_| refused())?;
            let [height, width] = *weight.shape() else { return Err(refused()) };
            let fits = columns.is_none_or(|columns| columns == width)
                && rows.is_none_or(|rows| rows == height)
                && weight.dtype() == Dtype::F16
                && bias.dtype() == Dtype::F32
                && bias.shape() == [height];
            if !fits {
                return Err(refused());
            }
            let matrix = Matrix::from_blocks(&compute, GgmlType::F16, height, width, weight.data())
                .map_err(|_| refused())?;
            let linear =
                Linear::new(vec![matrix], Some(floats(bias.data()))).map_err(|_| refused())?;
            Projection::new(None, linear).map(Arc::new).map_err(|_| refused())
        };
        let input = matrix("input", None, None)?;
        let hidden = input.linear().rows();
        let mut convolutions = Vec::new();
        while file.tensor(&format!("convolution.{}.weight", convolutions.len())).is_ok() {
            let name = format!("convolution.{}", convolutions.len());
            convolutions.push(matrix(&name, Some(KERNEL * hidden), Some(hidden))?);
        }
        let output = matrix("output", Some(hidden), Some(TAGS))?;
        let transitions = file.tensor("transitions").map_err(|_| refused())?;
        if transitions.dtype() != Dtype::F32 || transitions.shape() != [TAGS + 1, TAGS] {
            return Err(refused());
        }
        let transitions = Transitions(floats(transitions.data()));
        Ok(Self { compute, device: Device::flex(), input, convolutions, output, transitions })
    }

    /// Columns of the features that it takes.
    #[must_use]
    pub fn features(&self) -> usize {
        self.input.linear().columns()
    }

    /// Scores of tags, `[token][TAGS]`, of texts one after another; `features` is `[token][features]`.
    ///
    /// # Errors
    /// When the features have another width.
    pub fn emissions(&self, features: Vec<f32>, lengths: &[usize]) -> Result<Vec<f32>> {
        let tokens: usize = lengths.iter().sum();
        if tokens == 0 || features.len() != tokens * self.features() {
            return Err(Error::Unsupported("the name model got other features".to_owned()));
        }
        let refused = |error: nearside_kernels::KernelError| Error::Unsupported(error.to_string());
        let tensor = |values: Vec<f32>| {
            let columns = values.len() / tokens;
            Tensor::<2>::from_data(TensorData::new(values, [tokens, columns]), &self.device)
        };
        let values = |x: Tensor<2>| -> Result<Vec<f32>> {
            x.into_data().try_to_vec().map_err(|error| Error::Device {
                why: format!("{error:?}").chars().take(120).collect(),
            })
        };
        let layer = |x: Vec<f32>, weights: &Arc<Projection>| {
            let x = project(&self.compute, tensor(x), weights).map_err(refused)?;
            values(gelu(&self.compute, x).map_err(refused)?)
        };
        let mut x = layer(features, &self.input)?;
        for convolution in &self.convolutions {
            let more = layer(neighbours(&x, lengths), convolution)?;
            for (x, more) in x.iter_mut().zip(more) {
                *x += more;
            }
        }
        values(project(&self.compute, tensor(x), &self.output).map_err(refused)?)
    }
}

/// Each row with the row before and the row after it, zeros beyond the ends of its text.
#[must_use]
pub fn neighbours(x: &[f32], lengths: &[usize]) -> Vec<f32> {
    let tokens: usize = lengths.iter().sum();
    let columns = x.len() / tokens.max(1);
    let mut out = vec![0.0; x.len() * KERNEL];
    let mut start = 0;
    for length in lengths {
        for token in start..start + length {
            let row = &mut out[token * KERNEL * columns..][..KERNEL * columns];
            for (part, place) in row.chunks_exact_mut(columns).enumerate() {
                let other = token + part;
                if other > start && other <= start + length {
                    place.copy_from_slice(&x[(other - 1) * columns..other * columns]);
                }
            }
        }
        start += length;
    }
    out
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}
