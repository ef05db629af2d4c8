//! `cargo xtask test`: the whole of CI, cheapest complaint first. Each step can be skipped or taken alone.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::place::Place;
use crate::step::{has, run, say, timed};
use crate::{bindings, end_to_end, fuzz, setup, tidy, user_interface, weights};

type Step = (&'static str, &'static str, fn(&Place) -> Result<()>);

const STEPS: &[Step] = &[
    ("setup", "system packages", |_| setup::setup_for_tests()),
    ("format", "formatting", |place| run(&mut place.cargo(&["fmt", "--all", "--check"]))),
    ("tidy", "crate graph, file heads, sizes, forbidden words", |_| tidy::tidy()),
    ("bindings", "bindings are fresh", |_| bindings::bindings(true)),
    ("ui", "the window's user interface: build, types, lints, tests", |_| {
        user_interface::build()?;
        user_interface::check()
    }),
    ("build", "every binary and test, with lints", Place::build_everything),
    ("weights", "weights and the other engine", |place| {
        let wanted =
            [weights::TESTS, weights::ENCODERS, weights::SPEECH, weights::PICTURES].concat();
        weights::fetch(place, &place.binary("nearside"), &wanted)?;
        weights::python(place).map(|_| ())
    }),
    ("unit", "unit, snapshot, property and integration tests", tests),
    ("fuzz", "every parser, for a while", |_| fuzz::fuzz(&["20".to_owned()])),
    ("soak", "index, ask and redact in a loop", |_| fuzz::soak(&["20".to_owned()])),
    ("e2e", "the real window", |_| end_to_end::end_to_end()),
];

pub(crate) fn test(arguments: &[String]) -> Result<()> {
    let (mut skipped, mut only) = (Vec::new(), Vec::new());
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let list = match word.as_str() {
            "--skip" => &mut skipped,
            "--only" => &mut only,
            other => bail!("`{other}` is not an option of test; --skip STEP and --only STEP are"),
        };
        let Some(name) = words.next() else { bail!("{word} wants the name of a step") };
        if !STEPS.iter().any(|(step, ..)| step == name) {
            let names: Vec<_> = STEPS.iter().map(|(step, ..)| *step).collect();
            bail!("there is no step `{name}`; the steps are {}", names.join(", "));
        }
        list.push(name.as_str());
    }
    let place = Place::find()?;
    let chosen: Vec<_> = STEPS
        .iter()
        .filter(|(name, ..)| !skipped.contains(name) && (only.is_empty() || only.contains(name)))
        .collect();
    for (index, (name, what, work)) in chosen.iter().enumerate() {
        timed(&format!("{}/{} {name}: {what}", index + 1, chosen.len()), || work(&place))?;
    }
    say("all of it passed");
    Ok(())
}

fn tests(place: &Place) -> Result<()> {
    let arguments: &[&str] = if has("cargo-nextest") {
        &["nextest", "run", "--workspace", "--features", "custom-protocol", "--no-fail-fast"]
    } else {
        &["test", "--workspace", "--features", "custom-protocol", "--no-fail-fast"]
    };
    let python = weights::python(place)?;
    let models = weights::by_name(place, &place.binary("nearside"), weights::TESTS)?;
    let mut command = in_session(place, place.linting_cargo(arguments));
    command
        .env("NEARSIDE_MODELS_DIR", models)
        .env("NEARSIDE_TEST_PYTHON", &python)
        .env("NEARSIDE_BENCH_PYTHON", &python)
        .env("INSTA_UPDATE", "no");
    // The same cases in every run of CI: a new one belongs to the long search, `PROPTEST_CASES=20000 cargo
    // xtask test --only unit`, and what that finds becomes a test, rather than a change that fails by luck.
    let chosen = |name: &str| std::env::var_os(name).is_some();
    if chosen("CI") && !chosen("PROPTEST_RNG_SEED") && !chosen("PROPTEST_CASES") {
        command.env("PROPTEST_RNG_SEED", "20261201");
    }
    run(&mut command)
}

/// Runs a command inside a session bus with an unlocked keychain where both can be had, so that keychain
/// tests meet a real one; elsewhere as it is.
fn in_session(place: &Place, command: Command) -> Command {
    if !(has("dbus-run-session") && has("gnome-keyring-daemon")) {
        return command;
    }
    let script: &Path = &place.root.join("tests/session.sh");
    let mut session = Command::new("dbus-run-session");
    session.arg("--").arg("sh").arg(script).arg(command.get_program()).args(command.get_args());
    session.current_dir(&place.root);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => session.env(name, value),
            None => session.env_remove(name),
        };
    }
    session
}
