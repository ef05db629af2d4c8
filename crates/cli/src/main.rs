//! `nearside`: everything the app does, without a window.
//!
//! Each command is one file, thin over the engine. Results go to standard output, everything else to
//! standard error; the exit status says how it ended: 0 done, 1 a fault, 2 usage, 3 not found, 4 nothing
//! readable, 5 refused or not approved, 6 model missing, 7 network, 130 stopped.

mod arguments;
mod batch;
mod commands;
mod input;
mod interrupt;
mod output;
mod place;

use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use nearside_types::{Failure, FailureKind};

use crate::arguments::Arguments;

fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|first| first == nearside_engine::EXTRACT_WORKER) {
        return nearside_engine::serve_extract_worker();
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    match commands::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::error(&failure.message);
            ExitCode::from(failure.kind.exit_status())
        }
    }
}

/// Help and version are answers; everything else of clap's is one sentence and exit status 2.
fn usage(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // A closed pipe ends help quietly.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        output::error("Say what to do; `nearside --help` lists the commands.");
        return ExitCode::from(FailureKind::Usage.exit_status());
    }
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
        && error.kind() == ErrorKind::UnknownArgument
        && !is_option(word)
    {
        // It may be a person's text, which is no business of a log.
        output::error("This is no option; text that begins with `-` comes after `--`.");
        return ExitCode::from(FailureKind::Usage.exit_status());
    }
    let text = error.render().to_string();
    let told: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let sentence = told.join(" ");
    let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
    output::error(&format!("{}; see `nearside --help`.", sentence.trim_end_matches('.')));
    ExitCode::from(FailureKind::Usage.exit_status())
}

/// Whether it looks like an option: dashes, then letters and more dashes.
fn is_option(word: &str) -> bool {
    let name = word.trim_start_matches('-');
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= 30
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// The result of a command.
pub(crate) type Outcome = Result<(), Failure>;
