//! How much a request wants the cloud: a number from 0 to 1 made of five documented parts. It is a heuristic
//! and knows nothing of answers; a learned score may take its place behind the same function.

use crate::{DeviceFacts, Request, TaskKind};

/// From this score on the cloud is chosen, where both ends are possible.
pub const THRESHOLD: f32 = 0.5;

/// Difficulty (at most 0.45: reasoning 0.2, mathematics 0.15, code 0.15, many demands up to 0.1), length against
/// the local context (at most 0.25), how small the local model is (at most 0.25: none at 7 billion parameters and
/// above), a low battery (0.1). Personal data takes 0.2 away, small talk makes it 0, and with no local model
/// it is 1. Rewriting and translating are what small models do well: they halve the difficulty.
#[must_use]
pub fn score(request: &Request, device: &DeviceFacts) -> f32 {
    let Some(model) = &device.model else { return 1.0 };
    let features = request.features;
    if features.small_talk {
        return 0.0;
    }
    let mut difficulty = 0.0_f32;
    for (present, weight) in
        [(features.reasoning, 0.2), (features.mathematics, 0.15), (features.code, 0.15)]
    {
        difficulty += if present { weight } else { 0.0 };
    }
    difficulty += 0.02 * features.demands.min(5) as f32;
    difficulty += if request.task == TaskKind::Code && !features.code { 0.15 } else { 0.0 };
    difficulty = difficulty.min(0.45);
    if matches!(request.task, TaskKind::Translate | TaskKind::Rewrite | TaskKind::Summarize) {
        difficulty /= 2.0;
    }
    let filled =
        (request.prompt_tokens + request.answer_tokens) as f32 / model.context_length.max(1) as f32;
    let length = if request.task == TaskKind::Summarize { 0.0 } else { 0.25 * filled.min(1.0) };
    let small = 0.25 * (1.0 - (model.parameters_millions as f32 / 7000.0)).clamp(0.0, 1.0);
    let tired = if device.battery.is_some_and(|percent| percent < 15) { 0.1 } else { 0.0 };
    let personal = request.entities.iter().any(|e| e.kind.is_tier_a() && e.count > 0);
    let careful = if personal { 0.2 } else { 0.0 };
    let sum = difficulty + length + small + tired - careful;
    (sum.clamp(0.0, 1.0) * 1000.0).round() / 1000.0
}
