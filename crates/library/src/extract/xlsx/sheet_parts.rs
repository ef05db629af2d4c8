//! What calamine leaves aside: comments (old and threaded) and the text of drawings, sheet by sheet.

use super::super::drawing;
use super::super::package::{Package, PackageError};
use super::super::xml::{Node, walk};
use std::collections::HashMap;

/// Sheet name to lines.
pub(super) fn read(
    package: &mut Package<'_>,
) -> Result<HashMap<String, Vec<String>>, PackageError> {
    let main = package.main_part("xl/workbook.xml")?;
    let relations = package.relations(&main)?;
    let book = package.part(&main)?.unwrap_or_default();
    let mut sheets = Vec::new();
    let _ = walk(&book, package.depth(), &mut |node| {
        if let Node::Start("sheet", attributes) = node {
            let id = attributes.qualified("r:id").or_else(|| attributes.get("id"));
            sheets.push((attributes.get("name").unwrap_or_default(), id.unwrap_or_default()));
        }
    });
    let mut lines: HashMap<String, Vec<String>> = HashMap::new();
    for (name, id) in sheets {
        let Some(sheet) = relations.iter().find(|relation| relation.id == id) else { continue };
        let found = lines.entry(name).or_default();
        for relation in package.relations(&sheet.target)? {
            match relation.kind.as_str() {
                "comments" | "threadedComment" => {
                    if let Some(part) = package.part(&relation.target)? {
                        found.extend(comments(&part, package.depth()));
                    }
                }
                "drawing" => drawings(package, &relation.target, found)?,
                _ => {}
            }
        }
    }
    Ok(lines)
}

fn drawings(
    package: &mut Package<'_>,
    target: &str,
    lines: &mut Vec<String>,
) -> Result<(), PackageError> {
    let Some(part) = package.part(target)? else { return Ok(()) };
    lines.extend(drawing::read(&part, package.depth()).0.lines);
    for relation in package.relations(target)? {
        if matches!(relation.kind.as_str(), "chart" | "diagramData")
            && let Some(part) = package.part(&relation.target)?
        {
            lines.extend(drawing::read(&part, package.depth()).0.lines);
        }
    }
    Ok(())
}

/// One line a comment: where, by whom, what.
fn comments(part: &[u8], max_depth: usize) -> Vec<String> {
    let (mut authors, mut lines): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut author, mut text, mut label) = (String::new(), String::new(), String::new());
    let (mut in_author, mut in_text, mut phonetic) = (false, false, 0_u32);
    let _ = walk(part, max_depth, &mut |node| match node {
        Node::Start("author", _) => in_author = true,
        Node::End("author") => {
            in_author = false;
            authors.push(std::mem::take(&mut author));
        }
        Node::Start("comment" | "threadedComment", attributes) => {
            let place = attributes.get("ref").unwrap_or_default();
            let id = attributes.get("authorId").and_then(|id| id.parse::<usize>().ok());
            let by = id.and_then(|id| authors.get(id)).filter(|name| !name.starts_with("tc="));
            label = match by.filter(|name| !name.is_empty()) {
                Some(name) => format!("[Comment at {place} by {name}] "),
                None => format!("[Comment at {place}] "),
            };
        }
        Node::End("comment" | "threadedComment") => {
            let words = std::mem::take(&mut text);
            if !words.trim().is_empty() {
                lines.push(format!(
                    "{label}{}",
                    words.split_whitespace().collect::<Vec<_>>().join(" ")
                ));
            }
        }
        Node::Start("rPh", _) => phonetic += 1,
        Node::End("rPh") => phonetic = phonetic.saturating_sub(1),
        Node::Start("t" | "text", _) => in_text = true,
        Node::End("t" | "text") => in_text = false,
        Node::Text(words) if in_author => author.push_str(words),
        Node::Text(words) if in_text && phonetic == 0 => text.push_str(words),
        _ => {}
    });
    lines
}
