//! The decision: hard rules first, each of which rules a route out for good; then the user's choice; then the
//! score. A user's explicit choice that is impossible is refused, never quietly changed.

use nearside_types::{Decision, Discarded, Reason, Route, RouteChoice, Why};

use crate::{DeviceFacts, PolicyFacts, Request, THRESHOLD, TaskKind, score};

/// Decides where a request runs.
#[must_use]
pub fn decide(request: &Request, device: &DeviceFacts, policy: &PolicyFacts) -> Decision {
    let score = score(request, device);
    let against_local = local(request, device);
    let against_cloud = cloud(request, device, policy);
    let against_joint =
        joint(request, policy).or_else(|| against_local.clone()).or_else(|| against_cloud.clone());
    let (chosen, reasons) = choose(
        request.choice,
        score,
        against_local.as_ref(),
        against_cloud.as_ref(),
        against_joint.as_ref(),
    );
    let discarded = [
        (Route::Local, against_local),
        (Route::Joint, against_joint),
        (Route::Cloud, against_cloud),
    ]
    .into_iter()
    .filter(|(route, _)| chosen != Some(*route))
    .map(|(route, against)| {
        let reason = against.unwrap_or_else(|| not_needed(route, request.choice, score));
        Discarded { route, reason }
    })
    .collect();
    Decision { chosen, score, reasons, discarded }
}

/// Why this machine cannot do it.
fn local(request: &Request, device: &DeviceFacts) -> Option<Reason> {
    let Some(model) = &device.model else {
        return (request.task != TaskKind::Transcribe).then(|| Why::NoLocalModel.into());
    };
    let needed = request.prompt_tokens.saturating_add(request.answer_tokens.min(64));
    let splits = matches!(request.task, TaskKind::Summarize | TaskKind::Transcribe);
    let (holds, model) = (model.context_length, model.name.clone());
    (!splits && needed > holds).then(|| Why::TooLongForLocal { needed, model, holds }.into())
}

/// Why nothing may go to the far side.
fn cloud(request: &Request, device: &DeviceFacts, policy: &PolicyFacts) -> Option<Reason> {
    if policy.local_only {
        return Some(Why::LocalOnly.into());
    }
    if request.task == TaskKind::Transcribe {
        return Some(Why::LocalTask.into());
    }
    let Some(far) = &policy.cloud else { return Some(Why::NoProvider.into()) };
    if !device.online {
        return Some(Why::Offline.into());
    }
    if let Some(found) =
        request.entities.iter().find(|e| e.count > 0 && policy.never.contains(&e.kind))
    {
        return Some(Why::Sensitive { entity: found.kind }.into());
    }
    let needed = request.prompt_tokens.saturating_add(request.answer_tokens);
    let (holds, model) = (far.context_length, far.name.clone());
    (needed > holds).then(|| Why::TooLongForCloud { needed, model, holds }.into())
}

fn joint(request: &Request, policy: &PolicyFacts) -> Option<Reason> {
    (!policy.joint.contains(&request.task)).then(|| Why::NotDivisible.into())
}

fn choose(
    choice: RouteChoice,
    score: f32,
    local: Option<&Reason>,
    cloud: Option<&Reason>,
    joint: Option<&Reason>,
) -> (Option<Route>, Vec<Reason>) {
    let refused = |reason: &Reason| {
        let because = reason.text.clone();
        (None, vec![Why::Refused { choice, because }.into(), reason.clone()])
    };
    match (choice, local, cloud) {
        (RouteChoice::Local, None, _) => (Some(Route::Local), vec![Why::UserChoseLocal.into()]),
        (RouteChoice::Local, Some(reason), _) => refused(reason),
        (RouteChoice::Cloud, _, None) => (Some(Route::Cloud), vec![Why::UserChoseCloud.into()]),
        (RouteChoice::Cloud, _, Some(reason)) => refused(reason),
        (RouteChoice::Auto, None, Some(reason)) => (Some(Route::Local), vec![reason.clone()]),
        (RouteChoice::Auto, Some(reason), None) => (Some(Route::Cloud), vec![reason.clone()]),
        (RouteChoice::Auto, Some(here), Some(there)) => {
            let because = format!("{} {}", here.text, there.text);
            (None, vec![Why::Impossible { because }.into(), here.clone(), there.clone()])
        }
        (RouteChoice::Auto, None, None) if score >= THRESHOLD => {
            let route = if joint.is_none() { Route::Joint } else { Route::Cloud };
            (Some(route), vec![Why::HardForLocal { score, threshold: THRESHOLD }.into()])
        }
        (RouteChoice::Auto, None, None) => {
            (Some(Route::Local), vec![Why::LocalSuffices { score, threshold: THRESHOLD }.into()])
        }
    }
}

/// The reason against a route that would have been possible.
fn not_needed(route: Route, choice: RouteChoice, score: f32) -> Reason {
    let threshold = THRESHOLD;
    match (choice, route) {
        (RouteChoice::Local, _) => Why::UserChoseLocal.into(),
        (RouteChoice::Cloud, _) => Why::UserChoseCloud.into(),
        (RouteChoice::Auto, Route::Local) => Why::HardForLocal { score, threshold }.into(),
        (RouteChoice::Auto, Route::Cloud) if score >= THRESHOLD => Why::JointSuffices.into(),
        (RouteChoice::Auto, _) => Why::LocalSuffices { score, threshold }.into(),
    }
}
