//! What no compiler checks: the crate graph, how files open, how long they are, words that must not
//! appear, and translations that are complete. It reports everything it finds, not only the first.

mod graph;
mod sources;

use anyhow::{Result, bail};

use crate::place::Place;
use crate::step::{cargo, complain, read, say};

pub(crate) fn tidy() -> Result<()> {
    let place = Place::find()?;
    let metadata =
        read(&mut cargo(&place.root, &["metadata", "--format-version", "1", "--no-deps"]))?;
    let mut complaints = graph::complaints(&graph::edges(&metadata)?);
    complaints.extend(sources::complaints(&place.root)?);
    for complaint in &complaints {
        complain(complaint);
    }
    if !complaints.is_empty() {
        bail!("{} things are untidy", complaints.len());
    }
    say("tidy");
    Ok(())
}
