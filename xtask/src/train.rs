//! Training what ships with the program: the head of the name model. The trainer is a crate of its own.

use anyhow::Result;

use crate::place::Place;
use crate::step::run;

/// Where the head lies in the tree.
const HEAD: &str = "crates/inference/assets/names.safetensors";

/// Passes its arguments on and writes the head in its place.
pub(crate) fn names(arguments: &[String]) -> Result<()> {
    let place = Place::find()?;
    let head = place.root.join(HEAD).display().to_string();
    let mut command = place.cargo(&["run", "--package", "nearside-name-trainer", "--"]);
    run(command.args(arguments).args(["--out", &head]))
}
