//! Tasks on this machine's model: generation with its events, and what is known about it afterwards.

use std::time::Instant;

use nearside_types::{
    Cancel, ChatEvent, Failure, FailureKind, FinishReason, GenerateOptions, Generation, Role,
    Stage, TextModel, Turn,
};

use super::{Said, TaskOptions, Written, compose, documents, question, summary};
use crate::document::names;
use crate::keeper::{Keeper, Lease};
use crate::prompt::fit;
use crate::text::cite;

/// Whose model, and which.
pub(crate) struct Place<'a> {
    pub(crate) keeper: &'a Keeper,
    pub(crate) model: Option<&'a str>,
}

/// Borrows the model, telling about loading.
fn borrow_model(
    place: &Place<'_>,
    options: &TaskOptions,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(ChatEvent),
) -> Result<Lease, Failure> {
    place.keeper.borrow_model(place.model, options.device, cancel, &mut || {
        on_event(ChatEvent::Progress { stage: Stage::LoadingModel, done: 0, total: 1 });
    })
}

/// Answers the last turn, or goes on writing it if it is the assistant's.
///
/// # Errors
/// Before the first token only; later failures are in `Written::failure`.
pub(crate) fn answer_locally(
    place: &Place<'_>,
    said: &[Said],
    options: &TaskOptions,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(ChatEvent),
) -> Result<Written, Failure> {
    let mut lease = borrow_model(place, options, cancel, on_event)?;
    let (load_ms, mut notices) = (lease.load_ms, std::mem::take(&mut lease.notices));
    let model = lease.model();
    let composed = compose(said, model.context_length(), &|text| model.count_tokens(text));
    notices.extend(composed.notices);
    let reserve = options.max_tokens.min(model.context_length() / 4);
    let fitted = fit(&*model, composed.turns, reserve)?;
    notices.extend(fitted.notice());
    if let Some(coverage) = composed.coverage {
        on_event(ChatEvent::Coverage { coverage });
    }
    let run = generate(model, &fitted.turns, &options.generate(), cancel, &mut |step| match step {
        Step::Prefill(done, total) => {
            on_event(ChatEvent::Progress { stage: Stage::Prefill, done, total });
        }
        Step::Text(text) => on_event(ChatEvent::Text { text: text.into() }),
    });
    let mut written = Written {
        model: model.name().to_owned(),
        device: model.device().to_owned(),
        coverage: composed.coverage,
        citations: cite(&run.text, question(said), &composed.given, &names(&documents(said))),
        notices,
        ..Written::default()
    };
    written.text = run.text;
    match run.end {
        Ok(generation) => {
            written.tokens = generation.tokens;
            written.timings = generation.timings;
            written.finish = Some(generation.finish);
            written.notices.extend(generation.notices);
        }
        Err(failure) if written.text.is_empty() => return Err(failure),
        Err(failure) => written.failure = Some(failure),
    }
    written.timings.load_ms = load_ms;
    Ok(written)
}

/// Summarises all documents of `said`.
///
/// # Errors
/// Before the first part only; later failures are in `Written::failure`.
pub(crate) fn summarise_locally(
    place: &Place<'_>,
    said: &[Said],
    options: &TaskOptions,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(ChatEvent),
) -> Result<Written, Failure> {
    let mut lease = borrow_model(place, options, cancel, on_event)?;
    let (load_ms, notices) = (lease.load_ms, std::mem::take(&mut lease.notices));
    let mut written =
        summary::summarise(lease.model(), &documents(said), &options.generate(), cancel, on_event)?;
    written.timings.load_ms = load_ms;
    written.notices.splice(0..0, notices);
    Ok(written)
}

pub(super) enum Step<'a> {
    Prefill(u32, u32),
    Text(&'a str),
}

pub(super) struct Run {
    pub(super) text: String,
    pub(super) end: Result<Generation, Failure>,
}

/// Runs the model and collects its text, which is kept also when it fails.
pub(super) fn generate(
    model: &mut dyn TextModel,
    turns: &[Turn],
    options: &GenerateOptions,
    cancel: &Cancel,
    on_step: &mut dyn FnMut(Step<'_>),
) -> Run {
    if cancel.is_cancelled() {
        return Run {
            text: String::new(),
            end: Err(Failure::new(FailureKind::Cancelled, "Stopped.")),
        };
    }
    debug_assert!(turns.last().is_some_and(|turn| turn.role != Role::System));
    let mut text = String::new();
    let begun = Instant::now();
    let mut first_ms = None;
    // Both callbacks feed one sink; the model calls them one at a time.
    let sink = std::cell::RefCell::new(on_step);
    let mut end = model.generate(
        turns,
        options,
        cancel,
        &mut |done, total| {
            let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            (sink.borrow_mut())(Step::Prefill(small(done), small(total)));
        },
        &mut |piece| {
            first_ms.get_or_insert_with(|| begun.elapsed().as_secs_f64() * 1000.0);
            text.push_str(piece);
            (sink.borrow_mut())(Step::Text(piece));
        },
    );
    if let Ok(generation) = &mut end
        && generation.timings.first_token_ms == 0.0
    {
        generation.timings.first_token_ms = first_ms.unwrap_or(0.0);
    }
    Run { text, end }
}

/// Adds up generations: tokens are summed, speeds are of the whole.
pub(super) fn add(written: &mut Written, generation: &Generation) {
    let decoded = |tokens: u64, speed: f64| if speed > 0.0 { tokens as f64 / speed } else { 0.0 };
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    {
        let seconds = decoded(written.tokens.generated, written.timings.decode_tokens_per_s)
            + decoded(generation.tokens.generated, generation.timings.decode_tokens_per_s);
        written.tokens.prompt += generation.tokens.prompt;
        written.tokens.reused += generation.tokens.reused;
        written.tokens.generated += generation.tokens.generated;
        if seconds > 0.0 {
            written.timings.decode_tokens_per_s = written.tokens.generated as f64 / seconds;
        }
    }
    written.timings.prefill_ms += generation.timings.prefill_ms;
    if written.timings.first_token_ms == 0.0 {
        written.timings.first_token_ms = generation.timings.first_token_ms;
    }
    written.finish = Some(generation.finish);
    for notice in &generation.notices {
        if !written.notices.contains(notice) {
            written.notices.push(notice.clone());
        }
    }
}

/// Whether a generation was stopped by the user.
pub(super) fn stopped(generation: &Generation) -> bool {
    generation.finish == FinishReason::Cancelled
}
