//! One stretch of speech through whisper.cpp: the language, then words with their times and how sure they are.
//!
//! The edge to C lies here. What is heard is judged elsewhere.

use std::ffi::c_void;
use std::path::Path;

use nearside_types::Cancel;
use whisper_rs::{
    FullParams, SamplingStrategy, WhisperContext, WhisperContextParameters, WhisperState,
};

use crate::{Error, Result, SAMPLE_RATE};

/// Positions of the encoder, each 20 ms: 30 seconds in all.
const POSITIONS: usize = 1500;

/// Samples of one position.
const POSITION: usize = SAMPLE_RATE as usize / 50;

/// What the encoder sees after the end of the sound; with less, the last words are repeated.
const ROOM: usize = 64;

/// Language is told from at most so many positions.
const LANGUAGE_POSITIONS: usize = 500;

/// More of a prompt than the model can take.
const PROMPT_BYTES: usize = 1024;

/// How the model searches, to be measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Search {
    /// 1 is greedy.
    pub beams: u32,
    /// The encoder looks only as far as the sound goes; else at 30 seconds always.
    pub short_context: bool,
    /// Step of the temperature when a result looks wrong; 0 never tries again.
    pub temperature_step: f32,
}

impl Default for Search {
    fn default() -> Self {
        Self { beams: 1, short_context: true, temperature_step: 0.2 }
    }
}

/// What the model wrote of a part of the stretch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heard {
    /// Seconds from the start of the stretch.
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) text: String,
    /// Mean of the tokens' log probabilities.
    pub(crate) sureness: f32,
    /// The model's own probability that nobody speaks.
    pub(crate) no_speech: f32,
}

/// A loaded model.
pub(crate) struct Whisper {
    context: WhisperContext,
    state: WhisperState,
    threads: usize,
    pub(crate) search: Search,
}

/// What is wanted of one stretch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish<'a> {
    pub(crate) language: &'a str,
    pub(crate) prompt: &'a str,
    pub(crate) translate: bool,
    /// It will soon be written anew with more sound: once is enough.
    pub(crate) tentative: bool,
}

impl Whisper {
    pub(crate) fn load(path: &Path, threads: usize, search: Search) -> Result<Self> {
        processor()?;
        quiet();
        let fault = || Error::Model(path.display().to_string());
        let mut parameters = WhisperContextParameters::new();
        // Seen with flash attention: the last words of one recording at the end of the next, with a shortened context
        // (its padding is likely not cleared), and 60 s of computing for the public clips instead of 33.
        parameters.use_gpu(false).flash_attn(false);
        // Through memory, since the library cannot open every path of every system.
        let bytes = std::fs::read(path).map_err(|_| fault())?;
        let context =
            WhisperContext::new_from_buffer_with_params(&bytes, parameters).map_err(|_| fault())?;
        let state = context.create_state().map_err(|_| fault())?;
        Ok(Self { context, state, threads: threads.clamp(1, 64), search })
    }

    /// Forgets everything that was heard, so that a recording neither holds nor depends on what came before it.
    pub(crate) fn forget(&mut self) -> Result<()> {
        let fresh = self.context.create_state();
        self.state = fresh.map_err(|error| Error::Failed(error.to_string()))?;
        Ok(())
    }

    pub(crate) fn multilingual(&self) -> bool {
        self.context.is_multilingual()
    }

    /// The likeliest language and how likely it is.
    pub(crate) fn language(&mut self, samples: &[f32], cancel: &Cancel) -> Result<(String, f32)> {
        if !self.multilingual() {
            return Ok(("en".to_owned(), 1.0));
        }
        // A run over a tenth of a second reads the whole sound and sets how far the encoder looks, and decodes
        // nothing; there is no other way to set that.
        let positions = self.positions(samples.len()).min(LANGUAGE_POSITIONS);
        let mut parameters = self.parameters(cancel);
        parameters.set_duration_ms(100);
        parameters.set_language(Some("en"));
        parameters.set_audio_ctx(i32::try_from(positions).unwrap_or(0));
        self.state.full(parameters, samples).map_err(|error| failure(&error, cancel))?;
        let (best, all) =
            self.state.lang_detect(0, self.threads).map_err(|error| failure(&error, cancel))?;
        let sure = usize::try_from(best).ok().and_then(|at| all.get(at)).copied().unwrap_or(0.0);
        let name = whisper_rs::get_lang_str(best).unwrap_or("en");
        Ok((name.to_owned(), sure))
    }

    /// What is said in at most 30 seconds.
    pub(crate) fn hear(
        &mut self,
        samples: &[f32],
        wish: &Wish<'_>,
        cancel: &Cancel,
    ) -> Result<Vec<Heard>> {
        let prompt = if wish.prompt.is_empty() {
            Vec::new()
        } else {
            // The binding does not notice when there are more tokens than room for them; a token is at least a byte.
            let end = wish.prompt.floor_char_boundary(PROMPT_BYTES);
            self.context
                .tokenize(&wish.prompt[..end].replace('\0', " "), PROMPT_BYTES)
                .map_err(|error| failure(&error, cancel))?
        };
        let positions = self.positions(samples.len());
        let mut parameters = self.parameters(cancel);
        // The library keeps a copy of these few bytes for good.
        parameters.set_language(Some(wish.language));
        parameters.set_translate(wish.translate);
        parameters.set_audio_ctx(i32::try_from(positions).unwrap_or(0));
        parameters.set_tokens(&prompt);
        if wish.tentative {
            parameters.set_temperature_inc(0.0);
        }
        self.state.full(parameters, samples).map_err(|error| failure(&error, cancel))?;
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let first_special = self.context.token_eot();
        let length = samples.len() as f64 / f64::from(SAMPLE_RATE);
        let heard = self.state.as_iter().map(|segment| {
            let (mut sum, mut count) = (0.0, 0.0_f32);
            for at in 0..segment.n_tokens() {
                if let Some(token) = segment.get_token(at)
                    && token.token_id() < first_special
                {
                    sum += token.token_data().plog;
                    count += 1.0;
                }
            }
            Heard {
                start: (segment.start_timestamp() as f64 / 100.0).clamp(0.0, length),
                end: (segment.end_timestamp() as f64 / 100.0).clamp(0.0, length),
                text: segment.to_str_lossy().map(std::borrow::Cow::into_owned).unwrap_or_default(),
                sureness: sum / count.max(1.0),
                no_speech: segment.no_speech_probability(),
            }
        });
        Ok(heard.collect())
    }

    fn positions(&self, samples: usize) -> usize {
        if self.search.short_context {
            // The library's fast paths want round numbers.
            (samples.div_ceil(POSITION) + ROOM).next_multiple_of(64).min(POSITIONS)
        } else {
            POSITIONS
        }
    }

    fn parameters<'a>(&self, cancel: &'a Cancel) -> FullParams<'static, 'a> {
        let mut parameters = FullParams::new(match self.search.beams {
            0 | 1 => SamplingStrategy::Greedy { best_of: 5 },
            beams => SamplingStrategy::BeamSearch {
                beam_size: i32::try_from(beams).unwrap_or(5),
                patience: -1.0,
            },
        });
        parameters.set_n_threads(i32::try_from(self.threads).unwrap_or(1));
        parameters.set_print_progress(false);
        parameters.set_print_realtime(false);
        parameters.set_print_timestamps(false);
        parameters.set_print_special(false);
        parameters.set_no_context(true);
        parameters.set_suppress_blank(true);
        // No tags such as (music): only words.
        parameters.set_suppress_nst(true);
        parameters.set_temperature_inc(self.search.temperature_step);
        abort_with(&mut parameters, cancel);
        parameters
    }
}

/// Lets a run stop within one computation when it is cancelled.
#[expect(unsafe_code, reason = "whisper.cpp asks through a C callback whether to stop")]
fn abort_with<'a>(parameters: &mut FullParams<'static, 'a>, cancel: &'a Cancel) {
    unsafe extern "C" fn stopped(data: *mut c_void) -> bool {
        // SAFETY: `data` is the `&'a Cancel` below, which outlives the parameters that carry it, and a `Cancel`
        // may be read from any thread.
        unsafe { data.cast::<Cancel>().cast_const().as_ref() }.is_some_and(Cancel::is_cancelled)
    }
    // SAFETY: the callback takes exactly the pointer that is set here; it is borrowed for `'a`, the lifetime of
    // the parameters, and a run borrows them for as long as it lasts.
    unsafe {
        parameters.set_abort_callback(Some(stopped));
        parameters
            .set_abort_callback_user_data(std::ptr::from_ref(cancel).cast_mut().cast::<c_void>());
    }
}

fn failure(error: &whisper_rs::WhisperError, cancel: &Cancel) -> Error {
    if cancel.is_cancelled() { Error::Cancelled } else { Error::Failed(error.to_string()) }
}

/// The library's messages go to nobody.
pub(crate) fn quiet() {
    whisper_rs::install_logging_hooks();
}

/// The library is compiled for processors with these and would crash on others.
fn processor() -> Result<()> {
    #[cfg(target_arch = "x86_64")]
    if !(std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("fma")
        && std::is_x86_feature_detected!("f16c")
        && std::is_x86_feature_detected!("bmi2"))
    {
        return Err(Error::Processor);
    }
    Ok(())
}
