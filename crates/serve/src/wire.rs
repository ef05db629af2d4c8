//! The requests and answers of the OpenAI chat API, as far as they are served. Unknown fields are ignored,
//! as clients send many; a known field with a wrong value is an error.

use nearside_types::{Failure, FinishReason, GenerateOptions, Generation, Role, Turn, UserText};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
pub(crate) struct ChatRequest {
    pub(crate) model: String,
    messages: Vec<ChatMessage>,
    #[serde(default)]
    pub(crate) stream: bool,
    stream_options: Option<StreamOptions>,
    max_tokens: Option<usize>,
    max_completion_tokens: Option<usize>,
    temperature: Option<f32>,
    top_p: Option<f32>,
    top_k: Option<usize>,
    min_p: Option<f32>,
    repeat_penalty: Option<f32>,
    seed: Option<u64>,
    n: Option<u32>,
    stop: Option<Stop>,
    // Not served yet. An answer that passes over what it was asked for would be taken for what it is not.
    logprobs: Option<bool>,
    #[serde(default)]
    tools: Value,
    #[serde(default)]
    response_format: Value,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Stop {
    One(String),
    Many(Vec<String>),
}

/// As many stop sequences as OpenAI takes, and how long they may be here.
const MOST_STOPS: usize = 4;
const LONGEST_STOP: usize = 1000;

#[derive(Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

#[derive(Deserialize)]
struct ChatMessage {
    role: String,
    content: Content,
}

/// A string, or a list of parts of which only text is served.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
}

impl ChatRequest {
    pub(crate) fn wants_usage(&self) -> bool {
        self.stream_options.as_ref().is_some_and(|options| options.include_usage)
    }

    /// # Errors
    /// `Usage` for a role, part or number that cannot be served.
    pub(crate) fn turns(&self) -> Result<Vec<Turn>, Failure> {
        if self.messages.is_empty() {
            return Err(Failure::usage("`messages` is empty; send at least one user message."));
        }
        self.messages.iter().map(turn).collect()
    }

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
    /// `Usage` for what this version does not serve.
    pub(crate) fn check_served(&self) -> Result<(), Failure> {
        let is_set =
            |value: &Value| !value.is_null() && value.as_array().is_none_or(|a| !a.is_empty());
        let format = &self.response_format["type"];
        let asked = [
            ("`logprobs`", self.logprobs == Some(true)),
            ("`tools`", is_set(&self.tools)),
            ("`response_format`", is_set(&self.response_format) && format != "text"),
        ];
        match asked.iter().find(|(_, asked)| *asked) {
            Some((name, _)) => {
                Err(Failure::usage(format!("{name} is not served in this version; leave it out.")))
            }
            None => Ok(()),
        }
    }

    /// # Errors
    /// `Usage` for numbers outside their ranges.
    pub(crate) fn options(&self) -> Result<GenerateOptions, Failure> {
        if self.n.is_some_and(|n| n != 1) {
            return Err(Failure::usage("Only `n` = 1 is served; ask again for another answer."));
        }
        let temperature = self.temperature.unwrap_or(0.7);
        if !(0.0..=2.0).contains(&temperature) {
            return Err(Failure::usage("`temperature` must lie between 0 and 2."));
        }
        let top_p = self.top_p.unwrap_or(0.95);
        if !(0.0..=1.0).contains(&top_p) {
            return Err(Failure::usage("`top_p` must lie between 0 and 1."));
        }
        let usual = GenerateOptions::default();
        Ok(GenerateOptions {
            max_tokens: self.max_completion_tokens.or(self.max_tokens).unwrap_or(1024),
            temperature,
            top_p,
            top_k: self.top_k.unwrap_or(usual.top_k),
            min_p: self.min_p.unwrap_or(usual.min_p).clamp(0.0, 1.0),
            repetition_penalty: self
                .repeat_penalty
                .unwrap_or(usual.repetition_penalty)
                .clamp(0.5, 2.0),
            seed: self.seed.unwrap_or(usual.seed),
        })
    }
}

fn turn(message: &ChatMessage) -> Result<Turn, Failure> {
    let role = match message.role.as_str() {
        "system" | "developer" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return Err(Failure::usage("A message's `role` must be system, user or assistant.")),
    };
    let content = match &message.content {
        Content::Text(text) => text.clone(),
        Content::Parts(parts) => {
            let mut text = String::new();
            for part in parts {
                match (&*part.kind, &part.text) {
                    ("text", Some(more)) => text.push_str(more),
                    _ => return Err(Failure::usage("Only text parts are served in `content`.")),
                }
            }
            text
        }
    };
    Ok(Turn { role, content: UserText(content) })
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

pub(crate) fn timings(generation: &Generation) -> Value {
    json!(generation.timings)
}
