//! Cuts pages into passages along their structure: never across pages, at paragraphs where possible, at
//! sentences where not, inside a sentence only where one is longer than a passage.
//!
//! It counts tokens through a closure and knows no tokenizer. Nothing but blanks is left out.

use nearside_types::{Page, UserText};

/// A passage and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    pub page: u32,
    pub section: Option<UserText>,
    pub text: UserText,
    /// Code points into the page's text, `end` exclusive.
    pub start: usize,
    pub end: usize,
}

/// How large passages are, in tokens of the counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkOptions {
    pub max_tokens: usize,
    /// Of the end of one passage repeated at the start of the next, so that a fact that stands across a
    /// cut is whole in one of them.
    pub overlap_tokens: usize,
}

impl Default for ChunkOptions {
    fn default() -> Self {
        Self { max_tokens: 320, overlap_tokens: 32 }
    }
}

/// A stretch of a page, in bytes, that is not cut further.
#[derive(Debug, Clone, Copy)]
struct Unit {
    start: usize,
    end: usize,
    tokens: usize,
}

/// Cuts every page. Blank pages give nothing.
#[must_use]
pub fn chunk(pages: &[Page], options: ChunkOptions, count: &dyn Fn(&str) -> usize) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for page in pages {
        let units = units(&page.text, options.max_tokens.max(1), count);
        let mut places = CodePoints::new(&page.text);
        for (start, end) in pack(&units, options) {
            let text = page.text[start..end].trim_end();
            chunks.push(Chunk {
                page: page.page,
                section: page.section.clone(),
                text: UserText::from(text),
                start: places.of(start),
                end: places.of(start + text.len()),
            });
        }
    }
    chunks
}

/// Fills passages with units; each begins with the last units of the one before, as far as they fit.
fn pack(units: &[Unit], options: ChunkOptions) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let (mut first, mut tokens) = (0, 0);
    for (index, unit) in units.iter().enumerate() {
        if tokens > 0 && tokens + unit.tokens > options.max_tokens {
            spans.push((units[first].start, units[index - 1].end));
            let mut back = index;
            let mut repeated = 0;
            while back > first + 1
                && repeated + units[back - 1].tokens <= options.overlap_tokens
                && repeated + units[back - 1].tokens + unit.tokens <= options.max_tokens
            {
                back -= 1;
                repeated += units[back].tokens;
            }
            (first, tokens) = (back, repeated);
        }
        tokens += unit.tokens;
    }
    if let (Some(first), Some(last)) = (units.get(first), units.last()) {
        spans.push((first.start, last.end));
    }
    spans
}

fn units(text: &str, max: usize, count: &dyn Fn(&str) -> usize) -> Vec<Unit> {
    let mut units = Vec::new();
    for (start, end) in lines(text) {
        let tokens = count(&text[start..end]);
        if tokens <= max {
            units.push(Unit { start, end, tokens });
            continue;
        }
        for (start, end) in sentences(text, start, end) {
            let tokens = count(&text[start..end]);
            if tokens <= max {
                units.push(Unit { start, end, tokens });
            } else {
                halve(text, start, end, max, count, &mut units);
            }
        }
    }
    units
}

/// Lines that are not blank, without the blanks around them.
fn lines(text: &str) -> Vec<(usize, usize)> {
    pieces(text, 0, text.len(), |c, _| c == '\n')
}

fn sentences(text: &str, start: usize, end: usize) -> Vec<(usize, usize)> {
    pieces(text, start, end, |c, next| match c {
        '。' | '！' | '？' | '；' | '…' => true,
        '.' | '!' | '?' | ';' => next.is_none_or(char::is_whitespace),
        _ => false,
    })
}

/// Pieces that end after a character for which `ends` holds, trimmed; blank ones are dropped.
fn pieces(
    text: &str,
    start: usize,
    end: usize,
    ends: impl Fn(char, Option<char>) -> bool,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = start;
    let mut keep = |from: usize, to: usize| {
        let piece = &text[from..to];
        let trimmed = piece.trim();
        if !trimmed.is_empty() {
            let lead = piece.len() - piece.trim_start().len();
            found.push((from + lead, from + lead + trimmed.len()));
        }
    };
    let mut characters = text[start..end].char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if ends(c, characters.peek().map(|&(_, next)| next)) {
            let to = start + at + c.len_utf8();
            keep(from, to);
            from = to;
        }
    }
    keep(from, end);
    found
}

/// Cuts a stretch in two at the blank nearest its middle, or at the middle, until each part fits.
fn halve(
    text: &str,
    start: usize,
    end: usize,
    max: usize,
    count: &dyn Fn(&str) -> usize,
    units: &mut Vec<Unit>,
) {
    let mut waiting = vec![(start, end)];
    while let Some((start, end)) = waiting.pop() {
        let piece = &text[start..end];
        if piece.trim().is_empty() {
            continue;
        }
        let tokens = count(piece);
        let single = piece.chars().nth(1).is_none();
        if tokens <= max || single {
            units.push(Unit { start, end, tokens });
            continue;
        }
        let middle = piece.len() / 2;
        let blank = piece
            .char_indices()
            .filter(|&(at, c)| at > 0 && c.is_whitespace())
            .min_by_key(|&(at, _)| at.abs_diff(middle))
            .map(|(at, _)| at)
            .filter(|at| at.abs_diff(middle) < piece.len() / 4);
        let boundary = (middle.max(1)..piece.len()).find(|&at| piece.is_char_boundary(at));
        let cut = start + blank.or(boundary).unwrap_or(piece.len());
        // A cut at the end would not make it smaller.
        if cut >= end {
            units.push(Unit { start, end, tokens });
            continue;
        }
        waiting.push((cut, end));
        waiting.push((start, cut));
    }
}

/// Byte offsets to code points. Offsets nearly always rise, so counting goes on from the last one.
struct CodePoints<'a> {
    text: &'a str,
    byte: usize,
    point: usize,
}

impl<'a> CodePoints<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, byte: 0, point: 0 }
    }

    fn of(&mut self, byte: usize) -> usize {
        if byte >= self.byte {
            self.point += self.text[self.byte..byte].chars().count();
        } else {
            self.point -= self.text[byte..self.byte].chars().count();
        }
        self.byte = byte;
        self.point
    }
}
