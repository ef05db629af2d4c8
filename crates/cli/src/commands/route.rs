//! `route`: where a request would run, and why; it is never run.

use super::task::options;
use crate::Outcome;
use crate::arguments::{Common, Route};
use crate::{batch, input, interrupt, output, place};

pub(crate) fn run(common: &Common, route: &Route) -> Outcome {
    let headless = place::headless(common)?;
    let options = options(&route.run, &headless);
    if route.jsonl {
        let cancel = interrupt::cancel();
        return batch::run(&cancel, &mut |text, _| {
            super::summarize::value(&headless.route(text, &options)?)
        });
    }
    let decision = headless.route(&input::text(route.text.as_deref())?, &options)?;
    if common.json {
        return output::json(&decision);
    }
    let value = super::summarize::value(&decision)?;
    let chosen = super::word(&value["chosen"]);
    output::line(if chosen.is_empty() { "nowhere" } else { &chosen });
    for reason in &decision.reasons {
        output::note(&format!("— {}", reason.text));
    }
    for discarded in &value["discarded"].as_array().cloned().unwrap_or_default() {
        output::note(&format!(
            "— not {}: {}",
            super::word(&discarded["route"]),
            super::word(&discarded["reason"]["text"])
        ));
    }
    Ok(())
}
