//! The decision: hard rules first, each of which rules a route out for good; then the user's choice; then the
//! score. A user's explicit choice that is impossible is refused, never quietly changed.

use nearside_types::{Decision, Discarded, Reason, Route, RouteChoice};

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
        if request.task == TaskKind::Transcribe {
            return None;
        }
        return Some(Reason::new(
            "no_local_model",
            "No local model is installed; fetch one with `nearside models fetch`.",
        ));
    };
    let needed = request.prompt_tokens.saturating_add(request.answer_tokens.min(64));
    let splits = matches!(request.task, TaskKind::Summarize | TaskKind::Transcribe);
    (!splits && needed > model.context_length).then(|| {
        Reason::new(
            "too_long_for_local",
            format!(
                "The request needs {needed} tokens, and {} holds {}.",
                model.name, model.context_length
            ),
        )
    })
}

/// Why nothing may go to the far side.
fn cloud(request: &Request, device: &DeviceFacts, policy: &PolicyFacts) -> Option<Reason> {
    if policy.local_only {
        return Some(Reason::new(
            "local_only",
            "Local-only mode is on: nothing leaves this machine.",
        ));
    }
    if request.task == TaskKind::Transcribe {
        return Some(Reason::new("local_task", "Speech is only ever transcribed on this machine."));
    }
    let Some(far) = &policy.cloud else {
        return Some(Reason::new(
            "no_provider",
            "No cloud model is set up; add one in the settings.",
        ));
    };
    if !device.online {
        return Some(Reason::new("offline", "The network is down."));
    }
    if let Some(found) =
        request.entities.iter().find(|e| e.count > 0 && policy.never.contains(&e.kind))
    {
        return Some(Reason::new(
            "sensitive",
            format!("It contains {}, which your policy keeps on this machine.", found.kind.name()),
        ));
    }
    let needed = request.prompt_tokens.saturating_add(request.answer_tokens);
    (needed > far.context_length).then(|| {
        Reason::new(
            "too_long_for_cloud",
            format!(
                "The request needs {needed} tokens, and {} holds {}.",
                far.name, far.context_length
            ),
        )
    })
}

fn joint(request: &Request, policy: &PolicyFacts) -> Option<Reason> {
    (!policy.joint.contains(&request.task)).then(|| {
        Reason::new("not_divisible", "This kind of task is not divided between both ends.")
    })
}

fn choose(
    choice: RouteChoice,
    score: f32,
    local: Option<&Reason>,
    cloud: Option<&Reason>,
    joint: Option<&Reason>,
) -> (Option<Route>, Vec<Reason>) {
    let refused = |what: &str, reason: &Reason| {
        let text = format!("You chose {what}, and it is not possible: {}", reason.text);
        (None, vec![Reason { code: "refused".to_owned(), text }, reason.clone()])
    };
    match (choice, local, cloud) {
        (RouteChoice::Local, None, _) => {
            (Some(Route::Local), vec![Reason::new("user_chose_local", "You chose this machine.")])
        }
        (RouteChoice::Local, Some(reason), _) => refused("this machine", reason),
        (RouteChoice::Cloud, _, None) => {
            (Some(Route::Cloud), vec![Reason::new("user_chose_cloud", "You chose the cloud.")])
        }
        (RouteChoice::Cloud, _, Some(reason)) => refused("the cloud", reason),
        (RouteChoice::Auto, None, Some(reason)) => (Some(Route::Local), vec![reason.clone()]),
        (RouteChoice::Auto, Some(reason), None) => (Some(Route::Cloud), vec![reason.clone()]),
        (RouteChoice::Auto, Some(here), Some(there)) => {
            let text = format!("Nothing can do it. {} {}", here.text, there.text);
            (
                None,
                vec![Reason { code: "impossible".to_owned(), text }, here.clone(), there.clone()],
            )
        }
        (RouteChoice::Auto, None, None) if score >= THRESHOLD => {
            let reason = Reason::new(
                "hard_for_local",
                format!(
                    "It looks hard for the local model (score {score:.2}, from {THRESHOLD:.2} on the cloud)."
                ),
            );
            (Some(if joint.is_none() { Route::Joint } else { Route::Cloud }), vec![reason])
        }
        (RouteChoice::Auto, None, None) => {
            let reason = Reason::new(
                "local_suffices",
                format!("The local model should do (score {score:.2}, below {THRESHOLD:.2})."),
            );
            (Some(Route::Local), vec![reason])
        }
    }
}

/// The reason against a route that would have been possible.
fn not_needed(route: Route, choice: RouteChoice, score: f32) -> Reason {
    match (choice, route) {
        (RouteChoice::Local, _) => Reason::new("user_chose_local", "You chose this machine."),
        (RouteChoice::Cloud, _) => Reason::new("user_chose_cloud", "You chose the cloud."),
        (RouteChoice::Auto, Route::Local) => Reason::new(
            "hard_for_local",
            format!("It looks hard for the local model (score {score:.2})."),
        ),
        (RouteChoice::Auto, Route::Cloud) if score >= THRESHOLD => {
            Reason::new("joint_suffices", "Both ends together do it, and less leaves this machine.")
        }
        (RouteChoice::Auto, _) => {
            Reason::new("not_needed", format!("The local model should do (score {score:.2})."))
        }
    }
}
