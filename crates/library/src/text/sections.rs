//! Cuts Markdown into sections at its headings. Other text has no sections that are sure enough.

use super::markup::heading;

/// A heading, where there is one, and the lines up to the next, heading line included.
pub(crate) type Section = (Option<String>, String);

/// Sections of a Markdown text, fenced code left whole (CommonMark §4.2, §4.3, §4.5).
#[must_use]
pub(crate) fn of_markdown(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = vec![(None, String::new())];
    let mut fence: Option<&str> = None;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        let title = if fence.is_some() {
            None
        } else if let Some((_, words)) = heading(line) {
            Some(words.to_owned())
        } else {
            lines.peek().filter(|next| is_underline(line, next)).map(|_| line.trim().to_owned())
        };
        if let Some(title) = title {
            sections.push((Some(plain_words(&title)), String::new()));
        }
        if let Some((_, body)) = sections.last_mut() {
            body.push_str(line);
            body.push('\n');
        }
    }
    sections.retain(|(title, body)| title.is_some() || !body.trim().is_empty());
    sections
}

/// A line of text above a line of `=` is a heading; of `-` too, unless it looks like a table or a list.
fn is_underline(line: &str, next: &str) -> bool {
    let next = next.trim_end();
    let plain = line.chars().any(char::is_alphanumeric)
        && !line.starts_with(['-', '*', '>', '|', ' ', '\t', '+']);
    let strong = next.len() >= 3 && next.bytes().all(|b| b == b'=');
    let weak = next.len() >= 3 && next.bytes().all(|b| b == b'-') && !line.contains('|');
    plain && line.chars().count() <= 120 && (strong || weak)
}

fn plain_words(title: &str) -> String {
    title.replace(['*', '`'], "").trim().to_owned()
}
