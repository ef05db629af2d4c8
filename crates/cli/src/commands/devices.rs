//! `devices`: what models can run on here, which one is chosen, and why.

use serde_json::json;

use crate::Outcome;
use crate::arguments::{Common, DeviceArg};
use crate::place;

pub(crate) fn run(common: &Common, device: DeviceArg) -> Outcome {
    let adapters = place::headless(common)?.devices(device.into());
    super::show(common, &json!({ "items": adapters }), |_| {
        let rows: Vec<Vec<String>> = adapters
            .iter()
            .map(|adapter| {
                vec![
                    if adapter.chosen { "*" } else { " " }.to_owned(),
                    adapter.name.clone(),
                    adapter.backend.clone(),
                    adapter.memory.map(super::size).unwrap_or_default(),
                    adapter.why.text.clone(),
                ]
            })
            .collect();
        super::table(&rows)
    })
}
