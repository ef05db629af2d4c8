//! `cargo xtask COMMAND`: the project's own chores, so that a fresh machine needs only the toolchains.
//!
//! It composes other programs (cargo, npm, apt, pip, Xvfb) and holds no product code.

mod bindings;
mod bundle;
mod cross;
mod end_to_end;
mod fuzz;
mod licences;
mod place;
mod run;
mod setup;
mod step;
mod test;
mod tidy;
mod train;
mod user_interface;
mod weights;

use std::process::ExitCode;

const HELP: &str = "cargo xtask COMMAND

  run        install what is missing, fetch the default weights, build, open the window
             (with no display: do the same job headless)
  test       the whole of CI   [--skip STEP]… [--only STEP]…
  setup      install missing system packages only
  models     fetch the default weights only
  ui         build the window's user interface only
  bindings   write ui/src/ipc/bindings.ts from crates/types   [--check]
  tidy       crate graph, file heads, sizes, forbidden words
  train-names --ner FOLDER --encoder FOLDER
             make the name model's head anew, from unpacked .iob2 files
  e2e        the end-to-end test in a real window
  fuzz SECS  fuzz every parser for SECS seconds each
  soak SECS  index, ask and redact in a loop for SECS seconds, and watch memory
  cross      compile for Windows and Arm, and run what can run   [--only windows|arm] [--gpu]
  stage      put the release command line and the licences where the bundler takes them from
  deb        build the .deb, install it, start it, remove it";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rest = arguments.get(1..).unwrap_or_default();
    let result = match arguments.first().map(String::as_str) {
        Some("run") => run::run(rest),
        Some("test") => test::test(rest),
        Some("setup") => setup::setup(),
        Some("models") => weights::fetch_default(),
        Some("ui") => user_interface::build(),
        Some("bindings") => bindings::bindings(rest.iter().any(|flag| flag == "--check")),
        Some("tidy") => tidy::tidy(),
        Some("train-names") => train::names(rest),
        Some("e2e") => end_to_end::end_to_end(),
        Some("fuzz") => fuzz::fuzz(rest),
        Some("soak") => fuzz::soak(rest),
        Some("cross") => cross::cross(rest),
        Some("deb") => bundle::deb(),
        Some("stage") => bundle::stage(),
        Some("help" | "--help" | "-h") | None => {
            step::say(HELP);
            return ExitCode::SUCCESS;
        }
        Some(other) => {
            step::complain(&format!(
                "there is no command `{other}`; `cargo xtask help` lists them"
            ));
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            step::complain(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}
