//! The kernels themselves, in CubeCL. Each is right for any adapter that has 64 units in a cube and 16 KiB of
//! shared memory; none is tuned to one.
#![expect(
    clippy::cast_possible_truncation,
    reason = "the kernel language: casts are those of a shader"
)]

use burn_cubecl::cubecl;
use burn_cubecl::cubecl::prelude::*;

/// Units of a cube.
pub(crate) const UNITS: usize = 64;
/// Rows of weights that a cube multiplies.
pub(crate) const ROWS: usize = 4;

/// `out[token, from + row] = Σ x[token, column] · weight[row, column] (+ bias[row]) (+ residual)`.
///
/// A cube does `ROWS` rows for `tile` tokens; its units share the columns and add up in a tree.
#[cube(launch)]
pub(crate) fn product(
    x: &[f32],
    codes: &[u32],
    scales: &[f32],
    bias: &[f32],
    residual: &[f32],
    out: &mut [f32],
    columns: usize,
    rows: usize,
    tokens: usize,
    out_columns: usize,
    from: usize,
    #[comptime] bits: usize,
    #[comptime] group: usize,
    #[comptime] tile: usize,
    #[comptime] has_bias: bool,
    #[comptime] has_residual: bool,
) {
    let unit = UNIT_POS as usize;
    let first_row =
        (CUBE_POS_X as usize + CUBE_POS_Z as usize * CUBE_COUNT_X as usize) * comptime!(ROWS);
    let first_token = CUBE_POS_Y as usize * tile;
    let per_word = comptime!(32 / bits);
    let words = columns / per_word;

    let mut sums = Array::<f32>::new(comptime!(ROWS * tile));
    #[unroll]
    for i in 0..comptime!(ROWS * tile) {
        sums[i] = 0.0;
    }
    let mut values = Array::<f32>::new(comptime!(per_word * tile));
    let mut word = unit;
    while word < words {
        let column = word * per_word;
        #[unroll]
        for t in 0..tile {
            let token = min(first_token + t, tokens - 1);
            #[unroll]
            for j in 0..per_word {
                values[t * per_word + j] = x[token * columns + column + j];
            }
        }
        #[unroll]
        for r in 0..comptime!(ROWS) {
            let row = min(first_row + r, rows - 1);
            let packed = codes[row * words + word];
            if comptime!(bits == 32) {
                let weight = f32::reinterpret(packed);
                #[unroll]
                for t in 0..tile {
                    sums[r * tile + t] += weight * values[t];
                }
            } else {
                let at = 2 * (row * (columns / group) + column / group);
                let scale = scales[at];
                let offset = scales[at + 1];
                #[unroll]
                for j in 0..per_word {
                    let shift = comptime!((j * bits) as u32);
                    let mask = comptime!((1u32 << (bits as u32)) - 1);
                    let weight = scale * f32::cast_from((packed >> shift) & mask) + offset;
                    #[unroll]
                    for t in 0..tile {
                        sums[r * tile + t] += weight * values[t * per_word + j];
                    }
                }
            }
        }
        word += comptime!(UNITS);
    }

    let mut shared = Shared::<[f32]>::new_slice(comptime!(ROWS * tile * UNITS));
    #[unroll]
    for i in 0..comptime!(ROWS * tile) {
        shared[i * comptime!(UNITS) + unit] = sums[i];
    }
    sync_cube();
    let mut stride = comptime!(UNITS / 2).runtime();
    while stride > 0 {
        if unit < stride {
            #[unroll]
            for i in 0..comptime!(ROWS * tile) {
                let at = i * comptime!(UNITS) + unit;
                shared[at] += shared[at + stride];
            }
        }
        sync_cube();
        stride /= 2;
    }
    if unit < comptime!(ROWS * tile) {
        let row = first_row + unit / tile;
        let token = first_token + unit % tile;
        if row < rows && token < tokens {
            let mut sum = shared[unit * comptime!(UNITS)];
            if comptime!(has_bias) {
                sum += bias[from + row];
            }
            let at = token * out_columns + from + row;
            if comptime!(has_residual) {
                sum += residual[at];
            }
            out[at] = sum;
        }
    }
}

/// Root mean square normalisation of each row (Zhang & Sennrich 2019); a cube does a row.
#[cube(launch)]
pub(crate) fn normalise(x: &[f32], weight: &[f32], out: &mut [f32], columns: usize, epsilon: f32) {
    let unit = UNIT_POS as usize;
    let row = CUBE_POS_X as usize * columns;
    let mut sum = 0.0f32;
    let mut column = unit;
    while column < columns {
        let value = x[row + column];
        sum += value * value;
        column += comptime!(UNITS);
    }
    let mut shared = Shared::<[f32]>::new_slice(UNITS);
    shared[unit] = sum;
    sync_cube();
    let mut stride = comptime!(UNITS / 2).runtime();
    while stride > 0 {
        if unit < stride {
            shared[unit] += shared[unit + stride];
        }
        sync_cube();
        stride /= 2;
    }
    let scale = 1.0 / (shared[0] / f32::cast_from(columns) + epsilon).sqrt();
    let mut column = unit;
    while column < columns {
        out[row + column] = x[row + column] * scale * weight[column];
        column += comptime!(UNITS);
    }
}

/// `silu(gate) * up` of rows that hold gate and up side by side, `width` each.
#[cube(launch)]
pub(crate) fn gate(both: &[f32], out: &mut [f32], width: usize, elements: usize) {
    let at = ABSOLUTE_POS;
    if at < elements {
        let first = at / width * (2 * width) + at % width;
        let gate = both[first];
        out[at] = gate / (1.0 + (-gate).exp()) * both[first + width];
    }
}

/// Rotates queries into `queries` and keys into the cache, and copies values there.
///
/// `fused` is rows of query, key and value; `turns` cosine and sine of each row and pair.
#[cube(launch)]
pub(crate) fn rotate(
    fused: &[f32],
    turns: &[f32],
    queries: &mut [f32],
    keys: &mut [f32],
    values: &mut [f32],
    before: usize,
    elements: usize,
    #[comptime] width: usize,
    #[comptime] kv_width: usize,
    #[comptime] head_size: usize,
    #[comptime] half: usize,
    #[comptime] neighbours: bool,
) {
    let at = ABSOLUTE_POS;
    if at < elements {
        let row_width = comptime!(width + 2 * kv_width);
        let token = at / row_width;
        let column = at % row_width;
        if column >= comptime!(width + kv_width) {
            values[(before + token) * kv_width + column - comptime!(width + kv_width)] = fused[at];
        } else {
            let element = column % head_size;
            let mut value = fused[at];
            if element < comptime!(2 * half) {
                let mut pair = element / 2;
                let mut first = element.is_multiple_of(2);
                let mut step = 1usize.runtime();
                if comptime!(!neighbours) {
                    pair = element % half;
                    first = element < half;
                    step = half;
                }
                let turn = 2 * (token * half + pair);
                let cosine = turns[turn];
                let sine = turns[turn + 1];
                if first {
                    value = value * cosine - fused[at + step] * sine;
                } else {
                    value = fused[at - step] * sine + value * cosine;
                }
            }
            if column < width {
                queries[token * width + column] = value;
            } else {
                keys[(before + token) * kv_width + column - width] = value;
            }
        }
    }
}

/// Causal attention with a running softmax (Milakov & Gimelshein 2018; Dao et al. 2022); a cube does one
/// head of one token, 64 positions at a time.
#[cube(launch)]
pub(crate) fn attend(
    queries: &[f32],
    keys: &[f32],
    values: &[f32],
    out: &mut [f32],
    before: usize,
    scale: f32,
    #[comptime] heads: usize,
    #[comptime] kv_heads: usize,
    #[comptime] head_size: usize,
) {
    let unit = UNIT_POS as usize;
    let token = CUBE_POS_X as usize;
    let head = CUBE_POS_Y as usize;
    let kv_width = comptime!(kv_heads * head_size);
    let kv_from = head / comptime!(heads / kv_heads) * head_size;
    let seen = before + token + 1;
    let row = (token * heads + head) * head_size;
    let each = comptime!(head_size.div_ceil(UNITS));

    let mut query = Shared::<[f32]>::new_slice(head_size);
    let mut weights = Shared::<[f32]>::new_slice(UNITS);
    let mut largest_of = Shared::<[f32]>::new_slice(UNITS);
    let mut mixed = Array::<f32>::new(each);
    #[unroll]
    for j in 0..each {
        mixed[j] = 0.0;
        let element = unit + j * comptime!(UNITS);
        if element < head_size {
            query[element] = queries[row + element] * scale;
        }
    }
    let mut largest = f32::new(-1e30);
    let mut total = 0.0f32;
    let mut first = 0usize.runtime();
    while first < seen {
        sync_cube();
        let position = first + unit;
        let mut score = f32::new(-1e30);
        if position < seen {
            score = 0.0;
            let key = position * kv_width + kv_from;
            for element in 0..head_size {
                score += query[element] * keys[key + element];
            }
        }
        weights[unit] = score;
        largest_of[unit] = score;
        sync_cube();
        let mut stride = comptime!(UNITS / 2).runtime();
        while stride > 0 {
            if unit < stride {
                largest_of[unit] = max(largest_of[unit], largest_of[unit + stride]);
            }
            sync_cube();
            stride /= 2;
        }
        let now = max(largest, largest_of[0]);
        let shrink = (largest - now).exp();
        largest = now;
        weights[unit] = (score - now).exp();
        sync_cube();
        total *= shrink;
        #[unroll]
        for j in 0..each {
            mixed[j] *= shrink;
        }
        let count = min(comptime!(UNITS).runtime(), seen - first);
        for i in 0..count {
            let weight = weights[i];
            total += weight;
            #[unroll]
            for j in 0..each {
                let element = unit + j * comptime!(UNITS);
                if element < head_size {
                    mixed[j] += weight * values[(first + i) * kv_width + kv_from + element];
                }
            }
        }
        first += comptime!(UNITS);
    }
    #[unroll]
    for j in 0..each {
        let element = unit + j * comptime!(UNITS);
        if element < head_size {
            out[row + element] = mixed[j] / total;
        }
    }
}

/// Copies the first `elements` numbers.
#[cube(launch)]
pub(crate) fn copy(from: &[f32], to: &mut [f32], elements: usize) {
    if ABSOLUTE_POS < elements {
        to[ABSOLUTE_POS] = from[ABSOLUTE_POS];
    }
}
