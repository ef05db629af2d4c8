//! DrawingML text (ECMA-376 part 1 §21): paragraphs of shapes, tables, diagrams and charts as lines.
//!
//! It keeps no layout; shapes come in the order in which the file draws them.

use super::xml::{Node, XmlError, walk};

/// The text of one drawing part.
#[derive(Default)]
pub(super) struct Drawing {
    /// One paragraph or table row each.
    pub lines: Vec<String>,
    /// The words of a title placeholder.
    pub title: Option<String>,
    /// The root says that it is not shown.
    pub hidden: bool,
}

#[derive(Default)]
struct State {
    drawing: Drawing,
    paragraph: String,
    /// Inside `t`, `v` or another element that holds words.
    in_text: bool,
    /// Elements whose words are not the author's: fallbacks, slide numbers.
    skipped: usize,
    /// Cells of the row being read, one list for each open row.
    rows: Vec<Vec<String>>,
    cells: Vec<String>,
    is_title: bool,
    title: Vec<String>,
}

/// Reads a slide, notes page, diagram, chart or sheet drawing; what was read before an error is kept.
pub(super) fn read(part: &[u8], max_depth: usize) -> (Drawing, Result<(), XmlError>) {
    let mut state = State::default();
    let outcome = walk(part, max_depth, &mut |node| match node {
        Node::Start(name, attributes) => {
            if state.skipped > 0 || is_skipped(name, &attributes.get("type").unwrap_or_default()) {
                state.skipped += 1;
                return;
            }
            match name {
                "sld" => state.drawing.hidden = attributes.get("show").is_some_and(|v| v == "0"),
                "ph" => {
                    let kind = attributes.get("type").unwrap_or_default();
                    state.is_title = matches!(kind.as_str(), "title" | "ctrTitle");
                }
                "sp" => state.is_title = false,
                "t" | "v" | "text" => state.in_text = true,
                "br" => state.paragraph.push('\n'),
                "tab" => state.paragraph.push('\t'),
                "tr" => state.rows.push(Vec::new()),
                "tc" => state.cells.push(String::new()),
                _ => {}
            }
        }
        Node::Text(text) if state.in_text && state.skipped == 0 => state.paragraph.push_str(text),
        Node::Text(_) => {}
        Node::End(name) => {
            if state.skipped > 0 {
                state.skipped -= 1;
                return;
            }
            match name {
                "t" => state.in_text = false,
                // A chart's values and a comment's words have no paragraph around them.
                "v" | "text" => {
                    state.in_text = false;
                    state.flush();
                }
                "p" => state.flush(),
                "tc" => {
                    let cell = state.cells.pop().unwrap_or_default();
                    if let Some(row) = state.rows.last_mut() {
                        row.push(cell);
                    }
                }
                "tr" => {
                    let row = state.rows.pop().unwrap_or_default();
                    if row.iter().any(|cell| !cell.is_empty()) {
                        state.line(row.join(" | "));
                    }
                }
                "sp" => state.end_shape(),
                _ => {}
            }
        }
    });
    state.flush();
    (state.drawing, outcome)
}

fn is_skipped(name: &str, kind: &str) -> bool {
    name == "Fallback" || (name == "fld" && kind.starts_with("slidenum"))
}

impl State {
    fn flush(&mut self) {
        let line = std::mem::take(&mut self.paragraph);
        if !line.trim().is_empty() {
            self.line(line);
        }
    }

    fn line(&mut self, line: String) {
        if let Some(cell) = self.cells.last_mut() {
            if !cell.is_empty() {
                cell.push(' ');
            }
            cell.push_str(line.trim());
            return;
        }
        if self.is_title {
            self.title.push(line.trim().to_owned());
        }
        self.drawing.lines.push(line);
    }

    fn end_shape(&mut self) {
        self.flush();
        if self.is_title && self.drawing.title.is_none() && !self.title.is_empty() {
            self.drawing.title = Some(self.title.join(" "));
        }
        self.title.clear();
        self.is_title = false;
    }
}
