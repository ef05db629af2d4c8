//! One task from its decision to its end: decide, run here or there, and come back here when the far side
//! cannot be reached or the user wants it so.

use nearside_privacy::PseudonymMap;
use nearside_types::{
    Cancel, ChatEvent, Decision, Failure, FailureKind, Reason, Route, RouteChoice, Why,
};

use crate::document::Document;
use crate::headless::{Done, Headless};
use crate::routing;
use crate::task::{
    Approver, Far, FarOutcome, Place, Said, TaskOptions, Written, answer_locally, answer_remotely,
    asks_for_summary, documents, nothing_readable, summarise_locally, summarise_without_model,
};

/// A task and how it is to be done.
pub(crate) struct Job<'a> {
    pub(crate) said: &'a [Said],
    pub(crate) options: &'a TaskOptions,
    /// A summary, whatever the question says.
    pub(crate) summary: bool,
    /// Summarise by rule where no model is installed, rather than refuse.
    pub(crate) without_model: bool,
}

impl Headless {
    /// Where a task would run.
    pub(crate) fn decide(&self, said: &[Said], options: &TaskOptions) -> Result<Decision, Failure> {
        let model = self.keeper.resolve(self.wanted(options).as_deref()).ok();
        let size = model.as_ref().and_then(|name| self.source.size(name));
        let summary = asks_for_summary(said);
        Ok(routing::decide(said, summary, options, &self.settings(), model.map(|m| (m, size))))
    }

    /// The model that the caller wants, else the one of the settings if it is installed.
    fn wanted(&self, options: &TaskOptions) -> Option<String> {
        if options.model.is_some() {
            return options.model.clone();
        }
        let chosen = self.settings().chat_model;
        (!chosen.is_empty() && self.source.resolve(Some(&chosen)).is_ok()).then_some(chosen)
    }

    /// Runs a task. `map` is the pseudonym map of its conversation.
    ///
    /// # Errors
    /// When nothing was written; a task that broke off later ends in `Written::failure`.
    pub(crate) fn run(
        &self,
        job: &Job<'_>,
        map: &mut PseudonymMap,
        approver: &mut dyn Approver,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(ChatEvent),
    ) -> Result<Done, Failure> {
        let given = documents(job.said);
        if !given.is_empty() && !given.iter().any(Document::is_readable) {
            return Err(nothing_readable());
        }
        let options = job.options;
        let mut decision = self.decide(job.said, options)?;
        let model = self.keeper.resolve(self.wanted(options).as_deref());
        let summary = job.summary || asks_for_summary(job.said);
        if let (None, Err(missing)) = (decision.chosen, &model)
            && options.route != RouteChoice::Cloud
        {
            if !(summary && job.without_model) {
                return Err(missing.clone());
            }
            decision.chosen = Some(Route::Local);
        }
        on_event(ChatEvent::Routed { decision: decision.clone() });
        let files = given.iter().map(Document::outcome).collect();
        let done =
            |written, decision| Done { written, decision, files, outbound: None, cost: None };
        match decision.chosen {
            None => Err(refused(&decision)),
            Some(Route::Local) => {
                let written = self.run_here(job, options, cancel, on_event)?;
                Ok(done(written, decision))
            }
            Some(Route::Cloud | Route::Joint) => {
                let far = self.run_there(job, options, map, approver, cancel, on_event);
                let why = match far {
                    Ok(FarOutcome::Written(written, outbound, cost)) => {
                        let mut done = done(*written, decision);
                        (done.outbound, done.cost) = (Some(outbound), cost);
                        return Ok(done);
                    }
                    Ok(FarOutcome::KeepLocal) => Why::KeptLocal,
                    // Only a route that the program chose may be changed by it.
                    Err(failure)
                        if failure.kind == FailureKind::Network
                            && options.route == RouteChoice::Auto
                            && model.is_ok() =>
                    {
                        Why::CloudUnreachable { because: failure.message }
                    }
                    Err(failure) => return Err(failure),
                };
                decision.chosen = Some(Route::Local);
                decision.discarded.push(nearside_types::Discarded {
                    route: Route::Cloud,
                    reason: Reason::from(why),
                });
                on_event(ChatEvent::Routed { decision: decision.clone() });
                let written = self.run_here(job, options, cancel, on_event)?;
                Ok(done(written, decision))
            }
        }
    }

    fn run_here(
        &self,
        job: &Job<'_>,
        options: &TaskOptions,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(ChatEvent),
    ) -> Result<Written, Failure> {
        let model = self.wanted(options);
        let place = Place { keeper: &self.keeper, model: model.as_deref() };
        if !(job.summary || asks_for_summary(job.said)) {
            return answer_locally(&place, job.said, options, cancel, on_event);
        }
        match summarise_locally(&place, job.said, options, cancel, on_event) {
            Err(failure) if failure.kind == FailureKind::ModelMissing && job.without_model => {
                summarise_without_model(&documents(job.said), on_event)
            }
            other => other,
        }
    }

    fn run_there(
        &self,
        job: &Job<'_>,
        options: &TaskOptions,
        map: &mut PseudonymMap,
        approver: &mut dyn Approver,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(ChatEvent),
    ) -> Result<FarOutcome, Failure> {
        let settings = self.settings();
        let side = self.far();
        let provider = options.provider.as_ref().or(settings.provider.as_ref());
        let provider = provider.ok_or_else(no_provider)?;
        let gate = self.gate();
        let far = Far { side: side.as_deref(), gate: &gate, provider };
        answer_remotely(&far, job.said, options, map, approver, cancel, on_event)
    }
}

fn no_provider() -> Failure {
    Failure::coded(
        FailureKind::Refused,
        "no_provider",
        "No cloud model is set up; add one in the settings, or give --provider-url and --provider-model.",
    )
}

/// The failure of a decision for no route, under the code of what the user can do something about.
fn refused(decision: &Decision) -> Failure {
    let why = decision.reasons.first().map_or("It can run nowhere.", |reason| &reason.text);
    let failure = |code| Failure::coded(FailureKind::Refused, code, why);
    let known = decision.reasons.iter().find_map(|reason| match &reason.why {
        Why::LocalOnly => Some(failure("local_only")),
        Why::NoProvider => Some(failure("no_provider")),
        Why::TooLongForLocal { holds, .. } | Why::TooLongForCloud { holds, .. } => {
            Some(failure("context_overflow").with("context", holds))
        }
        _ => None,
    });
    known.unwrap_or_else(|| failure("no_route"))
}
