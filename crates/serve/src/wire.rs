//! A request of the OpenAI chat API as far as it is served. Unknown fields are ignored, as clients send many; a
//! known field with a wrong value is an error.

use nearside_types::{Failure, GenerateOptions, Role, TokenLogprob, Turn, UserText};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::calls::Call;
use crate::format;
use crate::sampling::{self, Sampling, StreamOptions};
use crate::tools::Tools;

#[derive(Deserialize)]
pub(crate) struct ChatRequest {
    pub(crate) model: String,
    messages: Vec<ChatMessage>,
    #[serde(default)]
    pub(crate) stream: bool,
    stream_options: Option<StreamOptions>,
    max_tokens: Option<usize>,
    max_completion_tokens: Option<usize>,
    #[serde(flatten)]
    pub(crate) sampling: Sampling,
    logprobs: Option<bool>,
    top_logprobs: Option<usize>,
    #[serde(default)]
    tools: Value,
    #[serde(default)]
    tool_choice: Value,
    #[serde(default)]
    response_format: Value,
}

#[derive(Deserialize)]
struct ChatMessage {
    role: String,
    /// May be null beside calls.
    content: Option<Content>,
    #[serde(default)]
    tool_calls: Vec<EarlierCall>,
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

#[derive(Deserialize)]
struct EarlierCall {
    function: EarlierFunction,
}

#[derive(Deserialize)]
struct EarlierFunction {
    name: String,
    /// JSON in a string.
    arguments: String,
}

impl ChatRequest {
    pub(crate) fn wants_usage(&self) -> bool {
        self.stream_options.as_ref().is_some_and(|options| options.include_usage)
    }

    /// # Errors
    /// `Usage` for a role or part that cannot be served.
    pub(crate) fn turns(&self) -> Result<Vec<Turn>, Failure> {
        if self.messages.is_empty() {
            return Err(Failure::usage("`messages` is empty; send at least one user message."));
        }
        let mut turns: Vec<Turn> = Vec::with_capacity(self.messages.len());
        let mut after_result = false;
        for message in &self.messages {
            let turn = turn(message)?;
            let is_result = message.role == "tool";
            match turns.last_mut() {
                // Results of calls made together are one turn.
                Some(last) if is_result && after_result => {
                    last.content = UserText(format!("{}\n{}", &*last.content, &*turn.content));
                }
                _ => turns.push(turn),
            }
            after_result = is_result;
        }
        Ok(turns)
    }

    /// # Errors
    /// `Usage` for a tool that is none.
    pub(crate) fn tools(&self) -> Result<Tools, Failure> {
        Tools::of(&self.tools, &self.tool_choice)
    }

    /// # Errors
    /// `Usage` for numbers outside their ranges, and a form that is none.
    pub(crate) fn options(&self, tools: &Tools) -> Result<GenerateOptions, Failure> {
        let most = self.max_completion_tokens.or(self.max_tokens).unwrap_or(1024);
        let mut options = self.sampling.options(most, 0.7)?;
        options.constraint = match tools.constraint()? {
            None => format::constraint(&self.response_format)?,
            forced => forced,
        };
        options.logprobs = match (self.logprobs, self.top_logprobs) {
            (Some(true), count) => Some(sampling::top(count.unwrap_or(0), "top_logprobs")?),
            (_, Some(1..)) => {
                return Err(Failure::usage("`top_logprobs` wants `logprobs` = true beside it."));
            }
            _ => None,
        };
        options.tools = tools.offered().to_vec();
        Ok(options)
    }
}

fn turn(message: &ChatMessage) -> Result<Turn, Failure> {
    let content = match &message.content {
        None => String::new(),
        Some(Content::Text(text)) => text.clone(),
        Some(Content::Parts(parts)) => {
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
    if message.content.is_none() && message.tool_calls.is_empty() {
        return Err(Failure::usage("A message has neither `content` nor `tool_calls`."));
    }
    let (role, content) = match message.role.as_str() {
        "system" | "developer" => (Role::System, content),
        "user" => (Role::User, content),
        "assistant" => (Role::Assistant, with_calls(content, &message.tool_calls)?),
        "tool" => (Role::User, format!("<tool_response>\n{content}\n</tool_response>")),
        _ => {
            return Err(Failure::usage(
                "A message's `role` must be system, user, assistant or tool.",
            ));
        }
    };
    Ok(Turn { role, content: UserText(content) })
}

/// An earlier answer as the model wrote it.
fn with_calls(mut content: String, calls: &[EarlierCall]) -> Result<String, Failure> {
    for EarlierCall { function } in calls {
        let arguments: Value = serde_json::from_str(&function.arguments).map_err(|_| {
            Failure::usage("The `arguments` of an earlier tool call are not JSON in a string.")
        })?;
        if !content.is_empty() {
            content.push('\n');
        }
        let call = json!({"name": function.name, "arguments": arguments});
        content.push_str(&format!("<tool_call>\n{call}\n</tool_call>"));
    }
    Ok(content)
}

/// Calls as a message or, where `indexed`, a piece of a stream carries them.
pub(crate) fn calls(calls: &[Call], indexed: bool) -> Value {
    let one = |(index, call): (usize, &Call)| {
        let mut one = json!({
            "id": format!("call_{}", nearside_types::JobId::new()),
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments.to_string()},
        });
        if let (true, Some(fields)) = (indexed, one.as_object_mut()) {
            fields.insert("index".to_owned(), json!(index));
        }
        one
    };
    calls.iter().enumerate().map(one).collect()
}

/// `logprobs` of a choice; null where they were not asked for.
pub(crate) fn logprobs(asked: bool, tokens: &[TokenLogprob]) -> Value {
    if !asked {
        return Value::Null;
    }
    let shown = |token: &nearside_types::TokenText, logprob: f32| {
        json!({
            "token": String::from_utf8_lossy(&token.0), "logprob": logprob, "bytes": token.0
        })
    };
    let content = tokens.iter().map(|token| {
        let mut one = shown(&token.token, told(token.logprob));
        let top: Value =
            token.top.iter().map(|(token, logprob)| shown(token, told(Some(*logprob)))).collect();
        if let Some(fields) = one.as_object_mut() {
            fields.insert("top_logprobs".to_owned(), top);
        }
        one
    });
    json!({"content": content.collect::<Value>(), "refusal": null})
}

/// JSON has no infinity; OpenAI's own word for a token that cannot be is this number.
pub(crate) fn told(logprob: Option<f32>) -> f32 {
    logprob.filter(|logprob| logprob.is_finite()).unwrap_or(-9999.0)
}
