//! `ChatTemplate`: turns to a prompt, by the Jinja template that a model file carries
//! (`tokenizer.chat_template`), or by ChatML where it carries none.
//!
//! What a turn says never becomes structure: see [`guard`] for how a user who types `<|im_end|>` gets five
//! ordinary pieces of text. A template is foreign code: it runs in minijinja with bounded work and memory,
//! reads nothing, and sees the time only if the caller gives it. It is not a general template engine. Tools
//! are handed to templates that know them, and described in the system turn for the others.

mod guard;
mod python;
#[cfg(test)]
mod tests;
mod tools;
mod vetting;

use std::borrow::Cow;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, Value, context};
use nearside_types::{Role, Turn};

use crate::gguf::GgufFile;
use crate::tokenizer::Tokenizer;
use crate::{Error, Result};
use guard::{Guards, Spellings};

/// ChatML, the format that most models without a template were trained on.
const CHATML: &str = "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' + \
     message.content + '<|im_end|>' + '\n' }}{% endfor %}\
     {% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// Real templates have some kilobytes.
const LONGEST_TEMPLATE: usize = 1 << 18;
/// Instructions plus 64ths of bytes that a template may use up beyond what the turns need: less than half a
/// second, and 25 MB. A thousand turns take a tenth of it.
const FUEL: u64 = 400_000;
/// The stack that rendering gets, of which only what is used takes memory. The fuel pays for some tens of
/// thousands of lists inside each other, and minijinja walks them by recursion.
const STACK: usize = 512 << 20;
/// The name under which the one template is known to minijinja.
const NAME: &str = "chat";

/// Whitespace around blocks as transformers sets it for chat templates.
fn whitespace() -> Result<SyntaxConfig> {
    SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
        .map_err(|_| Error::Template("its syntax cannot be set up".to_owned()))
}

/// A model's chat template, compiled.
pub struct ChatTemplate {
    environment: Environment<'static>,
    source: Box<str>,
    spellings: Spellings,
    bos: Box<str>,
    eos: Box<str>,
}

/// A rendered prompt in which the template's own text and what the turns say are still told apart. Turn it
/// into tokens with [`Tokenizer::encode_prompt`].
#[derive(Clone, PartialEq, Eq)]
pub struct Prompt {
    guarded: String,
    guard: char,
}

impl ChatTemplate {
    /// # Errors
    /// [`Error::Template`] when the template is too long or does not parse.
    pub fn from_gguf(file: &GgufFile, tokenizer: &Tokenizer) -> Result<Self> {
        let source = file.get::<&str>("tokenizer.chat_template")?.unwrap_or(CHATML);
        Self::new(source, tokenizer)
    }

    /// # Errors
    /// [`Error::Template`] when the template is too long or does not parse.
    pub fn new(source: &str, tokenizer: &Tokenizer) -> Result<Self> {
        if source.len() > LONGEST_TEMPLATE {
            return Err(Error::Template(format!("it has {} bytes", source.len())));
        }
        let syntax = whitespace()?;
        vetting::vet(source, &syntax).map_err(Error::Template)?;
        let mut environment = Environment::new();
        environment.set_debug(false);
        environment.set_syntax(syntax);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment
            .set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_function("raise_exception", python::raise_exception);
        environment.add_filter("tojson", python::to_json);
        // The parser's trees are as deep as their expressions are long.
        with_deep_stack(|| environment.add_template_owned(NAME, source.to_owned()))?
            .map_err(|error| Error::Template(format!("it does not parse ({})", error.kind())))?;
        let spelling = |id: Option<_>| {
            let piece = id.map_or(&[][..], |id| tokenizer.piece(id));
            String::from_utf8_lossy(piece).into()
        };
        Ok(Self {
            environment,
            source: source.into(),
            spellings: Spellings::new(tokenizer.special_spellings()),
            bos: spelling(tokenizer.bos()),
            eos: spelling(tokenizer.eos()),
        })
    }

    /// Renders the turns and opens the assistant's next one; if the last turn is the assistant's, it is
    /// left open to be written on. `now_ms`, milliseconds since 1970 UTC, is for templates that tell the
    /// model the date; without it they say what they say without a clock.
    ///
    /// # Errors
    /// [`Error::Template`] when the template refuses the turns or uses up its fuel.
    pub fn render(
        &self,
        turns: &[Turn],
        tools: &[serde_json::Value],
        now_ms: Option<i64>,
    ) -> Result<Prompt> {
        let described;
        let takes_tools = self.source.contains("tools");
        let turns = if tools.is_empty() || takes_tools {
            turns
        } else {
            described = tools::described(turns, tools);
            &described
        };
        let signatures: Vec<String> = tools.iter().map(ToString::to_string).collect();
        let texts = turns.iter().map(|turn| &*turn.content.0);
        let texts = texts.chain([&*self.source]).chain(signatures.iter().map(String::as_str));
        let guards = Guards::unused_in(texts)
            .ok_or_else(|| Error::Template("the text uses every private character".to_owned()))?;
        let continues = turns.last().is_some_and(|turn| turn.role == Role::Assistant);
        let messages: Vec<Value> = turns
            .iter()
            .enumerate()
            .map(|(at, turn)| {
                let mut content = match turn.role {
                    Role::Assistant => self.spellings.guard_spelled(&turn.content, guards.guard),
                    Role::System | Role::User => {
                        self.spellings.guard_all(&turn.content, guards.guard)
                    }
                };
                if continues && at + 1 == turns.len() {
                    content.push(guards.mark);
                }
                context! { role => role_name(turn.role), content => content }
            })
            .collect();
        let signatures: Vec<Value> = signatures
            .iter()
            .map(|text| serde_json::from_str(&self.spellings.guard_all(text, guards.guard)))
            .map(|guarded| {
                guarded.map(|value: serde_json::Value| Value::from(minijinja::value::Serde(value)))
            })
            .collect::<Result<_, _>>()
            .map_err(|_| Error::Template("a tool's signature cannot be shown".to_owned()))?;
        let bytes: usize = turns.iter().map(|turn| turn.content.len()).sum();
        let bytes = bytes + tools.iter().map(|tool| tool.to_string().len()).sum::<usize>();

        let mut environment = self.environment.clone();
        // Every turn may be copied some times over, and templates look at each turn from each other.
        environment.set_fuel(Some(FUEL + bytes as u64 + 100 * turns.len() as u64));
        if let Some(now_ms) = now_ms {
            environment.add_function("strftime_now", python::strftime(now_ms));
        }
        let render = || {
            environment.get_template(NAME)?.render(context! {
                messages => messages,
                add_generation_prompt => !continues,
                bos_token => &*self.bos,
                eos_token => &*self.eos,
                tools => if tools.is_empty() { Value::from(()) } else { Value::from(signatures) },
                documents => (),
            })
        };
        let mut guarded = with_deep_stack(render)?.map_err(|error| self.fault(&error))?;
        if continues {
            let end = guarded.rfind(guards.mark).ok_or_else(|| {
                Error::Template("it leaves out the answer that is to be continued".to_owned())
            })?;
            guarded.truncate(end);
            guarded.retain(|letter| letter != guards.mark);
        }
        Ok(Prompt { guarded, guard: guards.guard })
    }

    /// The sentence for an error inside the template. A message of the template's own is shown only where
    /// it stands in the template as it is, since it may be put together from what the turns say.
    fn fault(&self, error: &minijinja::Error) -> Error {
        let detail = error.detail().unwrap_or_default();
        Error::Template(match error.kind() {
            ErrorKind::OutOfFuel => "it takes too long".to_owned(),
            _ if detail.len() > 1 && self.source.contains(detail) => {
                format!("it refuses these turns, saying {detail:?}")
            }
            kind => match error.line() {
                Some(line) => format!("{kind} in its line {line}"),
                None => kind.to_string(),
            },
        })
    }
}

/// Runs foreign code on a thread that has room for its recursion.
fn with_deep_stack<T: Send>(run: impl FnOnce() -> T + Send) -> Result<T> {
    let failed = || Error::Template("there is no memory to run it in".to_owned());
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.map_err(|_| failed())?.join().map_err(|_| failed())
    })
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

impl Prompt {
    /// The prompt as the model will read it, for showing and for caches. Turning this into tokens would
    /// mistake what turns say for structure; use [`Tokenizer::encode_prompt`].
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        self.without_guards(&self.guarded)
    }

    pub(crate) fn guarded(&self) -> &str {
        &self.guarded
    }

    pub(crate) fn without_guards<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.contains(self.guard) {
            Cow::Owned(text.replace(self.guard, ""))
        } else {
            Cow::Borrowed(text)
        }
    }
}

impl std::fmt::Debug for Prompt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Prompt({} chars)", self.text().chars().count())
    }
}

impl std::fmt::Debug for ChatTemplate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ChatTemplate({} bytes)", self.source.len())
    }
}
