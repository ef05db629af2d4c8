//! `DeviceMatrix`: weights in a GPU's memory, packed as `pack` says and cut into pieces that any adapter can
//! bind. It owns its buffers and keeps nothing in main memory.

use burn_cubecl::CubeDevice;
use burn_cubecl::cubecl::client::Client;
use burn_cubecl::cubecl::server::Handle;

use super::pack::{Packing, pack_row};
use crate::{GgmlType, KernelError};

/// Bytes that a piece may have: half of what the least capable adapters can bind at once.
const PIECE_BYTES: usize = 64 << 20;

/// Consecutive rows of a matrix.
pub(crate) struct Piece {
    pub(crate) from: usize,
    pub(crate) rows: usize,
    pub(crate) codes: Handle,
    pub(crate) scales: Handle,
}

/// A matrix of `rows` × `columns` on a device.
pub(crate) struct DeviceMatrix {
    pub(crate) columns: usize,
    pub(crate) packing: Packing,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) bytes: usize,
}

impl DeviceMatrix {
    /// Packs and uploads `rows` rows of whole blocks; `bytes` has been checked to be just those.
    pub(crate) fn upload(
        device: &CubeDevice,
        kind: GgmlType,
        rows: usize,
        columns: usize,
        bytes: &[u8],
    ) -> Result<Self, KernelError> {
        let packing = Packing::of(kind);
        if !columns.is_multiple_of(8) {
            return Err(KernelError::Ragged { kind: kind.name(), columns });
        }
        let client = device.client();
        let row_bytes = bytes.len() / rows.max(1);
        let packed_row = 4 * (packing.words(columns) + packing.scales(columns));
        let most = (PIECE_BYTES / packed_row.max(1)).max(1);
        let mut pieces = Vec::with_capacity(rows.div_ceil(most));
        let (mut words, mut scales) = (Vec::new(), Vec::new());
        for from in (0..rows).step_by(most) {
            let count = most.min(rows - from);
            words.clear();
            scales.clear();
            for row in from..from + count {
                let row = &bytes[row * row_bytes..(row + 1) * row_bytes];
                pack_row(kind, row, &mut words, &mut scales);
            }
            pieces.push(Piece {
                from,
                rows: count,
                codes: client.create_from_slice(bytemuck::cast_slice(&words)),
                scales: numbers(&client, &scales),
            });
        }
        Ok(Self { columns, packing, pieces, bytes: rows * packed_row })
    }
}

/// Numbers on the device; one zero where there are none, since no buffer is empty.
pub(crate) fn numbers(client: &Client, values: &[f32]) -> Handle {
    client.create_from_slice(bytemuck::cast_slice(if values.is_empty() { &[0.0] } else { values }))
}
