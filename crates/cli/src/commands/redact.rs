//! `redact`: placeholders in the place of personal data, with the map back.

use nearside_engine::PseudonymMap;

use crate::Outcome;
use crate::arguments::{Common, Redact};
use crate::{batch, input, interrupt, output, place};

pub(crate) fn run(common: &Common, redact: &Redact) -> Outcome {
    let headless = place::headless(common)?;
    let one = |text: &str| {
        // Each text has a map of its own, so that lines do not depend on each other.
        let mut map = PseudonymMap::new();
        headless.redact(text, &redact.policy, &mut map)
    };
    if redact.jsonl {
        let cancel = interrupt::cancel();
        return batch::run(&cancel, &mut |text, _| super::summarize::value(&one(text)?));
    }
    let redaction = one(&input::text(redact.text.as_deref())?)?;
    if common.json {
        return output::json(&redaction);
    }
    output::line(redaction.text.trim_end_matches('\n'));
    for span in &redaction.spans {
        output::note(&format!(
            "— {} at {}–{}: {} ({})",
            span.kind.name(),
            span.start,
            span.end,
            &*span.replacement,
            span.why
        ));
    }
    Ok(())
}
