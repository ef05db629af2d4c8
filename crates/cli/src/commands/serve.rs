//! `serve`: the installed models for other programs of this machine. It runs until it is stopped.

use serde_json::json;

use crate::Outcome;
use crate::arguments::{Common, Serve};
use crate::{interrupt, output, place};

pub(crate) fn run(common: &Common, serve: Serve) -> Outcome {
    let headless = place::headless(common)?;
    let cancel = interrupt::cancel();
    let fresh = serve.token.is_none();
    let token = serve.token.unwrap_or_else(nearside_engine::fresh_token);
    let shown = token.clone();
    let json = common.json;
    nearside_engine::serve(
        &headless,
        serve.listen,
        token,
        serve.device.into(),
        &cancel,
        &mut |address| {
            let base = format!("http://{address}/v1");
            if json {
                // A script reads this line to know that it listens.
                let token = fresh.then_some(shown.as_str());
                output::line(&json!({ "base_url": base, "token": token }).to_string());
            } else {
                output::note(&format!("Serving {base}; Ctrl+C stops it."));
                if fresh {
                    output::line(&shown);
                }
            }
        },
    )
}
