//! Where this call works: data folder, models, key, and the engine over them.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::sync::Arc;

use nearside_engine::attach::Session;
use nearside_engine::{
    AskPassphrase, EngineOptions, Headless, HeadlessOptions, KeySource, PassphrasePurpose, Secret,
    read_settings,
};
use nearside_types::Failure;

use crate::arguments::Common;

/// How long another command with the same data folder is waited for.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

/// The data folder that was named, or the platform's.
///
/// # Errors
/// `Usage` where the platform names none.
pub(crate) fn data_dir(common: &Common) -> Result<PathBuf, Failure> {
    if let Some(folder) = common.data_dir.as_ref().filter(|folder| !folder.as_os_str().is_empty()) {
        return std::path::absolute(folder)
            .map_err(|_| Failure::usage("The data folder's path cannot be used."));
    }
    nearside_engine::DataPlace::from_environment().data_dir()
}

/// The rooms that need no vault, with the settings of the data folder where it has some.
///
/// # Errors
/// When the catalog or the place of models cannot be used.
pub(crate) fn headless(common: &Common) -> Result<Arc<Headless>, Failure> {
    let settings = data_dir(common).map(|folder| read_settings(&folder)).unwrap_or_default();
    Ok(Arc::new(Headless::new(HeadlessOptions {
        settings,
        worker: std::env::current_exe().ok(),
        catalog: common.catalog.clone(),
        ..HeadlessOptions::default()
    })?))
}

/// The data folder, opened here or reached through the process that holds it.
///
/// # Errors
/// `Refused` where no key can be had.
pub(crate) fn session(common: &Common) -> Result<Session, Failure> {
    let options = EngineOptions::new(data_dir(common)?, key_source(common)?);
    Session::open(options, headless(common)?, PATIENCE)
}

/// The passphrase of `--passphrase-fd`, else the keychain, else a question on a terminal.
///
/// # Errors
/// `Usage` when the descriptor cannot be read.
pub(crate) fn key_source(common: &Common) -> Result<KeySource, Failure> {
    if let Some(descriptor) = common.passphrase_fd {
        return Ok(KeySource::Passphrase(Secret::new(passphrase_from(descriptor)?)));
    }
    if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        return Ok(KeySource::os_or_ask(ask()));
    }
    Ok(KeySource::os())
}

fn ask() -> AskPassphrase {
    Box::new(|purpose| {
        let prompt = match purpose {
            PassphrasePurpose::Choose => {
                "There is no keychain. Choose a passphrase for your data (8 characters or more): "
            }
            PassphrasePurpose::Enter => "Passphrase: ",
        };
        rpassword::prompt_password(prompt).ok().map(Secret::new)
    })
}

/// The first line of an inherited descriptor. It is opened by its name, so that nothing has to be trusted
/// about who owns it.
fn passphrase_from(descriptor: i32) -> Result<String, Failure> {
    if descriptor == 0 {
        return crate::input::standard_line();
    }
    if cfg!(windows) || descriptor < 0 {
        return Err(Failure::usage("--passphrase-fd takes 0 here, or an open descriptor on Unix."));
    }
    let mut text = String::new();
    std::fs::File::open(format!("/dev/fd/{descriptor}"))
        .and_then(|file| file.take(64 << 10).read_to_string(&mut text))
        .map_err(|_| Failure::usage("The passphrase could not be read from --passphrase-fd."))?;
    Ok(text.lines().next().unwrap_or("").to_owned())
}
