//! Dictation: text while somebody speaks. The open stretch is written anew as it grows, what two writings agree on
//! is committed, and a pause closes it.
//!
//! It takes samples and gives text; where samples come from and where text goes, the caller knows.

use std::time::{Duration, Instant};

use nearside_types::{
    Cancel, LiveTranscript, TranscribeOptions, Transcript, TranscriptSegment, UserText,
};

use crate::agreement::Agreement;
use crate::buffer::Buffer;
use crate::plan::{Plan, Rules, regions};
use crate::recognizer::{Stretch, join, milliseconds};
use crate::{Error, Recognizer, Result, SAMPLE_RATE};

/// New sound before the open stretch is written anew.
const STEP: Duration = Duration::from_millis(600);

/// Even a slow machine writes so often.
const LONGEST_STEP: Duration = Duration::from_secs(2);

/// A stretch this short tells no language.
const LANGUAGE_AFTER: usize = SAMPLE_RATE as usize * 3 / 2;

/// One dictation. It keeps what is not written yet and no sound besides.
pub struct Live {
    options: TranscribeOptions,
    rules: Rules,
    buffer: Buffer,
    agreement: Agreement,
    stretches: Vec<Stretch>,
    /// Of the open stretch.
    language: Option<String>,
    /// Samples that came since the open stretch was last written.
    fresh: usize,
    /// The recogniser was made ready.
    begun: bool,
    /// What the last writing took; a slow machine writes less often.
    took: Duration,
}

impl Live {
    #[must_use]
    pub fn new(options: TranscribeOptions) -> Self {
        Self {
            options,
            // Text should come at a breath, and the open stretch is written again and again.
            rules: Rules { join: 20, longest: 375, cut_from: 190, ..Rules::default() },
            buffer: Buffer::default(),
            agreement: Agreement::default(),
            stretches: Vec::new(),
            language: None,
            fresh: 0,
            begun: false,
            took: Duration::ZERO,
        }
    }

    /// Takes samples at 16 kHz as they come, and writes if it is time to.
    ///
    /// # Errors
    /// As `Recognizer::recognize`.
    pub fn push(
        &mut self,
        recognizer: &mut Recognizer,
        samples: &[f32],
        cancel: &Cancel,
    ) -> Result<LiveTranscript> {
        if !self.begun {
            recognizer.begin(&self.options)?;
            self.begun = true;
        }
        self.buffer.samples.extend_from_slice(samples);
        self.fresh += samples.len();
        self.buffer.listen(&mut recognizer.activity, false)?;
        self.close_stretches(recognizer, false, cancel)?;
        let wait = self.took.clamp(STEP, LONGEST_STEP);
        if self.fresh as f64 >= wait.as_secs_f64() * f64::from(SAMPLE_RATE) {
            self.write_open(recognizer, cancel)?;
        }
        Ok(self.text())
    }

    /// Nothing more will come: writes the rest and gives the whole.
    ///
    /// # Errors
    /// As `Recognizer::recognize`.
    pub fn finish(mut self, recognizer: &mut Recognizer, cancel: &Cancel) -> Result<Transcript> {
        self.buffer.listen(&mut recognizer.activity, true)?;
        self.close_stretches(recognizer, true, cancel)?;
        let seconds = self.buffer.length();
        let mut whole = join(self.stretches, seconds);
        whole.text = UserText(self.agreement.committed().to_owned());
        Ok(whole)
    }

    /// What was dictated so far.
    #[must_use]
    pub fn text(&self) -> LiveTranscript {
        LiveTranscript {
            committed: UserText(self.agreement.committed().to_owned()),
            tentative: UserText(self.agreement.tentative()),
        }
    }

    fn close_stretches(
        &mut self,
        recognizer: &mut Recognizer,
        ended: bool,
        cancel: &Cancel,
    ) -> Result<()> {
        loop {
            match self.buffer.plan(ended, &self.rules) {
                Plan::More => return Ok(()),
                Plan::Quiet(frames) => self.buffer.advance(frames),
                Plan::Speech(range, frames) => {
                    let [start, end] = [range.start, range.end]
                        .map(|frame| milliseconds(self.buffer.seconds(frame)));
                    let sound = self.buffer.sound(range);
                    let written = recognizer.write_down(
                        sound,
                        start,
                        &self.options,
                        self.said_before(),
                        false,
                        cancel,
                    )?;
                    let text = self.agreement.close(&text_of(&written));
                    let segments = if text.is_empty() {
                        Vec::new()
                    } else {
                        vec![TranscriptSegment { start, end, speaker: None, text: UserText(text) }]
                    };
                    self.stretches.push(Stretch { language: written.language, segments });
                    self.language = None;
                    self.fresh = 0;
                    self.buffer.advance(frames);
                }
            }
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
        }
    }

    /// Writes the stretch that is still being spoken.
    fn write_open(&mut self, recognizer: &mut Recognizer, cancel: &Cancel) -> Result<()> {
        let found = regions(self.buffer.probabilities(), &self.rules);
        let Some(first) = found.first() else { return Ok(()) };
        let start = first.start.saturating_sub(self.rules.pad_before);
        let sound = self.buffer.sound(start..self.buffer.probabilities().len());
        let began = Instant::now();
        let mut options = self.options.clone();
        options.language = options.language.or_else(|| self.language.clone());
        let written = recognizer.write_down(
            sound,
            self.buffer.seconds(start),
            &options,
            self.said_before(),
            true,
            cancel,
        )?;
        if sound.len() >= LANGUAGE_AFTER {
            self.language = Some(written.language.clone());
        }
        self.took = began.elapsed();
        self.fresh = 0;
        self.agreement.hear(&text_of(&written));
        Ok(())
    }

    fn said_before(&self) -> Option<String> {
        self.stretches.last().map(|stretch| stretch.language.clone())
    }
}

fn text_of(stretch: &Stretch) -> String {
    let mut text = String::new();
    for segment in &stretch.segments {
        crate::recognizer::append(&mut text, &segment.text);
    }
    text
}
