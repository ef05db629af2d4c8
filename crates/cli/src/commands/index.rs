//! `index`: the files of the library.

use std::io::IsTerminal;

use nearside_engine::attach::{CallEvent, Request};

use crate::Outcome;
use crate::arguments::{Common, Index};
use crate::{input, interrupt, output, place};

pub(crate) fn run(common: &Common, index: &Index) -> Outcome {
    match index {
        Index::Add { path } => {
            let path = input::absolute(path)?;
            let cancel = interrupt::cancel();
            let lively = std::io::stderr().is_terminal() && !common.json;
            let session = place::session(common)?;
            let value = session.call(Request::IndexAdd { path }, &cancel, &mut |event| {
                if let CallEvent::Index { progress } = event
                    && lively
                {
                    output::note(&match progress.vectors_total {
                        0 => format!("{} of {} files", progress.done, progress.total),
                        total => format!("{} of {total} passages", progress.vectors_done),
                    });
                }
            })?;
            super::show(common, &value, |value| {
                if super::items(value).is_empty() {
                    output::note("Nothing is new or changed.");
                }
                let rows = super::items(value).iter().map(|file| {
                    vec![
                        super::word(&file["status"]),
                        super::word(&file["pages"]),
                        super::word(&file["file"]),
                    ]
                });
                super::table(&rows.collect::<Vec<_>>())
            })
        }
        Index::Status => {
            let value = super::call(common, Request::IndexStatus)?;
            super::show(common, &value, |value| {
                if super::items(value).is_empty() {
                    output::note("The library is empty; `nearside index add PATH` fills it.");
                }
                let rows = super::items(value).iter().map(|file| {
                    vec![
                        super::word(&file["status"]),
                        super::counted(&file["pages"], "pages"),
                        super::counted(&file["chunks"], "passages"),
                        super::word(&file["path"]),
                    ]
                });
                super::table(&rows.collect::<Vec<_>>())
            })
        }
        Index::Remove { path } => {
            let path = input::absolute(path)?;
            let value = super::call(common, Request::IndexRemove { path })?;
            super::show(common, &value, |_| "Taken out of the library.".to_owned())
        }
        Index::Forget { path } => {
            let path = input::absolute(path)?;
            let value = super::call(common, Request::IndexForget { path })?;
            super::show(common, &value, |value| {
                format!(
                    "Forgotten: {} freed, {} traces found.",
                    super::size(value["bytes_freed"].as_u64().unwrap_or(0)),
                    value["traces_found"]
                )
            })
        }
    }
}
