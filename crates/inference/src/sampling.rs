//! `Sampler`: logits to the next token. Greedy, temperature, top-k, top-p, min-p, repetition penalty, seed.
//!
//! The order is llama.cpp's: repetition penalty, top-k, top-p, min-p, temperature, draw. Each step keeps a
//! prefix of the tokens in order of their logits. The same logits, options and seed give the same tokens
//! on every platform: only IEEE arithmetic is used, ties go to the lower id, and the generator is our own.
//! A vocabulary of 150 thousand is never sorted as a whole.

use std::cmp::Ordering;

use nearside_types::GenerateOptions;

use crate::tokenizer::TokenId;

pub(crate) mod logprob;
mod number;
#[cfg(test)]
mod tests;

use number::{Random, exp};

/// The repetition penalty looks at this many of the latest tokens, as llama.cpp does.
const PENALTY_WINDOW: usize = 64;

/// A token that may be chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    pub token: TokenId,
    pub logit: f32,
    /// Of the tokens that are left together it is 1.
    pub probability: f64,
}

/// Chooses tokens for one generation. Owns the state of the random numbers.
#[derive(Debug, Clone)]
pub struct Sampler {
    options: GenerateOptions,
    random: Random,
    /// A copy of the logits where a penalty changes them.
    penalised: Vec<f32>,
}

impl Sampler {
    #[must_use]
    pub fn new(options: &GenerateOptions) -> Self {
        Self {
            options: options.clone(),
            random: Random::seeded(options.seed),
            penalised: Vec::new(),
        }
    }

    /// The next token after `recent`, prompt included. `logits` has one entry per token; entries that are
    /// not numbers cannot be chosen. None when no entry is a finite number.
    pub fn next(&mut self, logits: &[f32], recent: &[TokenId]) -> Option<TokenId> {
        let options = &self.options;
        let recent = &recent[recent.len().saturating_sub(PENALTY_WINDOW)..];
        let penalty = options.repetition_penalty;
        let logits = if penalty > 0.0 && penalty != 1.0 && !recent.is_empty() {
            self.penalised.clear();
            self.penalised.extend(logits);
            penalise(&mut self.penalised, recent, penalty);
            &self.penalised
        } else {
            logits
        };
        let is_hot = options.temperature > 0.0; // and so not where it is not a number
        if !is_hot || options.top_k == 1 {
            return greedy(logits);
        }
        let candidates = candidates(logits, options);
        draw(&candidates, self.random.unit())
    }
}

/// The token with the highest logit, the lowest id among equals.
#[must_use]
pub fn greedy(logits: &[f32]) -> Option<TokenId> {
    // The maximum first, in a loop that compiles to vector instructions, then its place.
    let highest = highest(logits)?;
    let place = logits.iter().position(|logit| *logit == highest)?;
    TokenId::try_from(place).ok()
}

fn highest(logits: &[f32]) -> Option<f32> {
    let mut lanes = [f32::NEG_INFINITY; 16];
    let chunks = logits.chunks_exact(16);
    let rest = chunks.remainder();
    let keep = |highest: f32, logit: f32| if logit > highest { logit } else { highest };
    for chunk in chunks {
        for (lane, logit) in lanes.iter_mut().zip(chunk) {
            *lane = keep(*lane, *logit);
        }
    }
    let highest =
        lanes.iter().chain(rest).fold(f32::NEG_INFINITY, |high, logit| keep(high, *logit));
    highest.is_finite().then_some(highest)
}

/// Makes tokens that have just occurred less likely (Keskar et al. 2019, CTRL): a positive logit is divided
/// by the penalty, a negative one multiplied.
fn penalise(logits: &mut [f32], recent: &[TokenId], penalty: f32) {
    for (at, token) in recent.iter().enumerate() {
        if recent[..at].contains(token) {
            continue;
        }
        if let Some(logit) = logits.get_mut(*token as usize) {
            *logit = if *logit > 0.0 { *logit / penalty } else { *logit * penalty };
        }
    }
}

/// Higher logits first, then lower ids.
fn order(left: &Candidate, right: &Candidate) -> Ordering {
    right.logit.total_cmp(&left.logit).then(left.token.cmp(&right.token))
}

/// The tokens that top-k, top-p and min-p leave, with their probabilities at the temperature. In order of
/// their logits, unless every token is left. Empty when no logit is a finite number.
#[must_use]
pub fn candidates(logits: &[f32], options: &GenerateOptions) -> Vec<Candidate> {
    let Some(highest) = highest(logits) else { return Vec::new() };
    let weight = |logit: f32| exp(f64::from(logit) - f64::from(highest));
    let limited = options.top_k > 0 && options.top_k < logits.len();
    let mut kept = if limited { top_k(logits, options.top_k) } else { all(logits) };
    // From here `probability` holds weights, 1 for the likeliest token, until the end.
    kept.iter_mut().for_each(|candidate| candidate.probability = weight(candidate.logit));

    let least = f64::from(options.min_p);
    if options.top_p < 1.0 {
        // Not `max`: a top-p that is not a number keeps the likeliest token.
        let share = if options.top_p > 0.0 { f64::from(options.top_p) } else { 0.0 };
        keep_share(&mut kept, share);
    }
    if least > 0.0 {
        let least = least.min(1.0);
        kept.retain(|candidate| candidate.probability >= least);
    }
    if options.temperature > 0.0 && options.temperature != 1.0 {
        let temperature = f64::from(options.temperature);
        for candidate in &mut kept {
            let below = f64::from(candidate.logit) - f64::from(highest);
            candidate.probability = exp(below / temperature);
        }
    }
    let total: f64 = kept.iter().map(|candidate| candidate.probability).sum();
    kept.iter_mut().for_each(|candidate| candidate.probability /= total);
    kept
}

fn all(logits: &[f32]) -> Vec<Candidate> {
    let finite = (0..).zip(logits).filter(|(_, logit)| logit.is_finite());
    finite.map(|(token, logit)| Candidate { token, logit: *logit, probability: 0.0 }).collect()
}

/// The `k` highest logits, sorted. One pass: what is not above the lowest of `k` known ones is passed over.
fn top_k(logits: &[f32], k: usize) -> Vec<Candidate> {
    let room = (4 * k).max(64);
    let mut kept: Vec<Candidate> = Vec::with_capacity(room.min(logits.len()));
    let mut bar = f32::NEG_INFINITY;
    for (token, logit) in (0..).zip(logits) {
        // At equal logits the lower id wins, and it came first.
        if *logit > bar && logit.is_finite() {
            kept.push(Candidate { token, logit: *logit, probability: 0.0 });
            if kept.len() == room {
                kept.select_nth_unstable_by(k - 1, order);
                kept.truncate(k);
                bar = kept[k - 1].logit;
            }
        }
    }
    if kept.len() > k {
        kept.select_nth_unstable_by(k - 1, order);
        kept.truncate(k);
    }
    kept.sort_unstable_by(order);
    kept
}

/// Keeps the likeliest tokens that together have this share of the weight, at least one; sorted.
fn keep_share(kept: &mut Vec<Candidate>, share: f64) {
    let wanted: f64 = share * kept.iter().map(|candidate| candidate.probability).sum::<f64>();
    let mut sorted = 0;
    let mut reached = 0.0;
    // Mostly a few dozen tokens are enough; sort more only as long as they are not.
    let mut block = 128;
    while sorted < kept.len() {
        let tail = &mut kept[sorted..];
        let take = block.min(tail.len());
        if take < tail.len() {
            tail.select_nth_unstable_by(take - 1, order);
        }
        tail[..take].sort_unstable_by(order);
        for candidate in &tail[..take] {
            reached += candidate.probability;
            sorted += 1;
            if reached >= wanted {
                kept.truncate(sorted);
                return;
            }
        }
        block *= 8;
    }
}

/// The candidate at this point, 0 to 1, of their probabilities laid end to end.
fn draw(candidates: &[Candidate], point: f64) -> Option<TokenId> {
    let mut passed = 0.0;
    for candidate in candidates {
        passed += candidate.probability;
        if point < passed {
            return Some(candidate.token);
        }
    }
    // Rounding may leave the sum a hair below the point.
    candidates.last().map(|candidate| candidate.token)
}
