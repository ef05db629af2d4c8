//! `summarize`: whole documents, with what was read of them.

use nearside_engine::attach::{ByHash, CallEvent, Request};
use nearside_types::Failure;
use serde::Serialize;
use serde_json::Value;

use super::task::{Watch, options, request};
use crate::Outcome;
use crate::arguments::{Common, Summarize};
use crate::{input, interrupt, place};

pub(crate) fn run(common: &Common, summarize: &Summarize) -> Outcome {
    let cancel = interrupt::cancel();
    let headless = place::headless(common)?;
    let mut watch = Watch::new(common);
    let result = if summarize.run.approve.is_some() || common.passphrase_fd.is_some() {
        let mut request = request(&summarize.run, &headless);
        request.summary = true;
        request.files =
            summarize.files.iter().map(|path| input::absolute(path)).collect::<Result<_, _>>()?;
        place::session(common)?.call(Request::Ask(Box::new(request)), &cancel, &mut |event| {
            if let CallEvent::Chat { event } = event {
                watch.event(event);
            }
        })
    } else {
        let options = options(&summarize.run, &headless);
        let mut on_event = |event| watch.event(event);
        let documents = headless.read(&summarize.files, &cancel, &mut on_event)?;
        headless
            .summarize(documents, &options, &mut ByHash(None), &cancel, &mut on_event)
            .and_then(|summary| value(&summary))
    };
    watch.end(result)
}

/// A result as JSON.
pub(super) fn value(of: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(of)
        .map_err(|error| Failure::internal(format!("The result could not be written: {error}.")))
}
