//! The flow of a WordprocessingML part: paragraphs, tables and text boxes as lines, cut at headings.

use super::super::xml::{Attributes, Node, XmlError, walk};
use super::styles::Headings;
use std::collections::BTreeMap;

/// A heading and what follows it.
#[derive(Default)]
pub(super) struct Section {
    pub title: Option<String>,
    pub lines: Vec<String>,
    /// `footnotes:2`, `comments:0` …, in order.
    pub references: Vec<String>,
}

#[derive(Default)]
pub(super) struct Body {
    pub sections: Vec<Section>,
}

impl Body {
    pub(super) fn into_lines(self) -> Vec<String> {
        self.sections.into_iter().flat_map(|section| section.lines).collect()
    }
}

/// Notes and comments by reference.
#[derive(Default)]
pub(super) struct Notes {
    texts: BTreeMap<String, String>,
}

impl Notes {
    /// Reads a part of footnotes, endnotes or comments.
    pub(super) fn read(&mut self, part: &[u8], max_depth: usize, kind: &str) {
        let mut flow = Flow::new(None);
        let mut open: Option<(String, String)> = None;
        let _ = walk(part, max_depth, &mut |node| {
            match &node {
                Node::Start("footnote" | "endnote" | "comment", attributes) => {
                    let separator = attributes
                        .get("type")
                        .is_some_and(|kind| kind.to_ascii_lowercase().contains("separator"));
                    let id = attributes.get("id").unwrap_or_default();
                    let author = attributes.get("author").filter(|author| !author.is_empty());
                    let label = match (kind, author) {
                        ("comments", Some(author)) => format!("[Comment by {author}] "),
                        ("comments", None) => "[Comment] ".to_owned(),
                        _ => "[Note] ".to_owned(),
                    };
                    open = (!separator).then(|| (format!("{kind}:{id}"), label));
                    flow = Flow::new(None);
                    return;
                }
                Node::End("footnote" | "endnote" | "comment") => {
                    let lines = std::mem::replace(&mut flow, Flow::new(None)).finish().into_lines();
                    if let Some((key, label)) = open.take() {
                        let text = lines.join(" ");
                        if !text.trim().is_empty() {
                            self.texts.insert(key, format!("{label}{}", text.trim()));
                        }
                    }
                    return;
                }
                _ => {}
            }
            flow.visit(node);
        });
    }

    pub(super) fn take(&mut self, reference: &str) -> Option<String> {
        self.texts.remove(reference)
    }

    /// What no paragraph referred to.
    pub(super) fn rest(self) -> Vec<String> {
        self.texts.into_values().collect()
    }
}

/// Reads a part; what was read before an error is kept.
pub(super) fn read(
    part: &[u8],
    max_depth: usize,
    headings: &Headings,
) -> (Body, Result<(), XmlError>) {
    let mut flow = Flow::new(Some(headings));
    let outcome = walk(part, max_depth, &mut |node| flow.visit(node));
    (flow.finish(), outcome)
}

#[derive(Default)]
struct Paragraph {
    text: String,
    heading: bool,
    /// Lines of text boxes anchored in it; they follow it.
    floating: Vec<String>,
}

struct Flow<'h> {
    headings: Option<&'h Headings>,
    body: Body,
    /// Open paragraphs: more than one when a text box is anchored in another.
    paragraphs: Vec<Paragraph>,
    rows: Vec<Vec<String>>,
    /// Lines of each open cell.
    cells: Vec<Vec<String>>,
    in_text: bool,
    skipped: usize,
}

impl<'h> Flow<'h> {
    fn new(headings: Option<&'h Headings>) -> Self {
        Self {
            headings,
            body: Body { sections: vec![Section::default()] },
            paragraphs: Vec::new(),
            rows: Vec::new(),
            cells: Vec::new(),
            in_text: false,
            skipped: 0,
        }
    }

    fn visit(&mut self, node: Node<'_>) {
        match node {
            Node::Start(name, attributes) => {
                if self.skipped > 0 || is_skipped(name) {
                    self.skipped += 1;
                } else {
                    self.start(name, attributes);
                }
            }
            Node::Text(text) => {
                if self.in_text
                    && self.skipped == 0
                    && let Some(paragraph) = self.paragraphs.last_mut()
                {
                    paragraph.text.push_str(text);
                }
            }
            Node::End(_) if self.skipped > 0 => self.skipped -= 1,
            Node::End(name) => self.end(name),
        }
    }

    fn start(&mut self, name: &str, attributes: &Attributes<'_>) {
        let value = || attributes.get("val").unwrap_or_default();
        let mut write = |text: &str| {
            if let Some(paragraph) = self.paragraphs.last_mut() {
                paragraph.text.push_str(text);
            }
        };
        match name {
            "p" => self.paragraphs.push(Paragraph::default()),
            "t" => self.in_text = true,
            "tab" | "ptab" => write("\t"),
            "br" | "cr" => write("\n"),
            "noBreakHyphen" => write("-"),
            "numPr" => write("- "),
            "pStyle" => {
                let heads = self.headings.is_some_and(|headings| headings.contains(&value()));
                self.set_heading(heads);
            }
            "outlineLvl" => self.set_heading(value().parse::<u8>().is_ok_and(|level| level < 9)),
            "tr" => self.rows.push(Vec::new()),
            "tc" => self.cells.push(Vec::new()),
            "footnoteReference" => self.refer("footnotes", attributes),
            "endnoteReference" => self.refer("endnotes", attributes),
            "commentReference" => self.refer("comments", attributes),
            _ => {}
        }
    }

    fn set_heading(&mut self, heads: bool) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.heading |= heads;
        }
    }

    fn refer(&mut self, kind: &str, attributes: &Attributes<'_>) {
        let id = attributes.get("id").unwrap_or_default();
        if let Some(section) = self.body.sections.last_mut() {
            section.references.push(format!("{kind}:{id}"));
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "p" => self.end_paragraph(),
            "tc" => {
                let cell = self.cells.pop().unwrap_or_default().join(" ");
                if let Some(row) = self.rows.last_mut() {
                    row.push(cell);
                }
            }
            "tr" => {
                let row = self.rows.pop().unwrap_or_default();
                if row.iter().any(|cell| !cell.is_empty()) {
                    self.line(row.join(" | "));
                }
            }
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        let Some(paragraph) = self.paragraphs.pop() else { return };
        let text = paragraph.text.trim().trim_start_matches("- ").to_owned();
        let heads = paragraph.heading && !text.is_empty();
        if heads && self.paragraphs.is_empty() && self.cells.is_empty() {
            self.body.sections.push(Section { title: Some(text), ..Section::default() });
        }
        if let Some(outer) = self.paragraphs.last_mut() {
            outer.floating.push(paragraph.text);
            outer.floating.extend(paragraph.floating);
            return;
        }
        self.line(paragraph.text);
        for line in paragraph.floating {
            self.line(line);
        }
    }

    fn line(&mut self, line: String) {
        if let Some(cell) = self.cells.last_mut() {
            if !line.trim().is_empty() {
                cell.push(line.trim().to_owned());
            }
        } else if let Some(section) = self.body.sections.last_mut() {
            section.lines.push(line);
        }
    }

    fn finish(mut self) -> Body {
        // A part that was cut off still gives its open paragraphs.
        while !self.paragraphs.is_empty() {
            self.end_paragraph();
        }
        self.body
    }
}

/// The fallback repeats a text box for old programs, a phonetic guide repeats its base, tab stops and
/// earlier properties are layout, and moved or deleted text stands elsewhere or nowhere.
fn is_skipped(name: &str) -> bool {
    matches!(
        name,
        "Fallback"
            | "rt"
            | "delText"
            | "instrText"
            | "tabs"
            | "pPrChange"
            | "rPrChange"
            | "moveFrom"
    )
}
