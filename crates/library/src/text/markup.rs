//! Tells HTML, messages and Markdown from other text by how they begin.

const MESSAGE_HEADERS: [&str; 18] = [
    "from",
    "to",
    "cc",
    "subject",
    "date",
    "received",
    "return-path",
    "message-id",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
    "delivered-to",
    "reply-to",
    "sender",
    "in-reply-to",
    "references",
    "x-mailer",
    "dkim-signature",
];

/// A document type, or one of the outer elements, before anything else.
#[must_use]
pub(crate) fn looks_like_html(head: &str) -> bool {
    let start = head.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
    if !start.starts_with('<') {
        return false;
    }
    let lower = start.to_lowercase();
    let svg_or_feed = ["<svg", "<rss", "<feed"].iter().any(|tag| lower.contains(tag));
    ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| lower.contains(tag))
        && !(svg_or_feed && lower.starts_with("<?xml"))
}

/// Two known header fields at the top, before the first blank line, and nothing that is not a header.
#[must_use]
pub(crate) fn looks_like_email(head: &str) -> bool {
    let mut known = 0;
    for (index, line) in head.lines().take(60).enumerate() {
        if line.is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) || (index == 0 && line.starts_with("From ")) {
            continue;
        }
        let Some((name, _)) = line.split_once(':') else { return false };
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_graphic()) {
            return false;
        }
        known += usize::from(MESSAGE_HEADERS.contains(&name.to_ascii_lowercase().as_str()));
    }
    known >= 2
}

/// Headings, fences or links in the way Markdown writes them, at least two of them.
#[must_use]
pub(crate) fn looks_like_markdown(head: &str) -> bool {
    let signs = head
        .lines()
        .filter(|line| heading(line).is_some() || line.starts_with("```") || line.contains("]("))
        .count();
    signs >= 2
}

/// Depth and words of an ATX heading (CommonMark §4.2).
#[must_use]
pub(crate) fn heading(line: &str) -> Option<(usize, &str)> {
    let line = line.strip_prefix("   ").or(line.strip_prefix("  ")).unwrap_or(line);
    let line = line.strip_prefix(' ').unwrap_or(line);
    let depth = line.bytes().take_while(|&b| b == b'#').count();
    if depth == 0 || depth > 6 {
        return None;
    }
    let rest = &line[depth..];
    if !rest.is_empty() && !rest.starts_with([' ', '\t']) {
        return None;
    }
    let words = rest.trim();
    let closed = words.trim_end_matches('#');
    let words =
        if closed.is_empty() || closed.ends_with([' ', '\t']) { closed.trim() } else { words };
    (!words.is_empty()).then_some((depth, words))
}
