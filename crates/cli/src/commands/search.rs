//! `search`: passages of the library.

use nearside_engine::attach::Request;
use serde_json::json;

use crate::Outcome;
use crate::arguments::Common;
use crate::output;

pub(crate) fn run(common: &Common, query: &str, k: u16) -> Outcome {
    let request = Request::Search { query: query.into(), limit: usize::from(k) };
    let value = super::call(common, request)?;
    // The contract names hits; lists are items.
    let value = json!({ "items": value["items"] });
    super::show(common, &value, |value| {
        if super::items(value).is_empty() {
            output::note("Nothing found.");
        }
        let hits = super::items(value).iter().map(|hit| {
            format!(
                "{} p. {} ({})\n  {}\n",
                super::plain(&super::word(&hit["file"])),
                hit["page"],
                super::word(&hit["how"]),
                super::word(&hit["text"]).replace('\n', " ")
            )
        });
        hits.collect()
    })
}
