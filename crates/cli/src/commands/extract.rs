//! `extract`: what can be read in a file. A file that cannot be read is a result with exit status 0.

use std::path::Path;

use crate::Outcome;
use crate::arguments::Common;
use crate::{interrupt, output, place};

pub(crate) fn run(common: &Common, file: &Path) -> Outcome {
    let cancel = interrupt::cancel();
    let extracted = place::headless(common)?.extract(file, &cancel, &mut |_, _| {})?;
    if common.json {
        return output::json(&extracted);
    }
    for page in &extracted.pages {
        let section = page.section.as_ref().map(|s| format!(" {}", &**s)).unwrap_or_default();
        output::line(&format!("[{}]{section}\n{}\n", page.page, &*page.text));
    }
    let value = super::summarize::value(&extracted)?;
    output::note(&format!(
        "— {}: {}, {}",
        super::word(&value["status"]),
        extracted.kind,
        super::counted(&extracted.pages.len().into(), "pages")
    ));
    for warning in &extracted.warnings {
        output::note(&format!("— {warning}"));
    }
    Ok(())
}
