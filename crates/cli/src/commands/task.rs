//! What `ask` and `summarize` have in common: options, events while it runs, the preview when it may not be
//! sent yet, and the remarks at the end.

use std::io::IsTerminal;

use nearside_engine::attach::AskRequest;
use nearside_engine::{Headless, Secret, TaskOptions};
use nearside_types::{
    ChatEvent, Failure, FileOutcome, FileStatus, Preview, Provider, Stage, UserText,
};
use serde_json::{Value, json};

use crate::Outcome;
use crate::arguments::{Common, Run};
use crate::output;

/// The variable that holds a provider's key for headless use.
const KEY: &str = "NEARSIDE_API_KEY";

/// Options for a task that keeps nothing.
pub(super) fn options(run: &Run, headless: &Headless) -> TaskOptions {
    let settings = headless.settings();
    TaskOptions {
        route: run.route.map_or(settings.default_route, Into::into),
        model: run.model.clone(),
        device: run.device.map_or(settings.device, Into::into),
        max_tokens: usize::try_from(run.max_tokens).unwrap_or(512),
        temperature: run.temperature,
        seed: run.seed,
        provider: provider(run),
        api_key: std::env::var(KEY).ok().filter(|key| !key.is_empty()).map(Secret::new),
    }
}

/// The same task for a data folder.
pub(super) fn request(run: &Run, headless: &Headless) -> AskRequest {
    let options = options(run, headless);
    AskRequest {
        text: UserText::default(),
        files: Vec::new(),
        conversation: None,
        summary: false,
        approve: run.approve.clone(),
        provider: options.provider,
        api_key: options.api_key.map(|key| UserText(key.expose().clone())),
        route: options.route,
        model: options.model,
        device: options.device,
        max_tokens: options.max_tokens,
        temperature: options.temperature,
        seed: options.seed,
    }
}

fn provider(run: &Run) -> Option<Provider> {
    Some(Provider {
        name: "command line".to_owned(),
        base_url: run.provider_url.clone()?,
        model: run.provider_model.clone()?,
        context_length: run.provider_context,
        price_in: None,
        price_out: None,
        currency: None,
        has_key: false,
    })
}

/// Shows a task while it runs.
pub(super) struct Watch {
    json: bool,
    lively: bool,
    written: bool,
    preview: Option<Preview>,
}

impl Watch {
    pub(super) fn new(common: &Common) -> Self {
        let lively = std::io::stderr().is_terminal() && !common.json;
        Self { json: common.json, lively, written: false, preview: None }
    }

    pub(super) fn event(&mut self, event: ChatEvent) {
        match event {
            ChatEvent::Text { text } if !self.json => {
                self.written = true;
                output::text(&text);
            }
            ChatEvent::File { outcome } if !self.json => remark_on(&outcome),
            ChatEvent::Approval { preview } => self.preview = Some(preview),
            ChatEvent::Progress { stage, done, total } if self.lively => match stage {
                Stage::LoadingModel => output::note("Loading the model …"),
                Stage::SummarisingPart if done < total => {
                    output::note(&format!("Reading part {} of {total} …", done + 1));
                }
                Stage::Merging if done < total => output::note("Joining the parts …"),
                _ => {}
            },
            _ => {}
        }
    }

    /// Prints the end of a task, or the body that waits for approval.
    pub(super) fn end(&self, result: Result<Value, Failure>) -> Outcome {
        if self.written {
            output::text("\n");
        }
        match result {
            Ok(value) if self.json => output::json(&value),
            Ok(value) => {
                remarks(&value);
                Ok(())
            }
            Err(failure) => match &self.preview {
                Some(preview) if failure.code == "not_approved" => self.approval(preview),
                _ => Err(failure),
            },
        }
    }

    fn approval(&self, preview: &Preview) -> Outcome {
        if self.json {
            output::json(&json!({ "approval": preview }))?;
        } else {
            output::line(&preview.body);
            output::note(&format!(
                "To {}: {} bytes, sha256 {}",
                preview.destination, preview.bytes, preview.sha256
            ));
            for leak in &preview.leaks {
                let facts: Vec<_> = leak.facts.iter().map(|fact| fact.name()).collect();
                output::note(&format!(
                    "Without a name, this may still point at one person: {} stand close together and are kept.",
                    facts.join(", ")
                ));
            }
        }
        Err(Failure::refused(format!(
            "Nothing was sent; to send exactly this body, run it again with --approve {}.",
            preview.sha256
        )))
    }
}

fn remark_on(outcome: &FileOutcome) {
    if outcome.status == FileStatus::Ok && outcome.warnings.is_empty() {
        return;
    }
    let status = serde_json::to_value(outcome.status).map(|v| super::word(&v)).unwrap_or_default();
    let warnings: Vec<&str> = outcome.warnings.iter().map(|w| &*w.text).collect();
    let warnings = warnings.join(" ");
    output::note(format!("{}: {status}. {warnings}", &*outcome.file).trim_end());
}

/// Route, coverage, sources and speed, on standard error.
fn remarks(value: &Value) {
    let route = &value["route"];
    let why = super::word(&route["reasons"][0]["text"]);
    let place = format!("{} on {}", super::word(&value["model"]), super::word(&value["device"]));
    output::note(&format!("— {}: {place}. {why}", super::word(&route["chosen"])));
    let coverage = &value["coverage"];
    if coverage.is_object() {
        output::note(&format!(
            "— read: {} of {}, {}",
            coverage["pages_read"],
            super::counted(&coverage["pages_total"], "pages"),
            super::counted(&coverage["tokens_read"], "tokens")
        ));
    }
    for citation in value["citations"].as_array().into_iter().flatten() {
        output::note(&format!(
            "— source: {} p. {}: {}",
            super::word(&citation["file"]),
            citation["page"],
            super::word(&citation["quote"])
        ));
    }
    if let Some(outbound) = value["outbound"].as_object() {
        output::note(&format!(
            "— sent: {} bytes to {}, sha256 {}",
            outbound["bytes"],
            super::word(&outbound["destination"]),
            super::word(&outbound["sha256"])
        ));
    }
    let (tokens, timings) = (&value["tokens"], &value["timings"]);
    output::note(&format!(
        "— {} tokens read ({} from the cache), {} written; {:.1} tokens/s, first after {:.0} ms",
        tokens["prompt"],
        tokens["reused"],
        tokens["generated"],
        timings["decode_tokens_per_s"].as_f64().unwrap_or(0.0),
        timings["first_token_ms"].as_f64().unwrap_or(0.0)
    ));
    for notice in value["notices"].as_array().into_iter().flatten() {
        output::note(&format!("— {}", super::word(&notice["text"])));
    }
}
