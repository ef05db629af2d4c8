//! Fuzzing and soaking: the same programs that CI runs for 20 seconds, for as long as one likes.

use anyhow::{Context, Result};

use crate::place::Place;
use crate::step::run;

fn seconds(arguments: &[String]) -> Result<String> {
    let text = arguments.first().map_or("20", String::as_str);
    text.parse::<u64>().with_context(|| format!("`{text}` is not a number of seconds"))?;
    Ok(text.to_owned())
}

/// Every target in turn shares the seconds.
pub(crate) fn fuzz(arguments: &[String]) -> Result<()> {
    let place = Place::find()?;
    run(&mut place.cargo(&[
        "run",
        "--quiet",
        "--package",
        "nearside-fuzz",
        "--",
        "all",
        &seconds(arguments)?,
    ]))
}

pub(crate) fn soak(arguments: &[String]) -> Result<()> {
    let place = Place::find()?;
    run(&mut place.cargo(&[
        "run",
        "--quiet",
        "--package",
        "nearside-fuzz",
        "--",
        "soak",
        &seconds(arguments)?,
    ]))
}
