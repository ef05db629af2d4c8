//! HTML to text: what a reader of the page sees, cut into sections at its headings.
//!
//! It uses html5ever's tokenizer and a stack of open elements. Scripts, styles, templates and comments are
//! not text. Elements that the page hides (`hidden`, `display:none`, `visibility:hidden`) are left out,
//! because text that nobody sees is where instructions for models hide; a warning counts them. Stylesheets
//! are not evaluated, so what they hide is kept.

use super::draft::Draft;
use crate::kind::Kind;
use crate::limits::Limits;
use crate::text::decode::{Decoded, decode};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, CharacterTokens, StartTag, Tag, TagToken, Token, TokenSink, TokenSinkResult,
    Tokenizer, TokenizerOpts,
};
use nearside_types::{Extracted, Trouble};
use std::cell::RefCell;

/// Reads a page; the bytes decide its encoding, a declaration only where it does not contradict them.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Extracted {
    let mut draft = Draft::new(Kind::Html, limits);
    let declared = declared_charset(bytes);
    if let Some(decoded) = decode(bytes, declared.as_deref()) {
        write(&decoded, &mut draft);
    }
    draft.finish()
}

/// Writes the sections of a decoded page.
pub(super) fn write(decoded: &Decoded, draft: &mut Draft) {
    draft.decoded(decoded);
    let page = sections(&decoded.text);
    for (title, text) in &page.sections {
        draft.page(title.as_deref(), text);
    }
    if page.hidden > 0 {
        draft.warn(Trouble::HiddenElements { count: page.hidden as u64 });
    }
}

/// The text of a page as one piece, for the body of a message.
#[must_use]
pub(super) fn text_of(html: &str) -> String {
    let parts: Vec<String> = sections(html).sections.into_iter().map(|(_, text)| text).collect();
    parts.join("\n\n")
}

struct Page {
    sections: Vec<(Option<String>, String)>,
    hidden: usize,
}

fn sections(html: &str) -> Page {
    let sink = Sink(RefCell::new(Writer::default()));
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(html));
    // Scripts are never run, so the tokenizer never waits for one.
    let _ = tokenizer.feed(&queue);
    tokenizer.end();
    tokenizer.sink.0.into_inner().finish()
}

/// `charset=` in the first kilobytes: a meta tag, or the XML declaration's `encoding=`.
fn declared_charset(bytes: &[u8]) -> Option<String> {
    let head: String =
        bytes.iter().take(4096).map(|&b| char::from(b).to_ascii_lowercase()).collect();
    let after = head.split_once("charset=").or_else(|| head.split_once("encoding="))?.1;
    let label: String = after
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
        .collect();
    (!label.is_empty()).then_some(label)
}

struct Sink(RefCell<Writer>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut writer = self.0.borrow_mut();
        match token {
            CharacterTokens(text) => writer.text(&text),
            TagToken(tag) if tag.kind == StartTag => {
                writer.start(&tag);
                return match tag.name.as_ref() {
                    "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                    "style" | "iframe" | "noembed" | "noframes" | "xmp" => {
                        TokenSinkResult::RawData(RawKind::Rawtext)
                    }
                    "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
                    "plaintext" => TokenSinkResult::Plaintext,
                    _ => TokenSinkResult::Continue,
                };
            }
            TagToken(tag) => writer.end(tag.name.as_ref()),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

struct Open {
    name: String,
    hidden: bool,
    pre: bool,
}

#[derive(Default)]
struct Writer {
    sections: Vec<(Option<String>, String)>,
    /// The section being written.
    title: Option<String>,
    text: String,
    open: Vec<Open>,
    /// A heading's words while it is open.
    heading: Option<String>,
    hidden: usize,
    /// A blank is due before the next word.
    blank: bool,
}

const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];
const NEVER_TEXT: [&str; 9] =
    ["script", "style", "template", "iframe", "noembed", "noframes", "object", "svg", "head"];
const BLOCK: [&str; 38] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tr",
    "ul",
    "title",
];
const METADATA: [&str; 9] =
    ["title", "meta", "link", "base", "script", "style", "template", "noscript", "basefont"];
/// Beyond this many open elements the page is hostile, and further ones are not remembered.
const MAX_OPEN: usize = 4096;

impl Writer {
    fn hides(&self) -> bool {
        self.open.last().is_some_and(|element| element.hidden)
    }

    fn start(&mut self, tag: &Tag) {
        let name = tag.name.as_ref();
        self.close_implied(name);
        // A head that was never closed ends at the first tag that cannot stand in it.
        if self.in_head() && !METADATA.contains(&name) {
            self.open.pop();
        }
        // A page without an end of its head still shows its body.
        if name == "body" {
            self.open.retain(|element| element.name != "head");
            for element in &mut self.open {
                element.hidden = false;
            }
        }
        if !self.hides() {
            match name {
                "br" => self.line(),
                "td" | "th" => self.cell(),
                "li" => {
                    self.line();
                    self.text.push_str("- ");
                }
                "img" | "area" => self.attribute(tag, "alt"),
                "input" if attribute(tag, "type").is_none_or(|kind| kind != "hidden") => {
                    self.attribute(tag, "value");
                }
                _ if is_block(name) => self.line(),
                _ => {}
            }
            if is_heading(name) {
                self.heading = Some(String::new());
            }
        }
        if VOID.contains(&name) || tag.self_closing && name.contains(':') {
            return;
        }
        let hides_itself = conceals(tag);
        // The title stands in the head, and is the one thing there that a reader sees.
        let never = NEVER_TEXT.contains(&name);
        let outer = self.hides() && !(name == "title" && self.in_head());
        if hides_itself && !outer {
            self.hidden += 1;
        }
        let pre = matches!(name, "pre" | "textarea" | "xmp" | "plaintext")
            || self.open.last().is_some_and(|element| element.pre);
        if self.open.len() < MAX_OPEN {
            let hidden = outer || hides_itself || never;
            self.open.push(Open { name: name.to_owned(), hidden, pre });
        }
    }

    fn in_head(&self) -> bool {
        self.open.last().is_some_and(|element| element.name == "head")
    }

    fn end(&mut self, name: &str) {
        if name == "p" && !self.open.iter().any(|element| element.name == "p") {
            self.line();
            return;
        }
        let Some(at) = self.open.iter().rposition(|element| element.name == name) else { return };
        let hidden = self.open[at].hidden;
        self.open.truncate(at);
        if hidden {
            return;
        }
        if is_heading(name) {
            self.end_heading();
        } else if is_block(name) {
            self.line();
        }
    }

    /// Start tags that close what is open: paragraphs before blocks, items, rows and cells by each other
    /// (HTML standard, "optional tags").
    fn close_implied(&mut self, name: &str) {
        let (closes, within): (&[&str], &[&str]) = match name {
            "li" => (&["li"], &["ul", "ol", "menu"]),
            "dt" | "dd" => (&["dt", "dd"], &["dl"]),
            "td" | "th" => (&["td", "th"], &["tr", "table"]),
            "tr" => (&["tr"], &["table"]),
            "option" => (&["option"], &["select"]),
            _ if is_block(name) => (&["p"], &["td", "th", "button", "li", "div", "body"]),
            _ => return,
        };
        for at in (0..self.open.len()).rev() {
            let open = self.open[at].name.as_str();
            if closes.contains(&open) {
                self.open.truncate(at);
                return;
            }
            if within.contains(&open) {
                return;
            }
        }
    }

    fn text(&mut self, text: &str) {
        if self.hides() {
            return;
        }
        if let Some(heading) = &mut self.heading {
            heading.push_str(text);
        }
        if self.open.last().is_some_and(|element| element.pre) {
            self.text.push_str(text);
            return;
        }
        for (index, word) in text.split(is_html_blank).enumerate() {
            if index > 0 {
                self.blank = true;
            }
            if !word.is_empty() {
                if self.blank && !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
                    self.text.push(' ');
                }
                self.blank = false;
                self.text.push_str(word);
            }
        }
    }

    fn attribute(&mut self, tag: &Tag, name: &str) {
        if let Some(value) = attribute(tag, name).filter(|value| !value.trim().is_empty()) {
            self.blank = true;
            self.text(&value);
            self.blank = true;
        }
    }

    fn line(&mut self) {
        self.blank = false;
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn cell(&mut self) {
        self.blank = false;
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push_str(" | ");
        }
    }

    /// The heading's words stand at the end of the text; they open the next section instead.
    fn end_heading(&mut self) {
        let Some(words) = self.heading.take() else { return };
        let title = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if title.is_empty() {
            self.line();
            return;
        }
        let kept = self.text.trim_end().strip_suffix(title.as_str()).map(str::len);
        if let Some(kept) = kept {
            self.text.truncate(kept);
        }
        self.close_section();
        self.text = format!("{title}\n");
        self.title = Some(title);
    }

    fn close_section(&mut self) {
        let text = std::mem::take(&mut self.text);
        let title = self.title.take();
        if !text.trim().is_empty() {
            self.sections.push((title, text));
        }
        self.blank = false;
    }

    fn finish(mut self) -> Page {
        self.close_section();
        Page { sections: self.sections, hidden: self.hidden }
    }
}

fn attribute(tag: &Tag, name: &str) -> Option<String> {
    tag.attrs.iter().find(|a| &*a.name.local == name).map(|a| a.value.to_string())
}

fn conceals(tag: &Tag) -> bool {
    let style: String = attribute(tag, "style")
        .unwrap_or_default()
        .to_ascii_lowercase()
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    attribute(tag, "hidden").is_some()
        || style.contains("display:none")
        || style.contains("visibility:hidden")
}

fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

fn is_block(name: &str) -> bool {
    BLOCK.contains(&name)
}

/// A no-break space is a character, not layout.
fn is_html_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{C}')
}
