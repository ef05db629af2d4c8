//! `ledger`: what left this machine.

use nearside_engine::attach::Request;
use nearside_types::{Failure, FailureKind};

use crate::Outcome;
use crate::arguments::{Common, Ledger};
use crate::input;

pub(crate) fn run(common: &Common, ledger: &Ledger) -> Outcome {
    match ledger {
        Ledger::List => {
            let value = super::call(common, Request::Ledger)?;
            super::show(common, &value, |value| {
                let rows = super::items(value).iter().map(|item| {
                    vec![
                        super::word(&item["time"]),
                        super::word(&item["kind"]),
                        super::word(&item["outcome"]),
                        super::word(&item["destination"]),
                        super::counted(&item["bytes"], "bytes"),
                        super::word(&item["sha256"]),
                    ]
                });
                super::table(&rows.collect::<Vec<_>>())
            })
        }
        Ledger::Verify => {
            let value = super::call(common, Request::LedgerVerify)?;
            let intact = value["intact"].as_bool().unwrap_or(false);
            super::show(common, &value, |value| {
                if intact {
                    format!(
                        "The ledger is whole: {}.",
                        super::counted(&value["entries"], "entries")
                    )
                } else {
                    String::new()
                }
            })?;
            if intact {
                return Ok(());
            }
            let problem = super::word(&value["problem"]["text"]);
            Err(Failure::new(FailureKind::Internal, format!("The ledger is not whole: {problem}")))
        }
        Ledger::Export { path } => {
            let path = input::absolute(path)?;
            let value = super::call(common, Request::LedgerExport { path })?;
            super::show(common, &value, |_| "Written.".to_owned())
        }
    }
}
