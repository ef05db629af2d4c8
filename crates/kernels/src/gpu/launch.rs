//! Launches of the kernels: sizes in, cubes out. Each function states the sizes of its buffers once, which is
//! what makes the bindings sound.

use burn_cubecl::cubecl::client::Client;
use burn_cubecl::cubecl::prelude::*;
use burn_cubecl::cubecl::server::Handle;

use super::kernels::{self, ROWS, UNITS};
use super::matrix::DeviceMatrix;
use crate::{HeadShape, KvLayer, Pairing};

/// Cubes that any adapter takes along one axis.
const AXIS: usize = 65_535;

/// A binding of `len` elements of four bytes.
fn bind(handle: &Handle, len: usize) -> BufferArg {
    // SAFETY: every caller in this file passes the number of elements the buffer was made with, or fewer.
    unsafe { BufferArg::from_raw_parts(handle.clone(), len) }
}

fn cubes(x: usize, y: usize) -> CubeCount {
    let axis = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let z = x.div_ceil(AXIS).max(1);
    CubeCount::Static(axis(x.div_ceil(z)), axis(y), axis(z))
}

fn units() -> CubeDim {
    CubeDim::new_1d(u32::try_from(UNITS).unwrap_or(64))
}

fn elementwise(elements: usize) -> CubeCount {
    cubes(elements.div_ceil(UNITS), 1)
}

/// Rows in and rows out of a product.
pub(crate) struct Rows<'a> {
    pub(crate) x: &'a Handle,
    pub(crate) tokens: usize,
    pub(crate) out: &'a Handle,
    pub(crate) out_columns: usize,
    pub(crate) bias: Option<&'a Handle>,
    pub(crate) residual: Option<&'a Handle>,
}

/// `x · weightsᵀ` into the columns `from ..` of `out`.
pub(crate) fn product(client: &Client, rows: &Rows<'_>, matrix: &DeviceMatrix, from: usize) {
    let Rows { x, tokens, out, out_columns, bias, residual } = *rows;
    let columns = matrix.columns;
    let tile = if tokens == 1 { 1 } else { 4 };
    for piece in &matrix.pieces {
        kernels::product::launch(
            client,
            cubes(piece.rows.div_ceil(ROWS), tokens.div_ceil(tile)),
            units(),
            bind(x, tokens * columns),
            bind(&piece.codes, piece.rows * matrix.packing.words(columns)),
            bind(&piece.scales, (piece.rows * matrix.packing.scales(columns)).max(1)),
            bias.map_or_else(|| bind(x, 1), |bias| bind(bias, out_columns)),
            residual.map_or_else(|| bind(x, 1), |handle| bind(handle, tokens * out_columns)),
            bind(out, tokens * out_columns),
            columns,
            piece.rows,
            tokens,
            out_columns,
            from + piece.from,
            matrix.packing.bits,
            matrix.packing.group,
            tile,
            bias.is_some(),
            residual.is_some(),
        );
    }
}

/// Normalised rows.
pub(crate) fn normalise(
    client: &Client,
    x: &Handle,
    weight: &Handle,
    (tokens, columns): (usize, usize),
    epsilon: f32,
) -> Handle {
    let out = client.empty(4 * tokens * columns);
    kernels::normalise::launch(
        client,
        cubes(tokens, 1),
        units(),
        bind(x, tokens * columns),
        bind(weight, columns),
        bind(&out, tokens * columns),
        columns,
        epsilon,
    );
    out
}

/// `silu(gate) * up`: rows of `2 * width` to rows of `width`.
pub(crate) fn gate(client: &Client, both: &Handle, tokens: usize, width: usize) -> Handle {
    let elements = tokens * width;
    let out = client.empty(4 * elements);
    kernels::gate::launch(
        client,
        elementwise(elements),
        units(),
        bind(both, 2 * elements),
        bind(&out, elements),
        width,
        elements,
    );
    out
}

/// Rotates and appends `tokens` rows to the layer, whose buffers hold at least that many more, and mixes.
pub(crate) fn attention(
    client: &Client,
    (fused, turns): (&Handle, &Handle),
    tokens: usize,
    shape: HeadShape,
    (pairing, half): (Pairing, usize),
    layer: &KvLayer,
    kv: &super::DeviceKv,
) -> Handle {
    let HeadShape { heads, kv_heads, head_size } = shape;
    let (width, kv_width) = (heads * head_size, kv_heads * head_size);
    let elements = tokens * shape.fused_columns();
    let queries = client.empty(4 * tokens * width);
    kernels::rotate::launch(
        client,
        elementwise(elements),
        units(),
        bind(fused, elements),
        bind(turns, (2 * tokens * half).max(1)),
        bind(&queries, tokens * width),
        bind(&kv.keys, kv.capacity * kv_width),
        bind(&kv.values, kv.capacity * kv_width),
        layer.len(),
        elements,
        width,
        kv_width,
        head_size,
        half,
        pairing == Pairing::Neighbours,
    );
    let out = client.empty(4 * tokens * width);
    #[expect(clippy::cast_precision_loss, reason = "a head has some hundred elements")]
    let scale = 1.0 / (head_size as f32).sqrt();
    kernels::attend::launch(
        client,
        CubeCount::Static(
            u32::try_from(tokens).unwrap_or(u32::MAX),
            u32::try_from(heads).unwrap_or(u32::MAX),
            1,
        ),
        units(),
        bind(&queries, tokens * width),
        bind(&kv.keys, kv.capacity * kv_width),
        bind(&kv.values, kv.capacity * kv_width),
        bind(&out, tokens * width),
        layer.len(),
        scale,
        heads,
        kv_heads,
        head_size,
    );
    out
}

/// Copies `elements` numbers.
pub(crate) fn copy(client: &Client, from: &Handle, to: &Handle, elements: usize) {
    kernels::copy::launch(
        client,
        elementwise(elements),
        units(),
        bind(from, elements),
        bind(to, elements),
        elements,
    );
}
