//! `ParrotModel`: a text model that says what its script tells it to, token by token, with counters that a
//! real model would have. It has no weights, no randomness and no clock: the same turns give the same words.
//!
//! A token is a run of letters or digits, or one other character that is not a space; so English counts
//! words and Chinese counts characters, which is close to what a real tokenizer does.

use std::sync::{Arc, Mutex};

use nearside_types::{
    Cancel, Failure, FailureKind, FinishReason, GenerateOptions, Generation, Role, TextModel,
    Timings, Tokens, Turn,
};

/// Answers for a list of turns.
pub type Script = Arc<dyn Fn(&[Turn]) -> String + Send + Sync>;

/// Every prompt that a parrot was given, oldest first; shared with the test that looks at it.
pub type Heard = Arc<Mutex<Vec<Vec<Turn>>>>;

/// Called before each token with its number and the generation's cancel.
pub type Pace = Arc<dyn Fn(usize, &Cancel) + Send + Sync>;

/// A scripted model.
#[derive(Clone)]
pub struct ParrotModel {
    name: String,
    device: String,
    context_length: usize,
    script: Script,
    heard: Heard,
    last: String,
    /// After this many tokens of one answer the model fails, as a lost device would.
    pub fails_after: Option<usize>,
    /// Lets a test hold the model at a token until something has happened.
    pub pace: Option<Pace>,
}

impl ParrotModel {
    /// A parrot that repeats the words of the last turn.
    #[must_use]
    pub fn new() -> Self {
        Self::scripted(|turns| turns.last().map_or_else(String::new, |turn| turn.content.0.clone()))
    }

    /// A parrot that answers with `script`.
    #[must_use]
    pub fn scripted(script: impl Fn(&[Turn]) -> String + Send + Sync + 'static) -> Self {
        Self {
            name: "parrot".to_owned(),
            device: "cpu".to_owned(),
            context_length: 4096,
            script: Arc::new(script),
            heard: Heard::default(),
            last: String::new(),
            fails_after: None,
            pace: None,
        }
    }

    /// A parrot that always says `answer`.
    #[must_use]
    pub fn saying(answer: &str) -> Self {
        let answer = answer.to_owned();
        Self::scripted(move |_| answer.clone())
    }

    #[must_use]
    pub fn with_context(mut self, tokens: usize) -> Self {
        self.context_length = tokens;
        self
    }

    #[must_use]
    pub fn with_name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// The prompts that this parrot and its clones were given.
    #[must_use]
    pub fn heard(&self) -> Heard {
        Arc::clone(&self.heard)
    }

    fn render(turns: &[Turn]) -> String {
        let mut text = String::new();
        for turn in turns {
            let role = match turn.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            text.push_str(role);
            text.push('\n');
            text.push_str(&turn.content);
            text.push('\n');
        }
        text
    }
}

impl Default for ParrotModel {
    fn default() -> Self {
        Self::new()
    }
}

/// Splits into tokens, each with the space in front of it, so that they join to the text again.
#[must_use]
pub fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut in_word = false;
    let mut seen_solid = false;
    for (at, c) in text.char_indices() {
        let word = c.is_alphanumeric() && c.is_ascii();
        let solid = !c.is_whitespace();
        if seen_solid && !(word && in_word) {
            out.push(&text[start..at]);
            start = at;
            seen_solid = false;
        }
        seen_solid |= solid;
        in_word = word;
    }
    if start < text.len() {
        out.push(&text[start..]);
    }
    out
}

impl TextModel for ParrotModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn device(&self) -> &str {
        &self.device
    }

    fn context_length(&self) -> usize {
        self.context_length
    }

    fn count_tokens(&self, text: &str) -> usize {
        tokens(text).len()
    }

    fn count_prompt(&self, turns: &[Turn]) -> Result<usize, Failure> {
        Ok(tokens(&Self::render(turns)).len())
    }

    fn generate(
        &mut self,
        turns: &[Turn],
        options: &GenerateOptions,
        cancel: &Cancel,
        on_prefill: &mut dyn FnMut(usize, usize),
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        let rendered = Self::render(turns);
        let prompt = tokens(&rendered);
        if prompt.len() + 1 > self.context_length {
            return Err(Failure::coded(
                FailureKind::Usage,
                "context_overflow",
                "The prompt is longer than this model can read.",
            ));
        }
        let reused = tokens(&self.last).iter().zip(&prompt).take_while(|(a, b)| a == b).count();
        if let Ok(mut heard) = self.heard.lock() {
            heard.push(turns.to_vec());
        }
        let prompt_tokens = prompt.len();
        on_prefill(prompt_tokens, prompt_tokens);
        let answer = (self.script)(turns);
        let room = options.max_tokens.min(self.context_length - prompt_tokens);
        let mut generated = 0;
        let mut finish = FinishReason::Stop;
        for token in tokens(&answer) {
            if let Some(pace) = &self.pace {
                pace(generated, cancel);
            }
            if cancel.is_cancelled() {
                finish = FinishReason::Cancelled;
                break;
            }
            if self.fails_after == Some(generated) {
                return Err(Failure::internal("The device was lost."));
            }
            if generated == room {
                finish = FinishReason::Length;
                break;
            }
            on_text(token);
            generated += 1;
        }
        self.last = format!("{rendered}assistant\n{answer}");
        Ok(Generation {
            tokens: Tokens {
                prompt: prompt_tokens as u64,
                reused: reused as u64,
                generated: generated as u64,
            },
            timings: Timings::default(),
            finish,
            notices: Vec::new(),
            logprobs: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_join_to_the_text_again() {
        for text in ["", "one two, three", "  lead and trail  ", "中文 words混合。", "a\n\nb"]
        {
            assert_eq!(tokens(text).concat(), text);
        }
        assert_eq!(tokens("one two, 中文"), ["one", " two", ",", " 中", "文"]);
    }

    #[test]
    fn stops_within_one_token_of_a_cancel() {
        let mut model = ParrotModel::saying("one two three four");
        let cancel = Cancel::new();
        let mut written = String::new();
        let generation = model
            .generate(&[], &GenerateOptions::default(), &cancel, &mut |_, _| {}, &mut |text| {
                written.push_str(text);
                if written.ends_with("two") {
                    cancel.cancel();
                }
            })
            .unwrap();
        assert_eq!(written, "one two");
        assert_eq!(generation.finish, FinishReason::Cancelled);
    }
}
