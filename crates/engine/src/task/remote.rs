//! Tasks on a far model: through the gate, to the user for approval, out, and back with the placeholders
//! restored. Nothing is sent before a verdict names the exact body's hash.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use nearside_cloud::openai_body;
use nearside_privacy::{Draft, Gate, Outbound, Params, PseudonymMap, RawRequest, StreamRestorer};
use nearside_types::{
    Cancel, ChatEvent, Cost, EntityEdit, Failure, FailureKind, FinishReason, OutboundSummary,
    OwnEntry, Preview, PreviewId, Provider, Remark, Role, Stage, Timings, Turn,
};

use super::{
    Approver, Composed, Said, TaskOptions, Verdict, Written, asks_for_summary, documents,
    far_turns, question, turn,
};
use crate::document::names;
use crate::far::FarSide;
use crate::prompts;
use crate::text::{cite, is_mostly_chinese};

/// What a far task needs.
pub(crate) struct Far<'a> {
    /// None where no data folder is open: then there is a preview, and nothing can be sent.
    pub(crate) side: Option<&'a dyn FarSide>,
    pub(crate) gate: &'a Gate,
    pub(crate) provider: &'a Provider,
}

/// How the far way ended.
pub(crate) enum FarOutcome {
    Written(Box<Written>, OutboundSummary, Option<Cost>),
    /// The user wants the answer from this machine.
    KeepLocal,
}

/// Prepares, asks and sends. `map` belongs to the conversation and grows by what is sent.
///
/// # Errors
/// When the gate is closed or refuses, when the user cancels, or when the provider fails before its first
/// word; later failures are in `Written::failure`.
pub(crate) fn answer_remotely(
    far: &Far<'_>,
    said: &[Said],
    options: &TaskOptions,
    map: &mut PseudonymMap,
    approver: &mut dyn Approver,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(ChatEvent),
) -> Result<FarOutcome, Failure> {
    let composed = composed(said, far.provider, options);
    let prepare = |map: &mut PseudonymMap, edits: &[EntityEdit], more: &[OwnEntry]| {
        let request = raw(far, composed.turns.clone(), options)?;
        Ok::<Draft, Failure>(far.gate.prepare_hiding(request, map, edits, more)?)
    };
    let mut growing = map.clone();
    let mut draft = prepare(&mut growing, &[], &[])?;
    let id = PreviewId::new();
    let first = preview(&id, &draft, far.gate);
    let verdicts = approver.ask(&first);
    on_event(ChatEvent::Approval { preview: first });
    let outbound = loop {
        match verdicts.recv_timeout(Duration::from_millis(50)) {
            Ok(Verdict::Send { sha256 }) => {
                let outbound = draft.approve(&sha256, openai_body)?;
                break outbound;
            }
            Ok(Verdict::Cancel) => return Err(not_approved()),
            Ok(Verdict::KeepLocal) => return Ok(FarOutcome::KeepLocal),
            Ok(Verdict::Edit { edits, more, shown }) => {
                let mut fresh = map.clone();
                let answer = prepare(&mut fresh, &edits, &more).map(|next| {
                    let shown = preview(&id, &next, far.gate);
                    (draft, growing) = (next, fresh);
                    shown
                });
                // The window may have gone; the request then waits for its last word as before.
                let _ = shown.send(answer);
            }
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => return Err(stopped()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(not_approved()),
        }
    };
    *map = growing;
    on_event(ChatEvent::Progress { stage: Stage::Sending, done: 0, total: 1 });
    let summary = OutboundSummary {
        destination: outbound.destination().to_owned(),
        bytes: outbound.body().len() as u64,
        sha256: outbound.sha256().to_owned(),
        entities: outbound.entities().to_vec(),
    };
    let mut written = send(far, &outbound, options, map, cancel, on_event)?;
    written.citations =
        cite(&written.text, question(said), &composed.given, &names(&documents(said)));
    written.coverage = composed.coverage;
    written.notices.extend(composed.notices);
    let cost = nearside_cloud::cost(far.provider, written.tokens);
    Ok(FarOutcome::Written(Box::new(written), summary, cost))
}

/// The turns of an answer, or of a summary.
fn composed(said: &[Said], provider: &Provider, options: &TaskOptions) -> Composed {
    let context = usize::try_from(provider.context_length.max(1024)).unwrap_or(8192);
    let context = context.saturating_sub(options.max_tokens).max(512);
    if !asks_for_summary(said) {
        return far_turns(said, context);
    }
    // A far model reads the whole document at once; "all" makes it be composed whole where it fits.
    let mut asking = said.to_vec();
    let chinese = documents(said)
        .iter()
        .flat_map(|document| &document.extracted.pages)
        .next()
        .is_some_and(|page| is_mostly_chinese(&page.text));
    if let Some(last) = asking.last_mut() {
        last.content = prompts::summarise_all(chinese).into();
    }
    far_turns(&asking, context)
}

fn raw(far: &Far<'_>, turns: Vec<Turn>, options: &TaskOptions) -> Result<RawRequest, Failure> {
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0..=2000"
    )]
    let temperature = (f64::from(options.temperature) * 1000.0).round().clamp(0.0, 2000.0) as u32;
    // An unfinished answer that is to go on is a request to a far model, which continues only when told.
    let mut turns = turns;
    if turns.last().is_some_and(|last| last.role == Role::Assistant) {
        turns.push(turn(Role::User, prompts::CONTINUE));
    }
    Ok(RawRequest {
        turns,
        model: far.provider.model.clone(),
        params: Params {
            max_tokens: Some(small(options.max_tokens)),
            temperature_milli: Some(temperature),
            top_p_milli: None,
            seed: (options.seed != 0).then_some(options.seed),
            stream: true,
        },
        destination: nearside_cloud::destination(far.provider)?,
    })
}

fn preview(id: &PreviewId, draft: &Draft, gate: &Gate) -> Preview {
    let (body, sha256) = draft.render(openai_body);
    Preview {
        id: id.clone(),
        destination: draft.proposed().destination().to_owned(),
        model: draft.proposed().model().to_owned(),
        blocks: draft.blocks().to_vec(),
        bytes: body.len() as u64,
        body: String::from_utf8_lossy(&body).into_owned(),
        sha256,
        name_model: gate.has_name_model(),
        leaks: draft.leaks(),
    }
}

fn send(
    far: &Far<'_>,
    outbound: &Outbound,
    options: &TaskOptions,
    map: &PseudonymMap,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(ChatEvent),
) -> Result<Written, Failure> {
    let side = far.side.ok_or_else(no_ledger)?;
    let begun = Instant::now();
    let mut first_ms = 0.0;
    let mut text = String::new();
    let mut restorer = StreamRestorer::new(map.clone());
    let end = side.send(far.provider, options.api_key.as_ref(), outbound, cancel, &mut |piece| {
        if first_ms == 0.0 {
            first_ms = begun.elapsed().as_secs_f64() * 1000.0;
        }
        let restored = restorer.push(piece);
        if !restored.is_empty() {
            text.push_str(&restored);
            on_event(ChatEvent::Text { text: restored });
        }
    });
    let rest = restorer.finish();
    if !rest.text.is_empty() {
        text.push_str(&rest.text);
        on_event(ChatEvent::Text { text: rest.text });
    }
    let mut written = Written {
        model: outbound.model().to_owned(),
        device: outbound.destination().to_owned(),
        timings: Timings { first_token_ms: first_ms, ..Timings::default() },
        ..Written::default()
    };
    if !rest.unknown.is_empty() {
        let count = rest.unknown.len() as u64;
        written.notices.push(Remark::UnknownPlaceholders { count }.into());
    }
    written.text = text;
    match end {
        Ok(end) => {
            written.tokens = end.tokens.unwrap_or_default();
            written.finish = end.finish;
            let seconds = begun.elapsed().as_secs_f64() - first_ms / 1000.0;
            if seconds > 0.0 && written.tokens.generated > 0 {
                #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
                let tokens = written.tokens.generated as f64;
                written.timings.decode_tokens_per_s = tokens / seconds;
            }
        }
        Err(failure) if failure.kind == FailureKind::Cancelled => {
            written.finish = Some(FinishReason::Cancelled);
        }
        Err(failure) if written.text.is_empty() => return Err(failure),
        Err(failure) => written.failure = Some(failure),
    }
    Ok(written)
}

fn not_approved() -> Failure {
    Failure::coded(
        FailureKind::Refused,
        "not_approved",
        "It was not approved, so nothing was sent.",
    )
}

fn no_ledger() -> Failure {
    Failure::coded(
        FailureKind::Refused,
        "no_ledger",
        "Nothing is sent without a ledger entry, and no data folder is open to write one.",
    )
}

fn stopped() -> Failure {
    Failure::new(FailureKind::Cancelled, "Stopped; nothing was sent.")
}
