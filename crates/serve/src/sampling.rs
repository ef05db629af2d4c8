//! The fields of a request that say how to sample and where to stop, the same for chats and plain texts.

use nearside_types::{Failure, FinishReason, GenerateOptions, Generation};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
pub(crate) struct Sampling {
    temperature: Option<f32>,
    top_p: Option<f32>,
    top_k: Option<usize>,
    min_p: Option<f32>,
    repeat_penalty: Option<f32>,
    seed: Option<u64>,
    n: Option<u32>,
    stop: Option<Stop>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Stop {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
pub(crate) struct StreamOptions {
    #[serde(default)]
    pub(crate) include_usage: bool,
}

/// As many stop sequences as OpenAI takes, and how long they may be here.
const MOST_STOPS: usize = 4;
const LONGEST_STOP: usize = 1000;
/// As many likeliest tokens as OpenAI lists.
pub(crate) const MOST_TOP: usize = 20;

impl Sampling {
    /// Where an answer ends.
    ///
    /// # Errors
    /// `Usage` for too many or too long sequences, and empty ones.
    pub(crate) fn stops(&self) -> Result<Vec<String>, Failure> {
        let stops = match &self.stop {
            None => Vec::new(),
            Some(Stop::One(stop)) => vec![stop.clone()],
            Some(Stop::Many(stops)) => stops.clone(),
        };
        if stops.len() > MOST_STOPS
            || stops.iter().any(|stop| stop.is_empty() || stop.len() > LONGEST_STOP)
        {
            return Err(Failure::usage(
                "`stop` must hold at most 4 texts, none empty or longer than 1000 bytes.",
            ));
        }
        Ok(stops)
    }

    /// # Errors
    /// `Usage` for numbers outside their ranges.
    pub(crate) fn options(
        &self,
        max_tokens: usize,
        temperature: f32,
    ) -> Result<GenerateOptions, Failure> {
        if self.n.is_some_and(|n| n != 1) {
            return Err(Failure::usage("Only `n` = 1 is served; ask again for another answer."));
        }
        let temperature = self.temperature.unwrap_or(temperature);
        if !(0.0..=2.0).contains(&temperature) {
            return Err(Failure::usage("`temperature` must lie between 0 and 2."));
        }
        let top_p = self.top_p.unwrap_or(0.95);
        if !(0.0..=1.0).contains(&top_p) {
            return Err(Failure::usage("`top_p` must lie between 0 and 1."));
        }
        let usual = GenerateOptions::default();
        Ok(GenerateOptions {
            max_tokens,
            temperature,
            top_p,
            top_k: self.top_k.unwrap_or(usual.top_k),
            min_p: self.min_p.unwrap_or(usual.min_p).clamp(0.0, 1.0),
            repetition_penalty: self
                .repeat_penalty
                .unwrap_or(usual.repetition_penalty)
                .clamp(0.5, 2.0),
            seed: self.seed.unwrap_or(usual.seed),
            ..usual
        })
    }
}

/// # Errors
/// `Usage` for more likeliest tokens than are listed.
pub(crate) fn top(count: usize, name: &str) -> Result<usize, Failure> {
    if count > MOST_TOP {
        return Err(Failure::usage(format!("`{name}` must lie between 0 and {MOST_TOP}.")));
    }
    Ok(count)
}

pub(crate) fn finish(reason: FinishReason) -> &'static str {
    match reason {
        FinishReason::Length => "length",
        FinishReason::Stop | FinishReason::Cancelled => "stop",
    }
}

pub(crate) fn usage(generation: &Generation) -> Value {
    let tokens = generation.tokens;
    json!({
        "prompt_tokens": tokens.prompt,
        "completion_tokens": tokens.generated,
        "total_tokens": tokens.prompt + tokens.generated,
        "prompt_tokens_details": {"cached_tokens": tokens.reused},
    })
}
