//! `DeviceKv`: keys and values of one layer in a GPU's memory, position by position. How many of them are
//! valid is the `KvLayer`'s business.

use burn_cubecl::cubecl::client::Client;
use burn_cubecl::cubecl::server::Handle;

use super::launch;

/// Positions that a cache grows by at least.
const STEP: usize = 256;

/// Buffers of `[position][head][dimension]` in `f32`.
#[derive(Clone)]
pub(crate) struct DeviceKv {
    pub(crate) keys: Handle,
    pub(crate) values: Handle,
    /// Positions that fit.
    pub(crate) capacity: usize,
}

impl DeviceKv {
    /// Buffers for `needed` positions of `width` numbers, with the first `held` of `old` in them. They double,
    /// so that a long conversation is copied few times.
    pub(crate) fn grown(
        old: Option<Self>,
        client: &Client,
        width: usize,
        held: usize,
        needed: usize,
    ) -> Self {
        if let Some(old) = &old
            && old.capacity >= needed
        {
            return old.clone();
        }
        let least = old.as_ref().map_or(STEP, |old| 2 * old.capacity);
        let capacity = needed.next_multiple_of(STEP).max(least);
        let new = Self {
            keys: client.empty(4 * capacity * width),
            values: client.empty(4 * capacity * width),
            capacity,
        };
        if let Some(old) = old
            && held > 0
        {
            launch::copy(client, &old.keys, &new.keys, held * width);
            launch::copy(client, &old.values, &new.values, held * width);
        }
        new
    }
}
