//! Transcripts as text: plain, subtitles, JSON, Markdown. Pure; who saves them is elsewhere.

use std::fmt::Write as _;

use crate::{Failure, Transcript, TranscriptFormat, TranscriptSegment};

impl Transcript {
    /// The text of a file in this form.
    ///
    /// # Errors
    /// Never in practice: JSON of our own types.
    pub fn written(&self, format: TranscriptFormat) -> Result<String, Failure> {
        Ok(match format {
            TranscriptFormat::Txt => lines(self, |speaker| format!("{speaker}: ")),
            TranscriptFormat::Md => lines(self, |speaker| format!("**{speaker}:** ")),
            TranscriptFormat::Srt => subtitles(self, ',', true),
            TranscriptFormat::Vtt => format!("WEBVTT\n\n{}", subtitles(self, '.', false)),
            TranscriptFormat::Json => {
                let json = serde_json::to_string_pretty(self);
                json.map_err(|_| Failure::internal("The transcript cannot be written as JSON."))?
                    + "\n"
            }
        })
    }
}

/// A paragraph for each turn of a speaker, or one segment a line where speakers were not told apart.
fn lines(transcript: &Transcript, name: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut last: Option<&TranscriptSegment> = None;
    for segment in &transcript.segments {
        let text = segment.text.trim();
        match (&segment.speaker, last) {
            (Some(speaker), Some(before)) if before.speaker.as_deref() == Some(speaker) => {
                let joined = joined_by(&before.text, text);
                let _ = write!(out, "{joined}{text}");
            }
            (Some(speaker), _) => {
                let gap = if out.is_empty() { "" } else { "\n\n" };
                let _ = write!(out, "{gap}{}{text}", name(speaker));
            }
            (None, _) => {
                let gap = if out.is_empty() { "" } else { "\n" };
                let _ = write!(out, "{gap}{text}");
            }
        }
        last = Some(segment);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Chinese is written without spaces between sentences.
fn joined_by(before: &str, after: &str) -> &'static str {
    let wide = |c: Option<char>| c.is_some_and(|c| ('\u{2E80}'..='\u{FFEF}').contains(&c));
    if wide(before.trim_end().chars().next_back()) || wide(after.chars().next()) { "" } else { " " }
}

fn subtitles(transcript: &Transcript, point: char, numbered: bool) -> String {
    let mut out = String::new();
    for (index, segment) in transcript.segments.iter().enumerate() {
        if numbered {
            let _ = writeln!(out, "{}", index + 1);
        }
        let (start, end) = (clock(segment.start, point), clock(segment.end, point));
        // An arrow or an empty line inside a text would end it.
        let text = segment.text.trim().replace("-->", "→").replace(['\n', '\r'], " ");
        let speaker = segment.speaker.as_ref().map(|s| format!("{s}: ")).unwrap_or_default();
        let _ = writeln!(out, "{start} --> {end}\n{speaker}{text}\n");
    }
    out
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time in a recording of at most a day"
)]
fn clock(seconds: f64, point: char) -> String {
    let milliseconds = (seconds.max(0.0) * 1000.0).round() as u64;
    let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60);
    let (seconds, rest) = (milliseconds / 1000 % 60, milliseconds % 1000);
    format!("{hours:02}:{minutes:02}:{seconds:02}{point}{rest:03}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(start: f64, speaker: Option<&str>, text: &str) -> TranscriptSegment {
        let speaker = speaker.map(str::to_owned);
        TranscriptSegment { start, end: start + 1.5, speaker, text: text.into() }
    }

    fn check(format: TranscriptFormat, segments: &[TranscriptSegment], expected: &str) {
        let transcript = Transcript { segments: segments.to_vec(), ..Transcript::default() };
        assert_eq!(transcript.written(format).unwrap(), expected, "{format:?}");
    }

    #[test]
    fn each_form_is_as_its_readers_expect() {
        let plain = [segment(0.0, None, " Hello. "), segment(3661.25, None, "你好。")];
        check(TranscriptFormat::Txt, &plain, "Hello.\n你好。\n");
        check(
            TranscriptFormat::Srt,
            &plain,
            "1\n00:00:00,000 --> 00:00:01,500\nHello.\n\n2\n01:01:01,250 --> 01:01:02,750\n你好。\n\n",
        );
        check(
            TranscriptFormat::Vtt,
            &[segment(0.0, None, "a --> b\n\nc")],
            "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\na → b  c\n\n",
        );
        let told = [
            segment(0.0, Some("S1"), "One."),
            segment(2.0, Some("S1"), "Two."),
            segment(4.0, Some("S2"), "三。"),
            segment(6.0, Some("S2"), "四。"),
        ];
        check(TranscriptFormat::Txt, &told, "S1: One. Two.\n\nS2: 三。四。\n");
        check(TranscriptFormat::Md, &told, "**S1:** One. Two.\n\n**S2:** 三。四。\n");
        check(TranscriptFormat::Txt, &[], "");
    }
}
