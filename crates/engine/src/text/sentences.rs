//! Sentences, in English and Chinese, without a model and without a list of every abbreviation.

/// Longest sentence kept whole, in characters; a table dumped without full stops is cut there.
const LONGEST: usize = 600;

/// Splits a text into trimmed, non-empty sentences. Decimal points, initials and common abbreviations do
/// not end one; a blank line, a list item and a Chinese full stop do. A single line break joins, because
/// PDF lines break anywhere.
#[must_use]
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut length = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        length += 1;
        let next = chars.peek().map(|&(_, next)| next);
        let end = at + c.len_utf8();
        let ends = match c {
            '。' | '！' | '？' | '；' => true,
            '.' => next.is_none_or(char::is_whitespace) && !is_abbreviation(&text[start..at]),
            '!' | '?' => next.is_none_or(|n| n.is_whitespace() || n == '"'),
            '\n' => ends_paragraph(&text[start..at], &text[end..]),
            _ => length >= LONGEST && c.is_whitespace(),
        };
        if ends || length >= LONGEST * 2 {
            // A closing quote or bracket belongs to the sentence it closes.
            let mut stop = end;
            while let Some(&(at, c)) = chars.peek() {
                if !matches!(c, '"' | '”' | '’' | '」' | '』' | ')' | '）') || c == '\n' {
                    break;
                }
                stop = at + c.len_utf8();
                chars.next();
            }
            push(&text[start..stop], &mut out);
            start = stop;
            length = 0;
        }
    }
    push(&text[start..], &mut out);
    out
}

fn push<'a>(piece: &'a str, out: &mut Vec<&'a str>) {
    let piece = piece.trim();
    if piece.chars().any(char::is_alphanumeric) {
        out.push(piece);
    }
}

/// A line break ends a sentence before a blank line or a list item, and after a short heading.
fn ends_paragraph(before: &str, after: &str) -> bool {
    let next_line = after.lines().next().unwrap_or("").trim_start();
    if next_line.is_empty() {
        return true;
    }
    let bullet = next_line.starts_with(['-', '*', '•', '·', '#', '|', '●']);
    let numbered = next_line.split_once(['.', ')', '、']).is_some_and(|(number, _)| {
        !number.is_empty() && number.len() <= 3 && number.bytes().all(|b| b.is_ascii_digit())
    });
    let heading = before.trim_start().starts_with('#') || before.trim_start().starts_with('|');
    bullet || numbered || heading
}

fn is_abbreviation(before: &str) -> bool {
    const KNOWN: &[&str] = &[
        "mr", "mrs", "ms", "dr", "prof", "st", "no", "vs", "etc", "e.g", "i.e", "fig", "approx",
        "inc", "ltd", "co", "corp", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept",
        "oct", "nov", "dec", "p", "pp", "vol", "art", "sec", "dept", "est",
    ];
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
    let lower = word.to_lowercase();
    // An initial, as in "J. Smith"; a list number, as in "3. Results".
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let list_number =
        !word.is_empty() && word.len() == before.trim_start().len() && word.parse::<u16>().is_ok();
    initial || list_number || KNOWN.contains(&lower.as_str())
}
