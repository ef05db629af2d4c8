//! `LocalModel`: a model file made ready to answer: template, tokenizer, decoder, KV cache and sampler
//! behind the `TextModel` trait. One generation at a time; the cache stays for the next one.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Instant;

use nearside_types::{
    Cancel, DeviceChoice, Failure, FinishReason, GenerateOptions, Generation, Remark, TextModel,
    Timings, TokenLogprob, TokenText, Tokens, Turn,
};

use crate::constraint::Forms;
use crate::device::{Placement, compute_from_environment, place};
use crate::gguf::GgufFile;
use crate::kv_cache::KvCache;
use crate::model::Decoder;
use crate::sampling::{Sampler, logprob};
use crate::speculation::{Guess, Odds, Speculation};
use crate::stream::TextStream;
use crate::template::ChatTemplate;
use crate::tokenizer::{Specials, TokenId, Tokenizer};
use crate::{Error, Result};

/// Prompt tokens that are computed together. More would not be quicker, and a cancel waits for one chunk.
pub(crate) const CHUNK: usize = 128;

/// How to load a model.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// The catalog's name, for footers and errors.
    pub name: String,
    /// Tokens that prompt and answer may take together; none, or more than the model knows, is the model's.
    pub context: Option<usize>,
    /// 0 takes one for each physical core.
    pub threads: usize,
    pub device: DeviceChoice,
    /// Prompt lookup; a GPU does without.
    pub speculation: Speculation,
}

/// A model that is ready to run.
pub struct LocalModel {
    name: String,
    path: PathBuf,
    placement: Placement,
    decoder: Decoder,
    tokenizer: Tokenizer,
    template: ChatTemplate,
    cache: KvCache,
    /// The vocabulary made ready for forms, from the first answer that must have one.
    forms: Option<Forms>,
    context: usize,
    speculation: Speculation,
    load_ms: f64,
}

impl std::fmt::Debug for LocalModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalModel")
            .field("name", &self.name)
            .field("context", &self.context)
            .field("cached", &self.cache.len())
            .finish_non_exhaustive()
    }
}

impl LocalModel {
    /// Opens, checks and repacks a GGUF file.
    ///
    /// # Errors
    /// When the file is not there, is damaged, or holds a model that this version cannot run.
    pub fn load(path: impl AsRef<Path>, mut options: LoadOptions) -> Result<Self> {
        if let Ok(name) = std::env::var("NEARSIDE_SPECULATION") {
            options.speculation = Speculation::named(&name)?;
        }
        let compute = compute_from_environment(options.threads)?;
        let placement = place(options.device, compute);
        Self::load_on(path, options, placement)
    }

    /// The same on a given device, instruction set and threads; those of `options` are then of no effect. A
    /// GPU that fails while weights are sent to it leaves the work to the processor, with a notice.
    ///
    /// # Errors
    /// As `load`.
    pub fn load_on(
        path: impl AsRef<Path>,
        options: LoadOptions,
        mut placement: Placement,
    ) -> Result<Self> {
        let begun = Instant::now();
        let path = path.as_ref().to_owned();
        let file = GgufFile::open(&path)?;
        let tokenizer = Tokenizer::from_gguf(&file)?;
        let template = ChatTemplate::from_gguf(&file, &tokenizer)?;
        let decoder = match load_decoder(&file, &placement) {
            Err(Error::Device { why }) if placement.on_gpu() => {
                leave_gpu(&mut placement, &why);
                load_decoder(&file, &placement)?
            }
            other => other?,
        };
        if decoder.vocabulary() < tokenizer.vocab_size() {
            let (rows, tokens) = (decoder.vocabulary(), tokenizer.vocab_size());
            return Err(Error::Metadata(format!("it has {tokens} tokens but rows for {rows}")));
        }
        let trained = decoder.settings().context;
        Ok(Self {
            name: options.name,
            path,
            placement,
            cache: decoder.new_cache(),
            forms: None,
            context: options.context.map_or(trained, |wanted| wanted.clamp(1, trained)),
            decoder,
            tokenizer,
            template,
            speculation: options.speculation,
            load_ms: milliseconds(begun),
        })
    }

    #[must_use]
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    #[must_use]
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// Milliseconds that loading took.
    #[must_use]
    pub fn load_ms(&self) -> f64 {
        self.load_ms
    }

    /// Logits after each of `tokens`, with nothing before them: `[token][vocabulary]`. For golden tests and
    /// measurements; the session's cache is not touched.
    ///
    /// # Errors
    /// When a token is not in the vocabulary.
    pub fn logits(&self, tokens: &[TokenId]) -> Result<Vec<Vec<f32>>> {
        let mut cache = self.decoder.new_cache();
        let mut all = Vec::with_capacity(tokens.len());
        for chunk in tokens.chunks(CHUNK) {
            let hidden = self.decoder.advance(chunk, &mut cache)?;
            let logits = self.decoder.logits(hidden)?;
            all.extend(logits.chunks_exact(self.decoder.vocabulary()).map(<[f32]>::to_vec));
        }
        Ok(all)
    }

    fn prompt(&self, turns: &[Turn], tools: &[serde_json::Value]) -> Result<Vec<TokenId>> {
        Ok(self.tokenizer.encode_prompt(&self.template.render(turns, tools, None)?))
    }

    /// The tokens of a text that is no conversation.
    fn plain(&self, text: &str) -> Vec<TokenId> {
        let mut tokens = self.tokenizer.encode(text, Specials::All);
        if let Some(bos) = self.tokenizer.bos().filter(|_| self.tokenizer.adds_bos())
            && tokens.first() != Some(&bos)
        {
            tokens.insert(0, bos);
        }
        tokens
    }

    fn text_of(&self, token: TokenId) -> TokenText {
        TokenText(self.tokenizer.piece(token).to_vec())
    }

    #[expect(clippy::cast_possible_truncation, reason = "a logprob is told in single precision")]
    fn logprob(&self, logits: &[f32], token: TokenId, top: usize) -> TokenLogprob {
        let total = logprob::log_total(logits);
        let of = |logit: f32| (f64::from(logit) - total) as f32;
        let beside = logprob::likeliest(logits, top).into_iter();
        TokenLogprob {
            token: self.text_of(token),
            logprob: logits.get(token as usize).map(|logit| of(*logit)),
            top: beside.map(|(token, logit)| (self.text_of(token), of(logit))).collect(),
        }
    }

    fn scored(&self, text: &str, top: usize, cancel: &Cancel) -> Result<Vec<TokenLogprob>> {
        /// Rows of logits that are held at a time: a row has hundreds of kilobytes.
        const ROWS: usize = 32;
        let tokens = self.plain(text);
        if tokens.len() > self.context {
            return Err(Error::ContextOverflow { prompt: tokens.len(), context: self.context });
        }
        let mut cache = self.decoder.new_cache();
        let first = tokens.first().map(|token| TokenLogprob {
            token: self.text_of(*token),
            logprob: None,
            top: Vec::new(),
        });
        let mut all: Vec<TokenLogprob> = first.into_iter().collect();
        for (at, chunk) in tokens.chunks(ROWS).enumerate() {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let hidden = self.decoder.advance(chunk, &mut cache)?;
            let logits = self.decoder.logits(hidden)?;
            let next = &tokens[at * ROWS + 1..];
            let rows = logits.chunks_exact(self.decoder.vocabulary()).zip(next);
            all.extend(rows.map(|(logits, token)| self.logprob(logits, *token, top)));
        }
        Ok(all)
    }

    /// Computes what of `tokens` is not in the cache and returns the logits after each of the last `count`. A
    /// GPU that fails is left for the processor, which reads the conversation again. None when cancelled.
    fn advance_to(
        &mut self,
        tokens: &[TokenId],
        count: usize,
        cancel: &Cancel,
        on_prefill: &mut dyn FnMut(usize, usize),
    ) -> Result<Option<VecDeque<Vec<f32>>>> {
        if !self.placement.on_gpu() {
            return self.prefill(tokens, count, cancel, on_prefill);
        }
        // A driver may also panic when its device is gone.
        let attempt =
            catch_unwind(AssertUnwindSafe(|| self.prefill(tokens, count, cancel, on_prefill)));
        let why = match attempt {
            Ok(Err(Error::Device { why })) => why,
            Ok(other) => return other,
            Err(_) => "its driver failed".to_owned(),
        };
        leave_gpu(&mut self.placement, &why);
        self.decoder = load_decoder(&GgufFile::open(&self.path)?, &self.placement)?;
        self.cache = self.decoder.new_cache();
        self.prefill(tokens, count, cancel, on_prefill)
    }

    /// Computes what of the prompt is not in the cache; `count` is at most a chunk. None when cancelled.
    fn prefill(
        &mut self,
        prompt: &[TokenId],
        count: usize,
        cancel: &Cancel,
        on_prefill: &mut dyn FnMut(usize, usize),
    ) -> Result<Option<VecDeque<Vec<f32>>>> {
        on_prefill(self.cache.len(), prompt.len());
        let mut rest = &prompt[self.cache.len()..];
        while !cancel.is_cancelled() {
            let (chunk, after) = rest.split_at(CHUNK.min(rest.len()));
            if after.is_empty() {
                let logits = self.decoder.last_logits(chunk, count, &mut self.cache)?;
                on_prefill(prompt.len(), prompt.len());
                let rows = logits.chunks_exact(self.decoder.vocabulary());
                return Ok(Some(rows.map(<[f32]>::to_vec).collect()));
            }
            self.decoder.advance(chunk, &mut self.cache)?;
            self.decoder.sync()?;
            on_prefill(self.cache.len(), prompt.len());
            rest = after;
        }
        Ok(None)
    }

    /// Goes on after `tokens`, the prompt.
    fn run(
        &mut self,
        mut tokens: Vec<TokenId>,
        options: &GenerateOptions,
        cancel: &Cancel,
        on_prefill: &mut dyn FnMut(usize, usize),
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation> {
        let begun = Instant::now();
        let prompt = tokens.len();
        if prompt == 0 {
            return Err(Error::Template("it made an empty prompt of these turns".to_owned()));
        }
        if prompt + 1 > self.context {
            return Err(Error::ContextOverflow { prompt, context: self.context });
        }
        let mut form = match &options.constraint {
            None => None,
            Some(constraint) => {
                if self.forms.is_none() {
                    self.forms = Some(Forms::new(&self.tokenizer)?);
                }
                self.forms.as_ref().map(|forms| forms.follow(constraint)).transpose()?
            }
        };
        let mut logprobs = Vec::new();
        let reused = self.cache.reuse(&tokens);
        let prefill_begun = Instant::now();
        let mut rows = self.advance_to(&tokens, 1, cancel, on_prefill)?.unwrap_or_default();
        let prefill_ms = milliseconds(prefill_begun);

        let mut sampler = Sampler::new(options);
        let mut stream = TextStream::default();
        let mut first: Option<Instant> = None;
        let mut finish = FinishReason::Cancelled;
        let mut guess = Guess::default();
        let mut odds = Odds::new(self.speculation);
        while let Some(mut logits) = rows.pop_front() {
            if tokens.len() - prompt >= options.max_tokens || tokens.len() >= self.context {
                finish = FinishReason::Length;
                break;
            }
            let seen = options.logprobs.map(|top| (top, logits.clone()));
            if let Some(form) = &mut form {
                form.restrict(&mut logits)?;
            }
            let token = sampler.next(&logits, &tokens).ok_or(Error::NotANumber)?;
            first.get_or_insert_with(Instant::now);
            if self.tokenizer.ends_generation(token) {
                finish = FinishReason::Stop;
                break;
            }
            if let Some((top, logits)) = seen {
                logprobs.push(self.logprob(&logits, token, top));
            }
            tokens.push(token);
            let text = stream.push(&self.tokenizer, token);
            if !text.is_empty() {
                on_text(&text);
            }
            if let Some(form) = &mut form
                && form.take(token)?
            {
                finish = FinishReason::Stop;
                break;
            }
            if cancel.is_cancelled() {
                break;
            }
            // The last token that fits needs no successor.
            if tokens.len() - prompt >= options.max_tokens || tokens.len() >= self.context {
                finish = FinishReason::Length;
                break;
            }
            let met = guess.meets(token, &mut odds);
            if met == Some(true) && !rows.is_empty() {
                continue;
            }
            // What was computed after a wrong guess.
            self.cache.truncate(tokens.len() - 1);
            let room =
                (options.max_tokens - (tokens.len() - prompt)).min(self.context - tokens.len());
            guess = Guess::of(&tokens, room - 1);
            let guessed = if self.placement.on_gpu() { 0 } else { odds.worth(&guess) };
            let length = tokens.len();
            tokens.extend(guess.first(guessed));
            let pass = Instant::now();
            let computed = self.advance_to(&tokens, 1 + guessed, &Cancel::new(), &mut |_, _| {});
            odds.note_pass(1 + guessed, milliseconds(pass));
            tokens.truncate(length);
            rows = computed?.unwrap_or_default();
        }
        let rest = stream.finish();
        if !rest.is_empty() {
            on_text(&rest);
        }
        let generated = tokens.len() - prompt;
        let decode_ms = first.map_or(0.0, milliseconds);
        let steps = generated.saturating_sub(usize::from(finish != FinishReason::Stop));
        Ok(Generation {
            tokens: Tokens {
                prompt: prompt as u64,
                reused: reused as u64,
                generated: generated as u64,
            },
            timings: Timings {
                load_ms: self.load_ms,
                prefill_ms,
                first_token_ms: first.map_or(0.0, |at| (at - begun).as_secs_f64() * 1e3),
                decode_tokens_per_s: rate(steps, decode_ms),
            },
            finish,
            // Said with the first answer after they arose, not with every one.
            notices: std::mem::take(&mut self.placement.notices),
            logprobs,
        })
    }
}

impl TextModel for LocalModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn device(&self) -> &str {
        &self.placement.name
    }

    fn context_length(&self) -> usize {
        self.context
    }

    fn count_tokens(&self, text: &str) -> usize {
        self.tokenizer.count(text)
    }

    fn count_prompt(&self, turns: &[Turn]) -> Result<usize, Failure> {
        Ok(self.prompt(turns, &[])?.len())
    }

    fn generate(
        &mut self,
        turns: &[Turn],
        options: &GenerateOptions,
        cancel: &Cancel,
        on_prefill: &mut dyn FnMut(usize, usize),
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        let prompt = self.prompt(turns, &options.tools)?;
        Ok(self.run(prompt, options, cancel, on_prefill, on_text)?)
    }

    fn complete(
        &mut self,
        text: &str,
        options: &GenerateOptions,
        cancel: &Cancel,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Generation, Failure> {
        let prompt = self.plain(text);
        if prompt.is_empty() {
            return Err(Failure::usage("There is no text to go on writing."));
        }
        Ok(self.run(prompt, options, cancel, &mut |_, _| {}, on_text)?)
    }

    fn score(
        &mut self,
        text: &str,
        top: usize,
        cancel: &Cancel,
    ) -> Result<Vec<TokenLogprob>, Failure> {
        Ok(self.scored(text, top, cancel)?)
    }
}

pub(crate) fn load_decoder(file: &GgufFile, placement: &Placement) -> Result<Decoder> {
    let load = || {
        let decoder = Decoder::load(file, placement.compute.clone(), placement.device.clone())?;
        decoder.sync()?;
        Ok(decoder)
    };
    if !placement.on_gpu() {
        return load();
    }
    let failed = |_| Err(Error::Device { why: "its driver failed".to_owned() });
    catch_unwind(AssertUnwindSafe(load)).unwrap_or_else(failed)
}

/// Moves a placement from a GPU that failed to the processor.
fn leave_gpu(placement: &mut Placement, why: &str) {
    let said = Remark::GpuFailed { name: placement.name.clone(), why: why.to_owned() };
    *placement = Placement::cpu(placement.compute.clone());
    placement.notices.push(said.into());
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

#[expect(clippy::cast_precision_loss, reason = "a count of tokens")]
fn rate(steps: usize, ms: f64) -> f64 {
    if steps == 0 || ms <= 0.0 { 0.0 } else { steps as f64 / (ms / 1e3) }
}
