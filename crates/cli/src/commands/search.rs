//! `search`: passages of the library.

use nearside_engine::attach::Request;
use serde_json::json;

use crate::Outcome;
use crate::arguments::Common;

pub(crate) fn run(common: &Common, query: &str, k: u16) -> Outcome {
    let request = Request::Search { query: query.into(), limit: usize::from(k) };
    let value = super::call(common, request)?;
    // The contract names hits; lists are items.
    let value = json!({ "items": value["items"] });
    super::show(common, &value, |value| {
        let hits = super::items(value).iter().map(|hit| {
            format!(
                "{} p. {} ({})\n  {}\n",
                super::word(&hit["file"]),
                hit["page"],
                super::word(&hit["how"]),
                super::word(&hit["text"]).replace('\n', " ")
            )
        });
        hits.collect()
    })
}
