//! `models`: list, fetch, verify, remove, roll back. No vault is opened.

use std::io::IsTerminal;

use nearside_types::{DownloadEvent, ModelInfo};
use serde_json::{Value, json};

use crate::Outcome;
use crate::arguments::{Common, Models};
use crate::{interrupt, output, place};

pub(crate) fn run(common: &Common, models: &Models) -> Outcome {
    let headless = place::headless(common)?;
    let cancel = interrupt::cancel();
    match models {
        Models::List => {
            let items = headless.models();
            super::show(common, &json!({ "items": items }), |value| {
                super::table(&super::items(value).iter().map(row).collect::<Vec<_>>())
            })
        }
        Models::Fetch { name } => {
            let mut progress = Progress::new(common.json);
            let model = headless.fetch_model(name, &cancel, &mut |event| progress.event(&event))?;
            one(common, &model)
        }
        Models::Verify { name } => {
            one(common, &headless.verify_model(name, &cancel, &mut |_, _| {})?)
        }
        Models::Remove { name } => {
            let freed = headless.remove_model(name)?;
            let value = json!({ "name": name, "bytes_freed": freed });
            super::show(common, &value, |_| {
                format!("{name} is removed; {} are free again.", super::size(freed))
            })
        }
        Models::Rollback { name } => one(common, &headless.rollback_model(name)?),
    }
}

fn one(common: &Common, model: &ModelInfo) -> Outcome {
    let value = super::summarize::value(model)?;
    super::show(common, &value, |value| super::table(&[row(value)]))
}

fn row(model: &Value) -> Vec<String> {
    vec![
        super::word(&model["name"]),
        super::word(&model["purpose"]),
        super::word(&model["state"]),
        super::size(model["size"].as_u64().unwrap_or(0)),
        super::word(&model["version"]),
        super::word(&model["licence"]),
        super::word(&model["source"]),
    ]
}

/// Says how a fetch goes on, at most once for each percent.
struct Progress {
    shown: bool,
    percent: Option<u64>,
}

impl Progress {
    fn new(json: bool) -> Self {
        Self { shown: std::io::stderr().is_terminal() && !json, percent: None }
    }

    fn event(&mut self, event: &DownloadEvent) {
        match event {
            DownloadEvent::Started { source, total, .. } => {
                output::note(&format!("Fetching {} from {source} …", super::size(*total)));
            }
            DownloadEvent::Progress { done, total, bytes_per_s, .. } if self.shown => {
                let percent = done * 100 / (*total).max(1);
                if self.percent != Some(percent) {
                    self.percent = Some(percent);
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "a speed"
                    )]
                    let speed = super::size(*bytes_per_s as u64);
                    output::note(&format!("{percent} % ({speed}/s)"));
                }
            }
            DownloadEvent::Verifying { .. } => output::note("Checking every byte …"),
            DownloadEvent::Converting { .. } => output::note("Converting …"),
            _ => {}
        }
    }
}
