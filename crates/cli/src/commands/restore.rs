//! `restore`: originals in the place of placeholders.

use std::collections::BTreeMap;
use std::path::Path;

use nearside_engine::PseudonymMap;
use nearside_types::{Failure, FailureKind, UserText};
use serde_json::Value;

use crate::Outcome;
use crate::arguments::{Common, Restore};
use crate::{batch, input, interrupt, output};

/// A map is small; a larger file is another one.
const LONGEST: u64 = 64 << 20;

pub(crate) fn run(common: &Common, restore: &Restore) -> Outcome {
    let map = restore.map.as_deref().map(read).transpose()?.unwrap_or_default();
    if restore.jsonl {
        let cancel = interrupt::cancel();
        return batch::run(&cancel, &mut |text, fields| {
            let own = fields.get("map").map(entries).transpose()?;
            let map = PseudonymMap::from_entries(own.unwrap_or_else(|| map.clone()));
            super::summarize::value(&nearside_engine::restore(text, &map))
        });
    }
    let text = input::text(restore.text.as_deref())?;
    let restored = nearside_engine::restore(&text, &PseudonymMap::from_entries(map));
    if common.json {
        return output::json(&restored);
    }
    output::line(restored.text.trim_end_matches('\n'));
    for unknown in &restored.unknown {
        output::note(&format!("— {unknown} is not in the map"));
    }
    Ok(())
}

fn read(path: &Path) -> Result<BTreeMap<String, UserText>, Failure> {
    let missing = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::not_found("There is no map file at this path."),
        _ => Failure::new(FailureKind::NothingReadable, "The map file could not be opened."),
    };
    let size = std::fs::metadata(path).map_err(missing)?.len();
    if size > LONGEST {
        return Err(Failure::usage("The map file is longer than 64 MB; it is no map."));
    }
    let text = std::fs::read(path).map_err(missing)?;
    let value: Value = serde_json::from_slice(&text).map_err(|_| no_map())?;
    // The whole result of `redact --json` holds the map as a field.
    entries(value.get("map").filter(|map| map.is_object()).unwrap_or(&value))
}

fn entries(value: &Value) -> Result<BTreeMap<String, UserText>, Failure> {
    serde_json::from_value(value.clone()).map_err(|_| no_map())
}

fn no_map() -> Failure {
    Failure::usage(
        "The map is not a JSON object of placeholders and originals; use what `redact --json` printed.",
    )
}
