//! Recognised lines as a page of text: lines side by side become one row, a wide gap an empty line.

use nearside_types::RecognizedLine;

/// How many lines nobody should trust blindly, and how sure the worst is, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Unsure {
    pub(crate) lines: u64,
    pub(crate) percent: u64,
}

pub(crate) struct PageText {
    pub(crate) text: String,
    pub(crate) unsure: Unsure,
}

/// A gap of so many line heights parts paragraphs.
const PARAGRAPH: f32 = 1.0;

/// The lines come in reading order; `sure` is the confidence from which a line is trusted.
#[must_use]
pub(crate) fn text(lines: &[RecognizedLine], sure: f32) -> PageText {
    let mut text = String::new();
    let mut before: Option<&RecognizedLine> = None;
    for line in lines {
        if let Some(before) = before {
            text.push_str(between(before, line));
        }
        text.push_str(&line.text);
        before = Some(line);
    }
    let unsure = lines.iter().filter(|line| line.confidence < sure);
    let percent = |line: &RecognizedLine| (line.confidence.clamp(0.0, 1.0) * 100.0) as u64;
    let unsure = Unsure {
        lines: unsure.clone().count() as u64,
        percent: unsure.map(percent).min().unwrap_or(0),
    };
    PageText { text, unsure }
}

fn between(before: &RecognizedLine, line: &RecognizedLine) -> &'static str {
    let height = before.height.min(line.height);
    let shared =
        (before.top + before.height).min(line.top + line.height) - before.top.max(line.top);
    let right_of = line.left >= before.left + 0.5 * before.width;
    if right_of && shared > 0.5 * height {
        return " ";
    }
    let gap = line.top - (before.top + before.height);
    // The next column begins higher up: that is a new paragraph as well.
    if gap > PARAGRAPH * height || line.top + line.height < before.top { "\n\n" } else { "\n" }
}

#[cfg(test)]
mod tests {
    //! Lines of left, top, width; each is 10 high.

    use super::*;

    fn check(lines: &[(&str, f32, f32, f32)], expected: &str) {
        let lines: Vec<RecognizedLine> = lines
            .iter()
            .map(|&(text, left, top, width)| RecognizedLine {
                text: text.into(),
                confidence: 0.9,
                left,
                top,
                width,
                height: 10.0,
            })
            .collect();
        assert_eq!(text(&lines, 0.85).text, expected);
        assert_eq!(text(&lines, 0.85).unsure, Unsure::default());
        let all =
            Unsure { lines: lines.len() as u64, percent: if lines.is_empty() { 0 } else { 89 } };
        assert_eq!(text(&lines, 0.95).unsure.lines, all.lines);
    }

    #[test]
    fn rows_and_paragraphs() {
        check(&[], "");
        check(&[("a", 0.0, 0.0, 50.0), ("b", 70.0, 2.0, 50.0)], "a b");
        check(&[("a", 0.0, 0.0, 50.0), ("b", 0.0, 14.0, 50.0)], "a\nb");
        check(&[("a", 0.0, 0.0, 50.0), ("b", 0.0, 40.0, 50.0)], "a\n\nb");
        check(&[("a", 0.0, 200.0, 50.0), ("b", 70.0, 0.0, 50.0)], "a\n\nb");
    }
}
