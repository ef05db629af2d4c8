//! Recordings of any length to transcripts: blocks are read, speech is found and cut where nobody speaks, each
//! stretch is written down, and only what is not done with is held.

use std::path::Path;

use nearside_types::{
    Cancel, TranscribeOptions, TranscribeProgress, Transcript, TranscriptSegment, Trouble, UserText,
};

use crate::activity::Activity;
use crate::buffer::Buffer;
use crate::plan::{Plan, Rules};
use crate::script::{Script, wide_marks};
use crate::trust::trusted;
use crate::whisper::{Search, Whisper, Wish};
use crate::{Error, Result, Samples, SoundFile, Source};

/// Less sure of the language than this, a stretch is taken to be in that of the stretch before.
const SURE_OF_LANGUAGE: f32 = 0.6;

/// Both models, loaded and warm. One call at a time.
pub struct Recognizer {
    whisper: Whisper,
    pub(crate) activity: Activity,
    script: Script,
    rules: Rules,
}

/// A stretch of the recording that was written down.
pub(crate) struct Stretch {
    pub(crate) language: String,
    pub(crate) segments: Vec<TranscriptSegment>,
}

impl Recognizer {
    /// Loads a whisper model in ggml form and Silero's voice activity in ggml form.
    ///
    /// # Errors
    /// A model that cannot be loaded, or a processor that is too old.
    pub fn load(model: &Path, voice_activity: &Path, threads: usize) -> Result<Self> {
        Self::load_with(model, voice_activity, threads, Search::default())
    }

    /// The same with another way to search.
    ///
    /// # Errors
    /// As `load`.
    pub fn load_with(
        model: &Path,
        voice_activity: &Path,
        threads: usize,
        search: Search,
    ) -> Result<Self> {
        Ok(Self {
            whisper: Whisper::load(model, threads, search)?,
            activity: Activity::load(voice_activity)?,
            script: Script::load()?,
            rules: Rules::default(),
        })
    }

    /// Writes down samples at 16 kHz.
    ///
    /// # Errors
    /// That it was stopped, a language that the model has not, or a fault of the model.
    pub fn recognize(
        &mut self,
        samples: &[f32],
        options: &TranscribeOptions,
        cancel: &Cancel,
    ) -> Result<Transcript> {
        self.transcribe(&mut Samples::new(samples), options, &mut |_| {}, cancel)
    }

    /// Writes down a sound file.
    ///
    /// # Errors
    /// As `recognize`, or a sentence on what is wrong with the file.
    pub fn transcribe_file(
        &mut self,
        path: &Path,
        options: &TranscribeOptions,
        progress: &mut dyn FnMut(TranscribeProgress),
        cancel: &Cancel,
    ) -> Result<Transcript> {
        self.transcribe(&mut SoundFile::open(path)?, options, progress, cancel)
    }

    /// Writes down whatever a source gives.
    ///
    /// # Errors
    /// As `transcribe_file`.
    pub fn transcribe(
        &mut self,
        source: &mut dyn Source,
        options: &TranscribeOptions,
        progress: &mut dyn FnMut(TranscribeProgress),
        cancel: &Cancel,
    ) -> Result<Transcript> {
        self.begin(options)?;
        let mut buffer = Buffer::default();
        let mut ended = false;
        let mut stretches: Vec<Stretch> = Vec::new();
        loop {
            match buffer.plan(ended, &self.rules) {
                Plan::More if ended => break,
                Plan::More => {
                    ended = !source.read(&mut buffer.samples, cancel)?;
                    buffer.listen(&mut self.activity, ended)?;
                }
                Plan::Quiet(frames) => buffer.advance(frames),
                Plan::Speech(range, frames) => {
                    let start = buffer.seconds(range.start);
                    let before = stretches.last().map(|stretch| stretch.language.clone());
                    let sound = buffer.sound(range);
                    let stretch = self.write_down(sound, start, options, before, false, cancel)?;
                    stretches.push(stretch);
                    buffer.advance(frames);
                }
            }
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            progress(TranscribeProgress { done: buffer.seconds(0), total: source.seconds() });
        }
        let length = buffer.length();
        let mut transcript = join(stretches, length);
        if source.damaged() {
            transcript.warnings.push(Trouble::CutOff.into());
        }
        Ok(transcript)
    }

    /// Makes ready for a recording with these options.
    pub(crate) fn begin(&mut self, options: &TranscribeOptions) -> Result<()> {
        self.check(options)?;
        self.whisper.forget()
    }

    fn check(&self, options: &TranscribeOptions) -> Result<()> {
        let Some(language) = &options.language else { return Ok(()) };
        let known = language.chars().all(|letter| letter.is_ascii_lowercase())
            && (2..=3).contains(&language.len())
            && whisper_rs::get_lang_id(language).is_some();
        if !known {
            return Err(Error::Language(language.clone()));
        }
        if !self.whisper.multilingual() && language != "en" {
            return Err(Error::EnglishOnly(language.clone()));
        }
        Ok(())
    }

    /// Writes down one stretch that begins `start` seconds into the recording; `before` is the language of what
    /// was said before; `tentative` when it will be written anew with more sound.
    pub(crate) fn write_down(
        &mut self,
        sound: &[f32],
        start: f64,
        options: &TranscribeOptions,
        before: Option<String>,
        tentative: bool,
        cancel: &Cancel,
    ) -> Result<Stretch> {
        let language = match &options.language {
            Some(language) => language.clone(),
            None => {
                let (language, sure) = self.whisper.language(sound, cancel)?;
                before.filter(|_| sure < SURE_OF_LANGUAGE).unwrap_or(language)
            }
        };
        let prompt = prompt(&options.vocabulary, &language);
        let translate = options.translate;
        let wish = Wish { language: &language, prompt: &prompt, translate, tentative };
        let heard = self.whisper.hear(sound, &wish, cancel)?;
        let mut segments = Vec::new();
        for heard in heard {
            let Some(mut text) = trusted(&heard) else { continue };
            if language == "zh" && !options.translate {
                text = wide_marks(&self.script.convert(&text, options.script));
            }
            segments.push(TranscriptSegment {
                start: milliseconds(start + heard.start),
                end: milliseconds(start + heard.end),
                speaker: None,
                text: UserText(text),
            });
        }
        Ok(Stretch { language, segments })
    }
}

/// What the model is told to have read before: the terms that may come.
fn prompt(vocabulary: &[UserText], language: &str) -> String {
    let terms: Vec<&str> =
        vocabulary.iter().map(|term| term.trim()).filter(|term| !term.is_empty()).collect();
    match (terms.is_empty(), language) {
        (true, _) => String::new(),
        (false, "zh") => format!("{}。", terms.join("、")),
        (false, _) => format!("{}.", terms.join(", ")),
    }
}

/// One transcript of all stretches; its language is the one that most of the speech is in.
pub(crate) fn join(stretches: Vec<Stretch>, seconds: f64) -> Transcript {
    let mut spoken: Vec<(String, f64)> = Vec::new();
    let mut segments: Vec<TranscriptSegment> = Vec::new();
    for stretch in stretches {
        let length: f64 = stretch.segments.iter().map(|segment| segment.end - segment.start).sum();
        match spoken.iter_mut().find(|(language, _)| *language == stretch.language) {
            Some((_, sum)) => *sum += length,
            None if !stretch.segments.is_empty() => spoken.push((stretch.language, length)),
            None => {}
        }
        segments.extend(stretch.segments);
    }
    let language =
        spoken.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(language, _)| language);
    let mut text = String::new();
    for segment in &segments {
        append(&mut text, &segment.text);
    }
    Transcript {
        no_speech: segments.is_empty(),
        text: UserText(text),
        language,
        segments,
        seconds: milliseconds(seconds),
        warnings: Vec::new(),
    }
}

/// Times are not known better than that.
pub(crate) fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// Appends with a space, which Chinese and Japanese do not have between sentences.
pub(crate) fn append(text: &mut String, more: &str) {
    let wide = |letter: char| matches!(letter, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FF60}');
    let spaced =
        !text.chars().next_back().is_some_and(wide) || !more.chars().next().is_some_and(wide);
    if !text.is_empty() && spaced {
        text.push(' ');
    }
    text.push_str(more);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_joined_as_their_script_does() {
        for (parts, expected) in [
            (vec!["One.", "Two."], "One. Two."),
            (vec!["近几年", "不但"], "近几年不但"),
            (vec!["你好。", "再见。"], "你好。再见。"),
            (vec!["打开 Rust", "编译器"], "打开 Rust 编译器"),
        ] {
            let mut text = String::new();
            for part in parts {
                append(&mut text, part);
            }
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn the_language_is_that_of_most_speech() {
        let segment = |start: f64, end: f64, text: &str| TranscriptSegment {
            start,
            end,
            speaker: None,
            text: text.into(),
        };
        let stretch = |language: &str, segments| Stretch { language: language.into(), segments };
        let all = join(
            vec![
                stretch("en", vec![segment(0.0, 2.0, "Hi.")]),
                stretch("ja", vec![]),
                stretch("zh", vec![segment(3.0, 8.0, "你好。")]),
            ],
            9.0,
        );
        assert_eq!(all.language.as_deref(), Some("zh"));
        assert_eq!(&*all.text, "Hi. 你好。");
        assert!(!all.no_speech);
        let none = join(vec![stretch("ja", vec![])], 9.0);
        assert_eq!((none.no_speech, none.language), (true, None));
    }

    #[test]
    fn vocabulary_becomes_a_prompt() {
        let words = ["Nearside".into(), " ".into(), "近端".into()];
        assert_eq!(prompt(&words, "en"), "Nearside, 近端.");
        assert_eq!(prompt(&words, "zh"), "Nearside、近端。");
        assert_eq!(prompt(&[], "en"), "");
    }
}
