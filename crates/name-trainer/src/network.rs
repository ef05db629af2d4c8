//! The head while it learns: forward, backward by hand, and Adam (Kingma and Ba 2015) with decoupled weight
//! decay. Matrix products are burn's; the layers are those of `nearside_inference::names::NameHead`.

use burn::tensor::{Device, Tensor, TensorData};
use nearside_inference::names::{HeadWeights, KERNEL, TAGS, Tag, Transitions, neighbours};

use crate::chain;
use crate::generated::Chooser;

/// Columns of the hidden layers.
const HIDDEN: usize = 160;
const CONVOLUTIONS: usize = 2;
/// Share of the features that each step hides.
const HIDDEN_SHARE: f32 = 0.4;
const DECAY: f32 = 0.05;

/// A matrix `[input][output]` or a row of biases, with what Adam remembers of it.
struct Parameter {
    values: Vec<f32>,
    gradient: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    decays: bool,
}

impl Parameter {
    fn new(values: Vec<f32>, decays: bool) -> Self {
        let zeros = vec![0.0; values.len()];
        Self { values, gradient: zeros.clone(), mean: zeros.clone(), square: zeros, decays }
    }

    /// Uniform with the spread of He et al. 2015.
    fn random(c: &mut Chooser, inputs: usize, outputs: usize) -> Self {
        let spread = (6.0 / inputs as f32).sqrt();
        let values = (0..inputs * outputs)
            .map(|_| ((c.below(1 << 24) as f32) / (1 << 23) as f32 - 1.0) * spread)
            .collect();
        Self::new(values, true)
    }

    fn zeros(count: usize) -> Self {
        Self::new(vec![0.0; count], false)
    }

    fn step(&mut self, rate: f32, turn: i32) {
        let (first, second) = (1.0 - 0.9_f32.powi(turn), 1.0 - 0.99_f32.powi(turn));
        let decay = if self.decays { DECAY } else { 0.0 };
        for (i, x) in self.values.iter_mut().enumerate() {
            let g = self.gradient[i];
            self.mean[i] = 0.9 * self.mean[i] + 0.1 * g;
            self.square[i] = 0.99 * self.square[i] + 0.01 * g * g;
            let move_by = (self.mean[i] / first) / ((self.square[i] / second).sqrt() + 1e-8);
            *x -= rate * (move_by + decay * *x);
            self.gradient[i] = 0.0;
        }
    }
}

/// A dense layer.
struct Dense {
    weight: Parameter,
    bias: Parameter,
    inputs: usize,
    outputs: usize,
}

impl Dense {
    fn new(c: &mut Chooser, inputs: usize, outputs: usize) -> Self {
        let weight = Parameter::random(c, inputs, outputs);
        Self { weight, bias: Parameter::zeros(outputs), inputs, outputs }
    }

    fn forward(&self, x: &[f32]) -> Vec<f32> {
        let rows = x.len() / self.inputs;
        let x = matrix(x, rows, self.inputs);
        let mut out = product(x, matrix(&self.weight.values, self.inputs, self.outputs));
        for row in out.chunks_exact_mut(self.outputs) {
            for (y, bias) in row.iter_mut().zip(&self.bias.values) {
                *y += bias;
            }
        }
        out
    }

    /// Notes the gradients and returns that of the input, if `wanted`.
    fn backward(&mut self, x: &[f32], gradient: &[f32], wanted: bool) -> Vec<f32> {
        let rows = gradient.len() / self.outputs;
        let g = matrix(gradient, rows, self.outputs);
        let by_weight = product(matrix(x, rows, self.inputs).transpose(), g.clone());
        for (total, g) in self.weight.gradient.iter_mut().zip(by_weight) {
            *total += g;
        }
        for row in gradient.chunks_exact(self.outputs) {
            for (total, g) in self.bias.gradient.iter_mut().zip(row) {
                *total += g;
            }
        }
        if !wanted {
            return Vec::new();
        }
        product(g, matrix(&self.weight.values, self.inputs, self.outputs).transpose())
    }

    /// `[output][input]` and the bias, for inputs that were scaled as `scale` says.
    fn export(&self, scale: Option<&Scale>) -> (Vec<f32>, Vec<f32>) {
        let mut weight = vec![0.0; self.inputs * self.outputs];
        let mut bias = self.bias.values.clone();
        for input in 0..self.inputs {
            for output in 0..self.outputs {
                let mut w = self.weight.values[input * self.outputs + output];
                if let Some(scale) = scale {
                    w *= scale.inverse[input];
                    bias[output] -= w * scale.mean[input];
                }
                weight[output * self.inputs + input] = w;
            }
        }
        (weight, bias)
    }
}

/// Mean and spread of each feature, by which it is scaled.
pub(crate) struct Scale {
    pub(crate) mean: Vec<f32>,
    pub(crate) inverse: Vec<f32>,
}

pub(crate) struct Network {
    input: Dense,
    convolutions: Vec<Dense>,
    output: Dense,
    steps: Parameter,
    scale: Scale,
    turn: i32,
}

impl Network {
    pub(crate) fn new(c: &mut Chooser, scale: Scale) -> Self {
        let features = scale.mean.len();
        Self {
            input: Dense::new(c, features, HIDDEN),
            convolutions: (0..CONVOLUTIONS)
                .map(|_| Dense::new(c, KERNEL * HIDDEN, HIDDEN))
                .collect(),
            output: Dense::new(c, HIDDEN, TAGS),
            steps: Parameter::new(Transitions::default().0, false),
            scale,
            turn: 0,
        }
    }

    /// One step on sentences one after another; returns the mean loss of a token.
    pub(crate) fn learn(
        &mut self,
        c: &mut Chooser,
        mut x: Vec<f32>,
        lengths: &[usize],
        tags: &[Tag],
        rate: f32,
    ) -> f64 {
        self.scale(&mut x);
        for x in &mut x {
            *x *= if c.chance(f64::from(HIDDEN_SHARE)) { 0.0 } else { 1.0 / (1.0 - HIDDEN_SHARE) };
        }
        let inner = self.input.forward(&x);
        let mut states = vec![gelu(&inner)];
        let mut inners = vec![inner];
        let mut wide = Vec::new();
        for convolution in &self.convolutions {
            let state = &states[states.len() - 1];
            let near = neighbours(state, lengths);
            let inner = convolution.forward(&near);
            let next = gelu(&inner).iter().zip(state).map(|(a, b)| a + b).collect();
            wide.push(near);
            inners.push(inner);
            states.push(next);
        }
        let top = &states[states.len() - 1];
        let emissions = self.output.forward(top);

        let mut by_emission = vec![0.0; emissions.len()];
        let weight = 1.0 / tags.len() as f32;
        let transitions = Transitions(self.steps.values.clone());
        let mut total = 0.0;
        let mut start = 0;
        for length in lengths {
            let rows = start * TAGS..(start + length) * TAGS;
            total += chain::loss(
                &transitions,
                &emissions[rows.clone()],
                &tags[start..start + length],
                weight,
                &mut by_emission[rows],
                &mut self.steps.gradient,
            );
            start += length;
        }
        // Steps that cannot be stay impossible.
        for from in 0..=TAGS {
            for to in (0..TAGS).filter(|to| !transitions.allowed(from, *to)) {
                self.steps.gradient[from * TAGS + to] = 0.0;
            }
        }

        let mut gradient = self.output.backward(top, &by_emission, true);
        for (index, convolution) in self.convolutions.iter_mut().enumerate().rev() {
            let inner = through_gelu(&inners[index + 1], &gradient);
            let near = convolution.backward(&wide[index], &inner, true);
            gather(&near, lengths, &mut gradient);
        }
        let inner = through_gelu(&inners[0], &gradient);
        self.input.backward(&x, &inner, false);
        self.turn += 1;
        let turn = self.turn;
        self.parameters().into_iter().for_each(|parameter| parameter.step(rate, turn));
        total / tags.len() as f64
    }

    fn parameters(&mut self) -> Vec<&mut Parameter> {
        let mut all = vec![&mut self.steps];
        let layers = [&mut self.input, &mut self.output].into_iter().chain(&mut self.convolutions);
        for layer in layers {
            all.push(&mut layer.weight);
            all.push(&mut layer.bias);
        }
        all
    }

    fn scale(&self, x: &mut [f32]) {
        for row in x.chunks_exact_mut(self.scale.mean.len()) {
            for ((x, mean), inverse) in
                row.iter_mut().zip(&self.scale.mean).zip(&self.scale.inverse)
            {
                *x = (*x - mean) * inverse;
            }
        }
    }

    /// The head as the product loads it, the scaling folded into the first layer.
    pub(crate) fn export(&self) -> HeadWeights {
        HeadWeights {
            features: self.input.inputs,
            hidden: HIDDEN,
            input: self.input.export(Some(&self.scale)),
            convolutions: self.convolutions.iter().map(|layer| layer.export(None)).collect(),
            output: self.output.export(None),
            transitions: self.steps.values.clone(),
        }
    }
}

fn matrix(values: &[f32], rows: usize, columns: usize) -> Tensor<2> {
    Tensor::from_data(TensorData::new(values.to_vec(), [rows, columns]), &Device::flex())
}

fn product(a: Tensor<2>, b: Tensor<2>) -> Vec<f32> {
    a.matmul(b).into_data().try_to_vec().unwrap_or_default()
}

/// The approximation by tanh is within a thousandth of what the product computes exactly.
fn gelu(x: &[f32]) -> Vec<f32> {
    x.iter().map(|&x| 0.5 * x * (1.0 + inner(x).tanh())).collect()
}

fn inner(x: f32) -> f32 {
    0.797_884_6 * (x + 0.044_715 * x * x * x)
}

fn through_gelu(x: &[f32], gradient: &[f32]) -> Vec<f32> {
    let slope = |x: f32| {
        let t = inner(x).tanh();
        0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * 0.797_884_6 * (1.0 + 3.0 * 0.044_715 * x * x)
    };
    x.iter().zip(gradient).map(|(&x, g)| slope(x) * g).collect()
}

/// The reverse of `neighbours`: adds what each row gave to its neighbours.
fn gather(near: &[f32], lengths: &[usize], out: &mut [f32]) {
    let columns = near.len() / lengths.iter().sum::<usize>().max(1) / KERNEL;
    let mut start = 0;
    for length in lengths {
        for token in start..start + length {
            let row = &near[token * KERNEL * columns..][..KERNEL * columns];
            for (part, given) in row.chunks_exact(columns).enumerate() {
                let other = token + part;
                if other > start && other <= start + length {
                    let place = &mut out[(other - 1) * columns..other * columns];
                    place.iter_mut().zip(given).for_each(|(place, given)| *place += given);
                }
            }
        }
        start += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_learns_to_tell_two_features_apart() {
        let mut c = Chooser::new(5);
        let scale = Scale { mean: vec![0.0; 32], inverse: vec![1.0; 32] };
        let mut network = Network::new(&mut c, scale);
        let mut losses = Vec::new();
        for _ in 0..60 {
            let tags: Vec<Tag> = (0..24)
                .map(|_| if c.chance(0.5) { Tag::Begins(0) } else { Tag::Outside })
                .collect();
            let x = tags.iter().flat_map(|tag| {
                let sign = if *tag == Tag::Outside { -1.0 } else { 1.0 };
                (0..32_u8).map(move |i| sign * f32::from(i % 3))
            });
            losses.push(network.learn(&mut c, x.collect(), &[10, 14], &tags, 2e-3));
        }
        assert!(losses[59] < 0.3 * losses[0], "{losses:?}");
    }
}
