//! `data`: the data folder as a whole. Passphrases of archives are read from standard input, never from the
//! command line, which other users can see.

use std::io::IsTerminal;

use nearside_engine::OsKeychain;
use nearside_engine::attach::Request;
use nearside_types::Failure;
use serde_json::json;

use crate::Outcome;
use crate::arguments::{Common, Data};
use crate::{input, interrupt, place};

pub(crate) fn run(common: &Common, data: &Data) -> Outcome {
    match data {
        Data::Where => {
            let value = json!({
                "data_dir": place::data_dir(common)?,
                "models_dir": place::headless(common)?.models_dir(),
            });
            super::show(common, &value, |value| {
                format!(
                    "data    {}\nmodels  {}",
                    super::word(&value["data_dir"]),
                    super::word(&value["models_dir"])
                )
            })
        }
        Data::Export { path } => {
            let path = input::absolute(path)?;
            // The folder's own passphrase comes first where both are on standard input.
            let session = place::session(common)?;
            let request = Request::ExportData { path, passphrase: passphrase()?.into() };
            let value = session.call(request, &interrupt::cancel(), &mut |_| {})?;
            super::show(common, &value, |_| "Exported.".to_owned())
        }
        Data::Restore { path } => {
            let data_dir = place::data_dir(common)?;
            let source = place::key_source(common)?;
            nearside_engine::restore_data(
                &input::absolute(path)?,
                passphrase()?,
                &data_dir,
                source,
            )?;
            super::show(common, &json!({ "restored": true }), |_| "Restored.".to_owned())
        }
        Data::Erase { yes } => {
            if !yes {
                return Err(Failure::usage(
                    "This erases all conversations, files and keys; add --yes.",
                ));
            }
            let data_dir = place::data_dir(common)?;
            nearside_engine::erase_data(&data_dir, &OsKeychain::new())?;
            super::show(common, &json!({ "erased": true }), |_| "Erased.".to_owned())
        }
    }
}

fn passphrase() -> Result<String, Failure> {
    if std::io::stdin().is_terminal() {
        return rpassword::prompt_password("Passphrase of the archive: ")
            .map_err(|_| Failure::usage("No passphrase was given."));
    }
    input::standard_line()
}
