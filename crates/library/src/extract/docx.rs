//! Word (ECMA-376 part 1 §17): body, text boxes, tables, notes, comments, headers and footers.
//!
//! A section begins at a paragraph whose style is a heading or has an outline level. Footnotes, endnotes and
//! comments come at the end of the section that refers to them. Deleted text of tracked changes is left out,
//! hidden text is kept. Lists lose their numbers: Word computes them, and nothing here does.

mod body;
mod styles;

use super::Context;
use super::draft::Draft;
use super::drawing;
use super::package::{Package, PackageError};
use super::xml::XmlError;
use crate::error::LibraryError;
use crate::kind::Kind;
use body::{Body, Notes};
use nearside_types::{Extracted, Trouble};

pub(super) fn read(bytes: &[u8], context: &mut Context<'_, '_>) -> Result<Extracted, LibraryError> {
    let mut draft = Draft::new(Kind::Docx, context.limits);
    let package = Package::open(bytes, Kind::Docx, context.limits);
    let written = package.and_then(|mut package| write(&mut package, &mut draft));
    context.check()?;
    if let Err(error) = written {
        return Ok(error.verdict(Kind::Docx));
    }
    let pages = u32::try_from(draft.page_count()).unwrap_or(u32::MAX);
    (context.progress)(pages, pages);
    Ok(draft.finish())
}

fn write(package: &mut Package<'_>, draft: &mut Draft) -> Result<(), PackageError> {
    let main = package.main_part("word/document.xml")?;
    let part = package.part(&main)?.ok_or(PackageError::Damaged)?;
    let relations = package.relations(&main)?;
    let mut notes = Notes::default();
    let mut margins: Vec<String> = Vec::new();
    let mut extras: Vec<String> = Vec::new();
    let mut headings = styles::Headings::default();
    for relation in &relations {
        let wanted = matches!(
            relation.kind.as_str(),
            "styles"
                | "footnotes"
                | "endnotes"
                | "comments"
                | "header"
                | "footer"
                | "diagramData"
                | "chart"
        );
        if !wanted {
            continue;
        }
        let inner = match package.part(&relation.target) {
            Ok(Some(inner)) => inner,
            Ok(None) => continue,
            Err(PackageError::Damaged) => {
                draft.missing(Trouble::NotesDamaged { part: relation.kind.clone() });
                continue;
            }
            Err(error) => return Err(error),
        };
        let depth = package.depth();
        match relation.kind.as_str() {
            "styles" => headings = styles::read(&inner, depth),
            "diagramData" | "chart" => extras.extend(drawing::read(&inner, depth).0.lines),
            "header" | "footer" => {
                for line in body::read(&inner, depth, &headings).0.into_lines() {
                    if !margins.contains(&line) {
                        margins.push(line);
                    }
                }
            }
            kind => notes.read(&inner, depth, kind),
        }
    }
    let (body, outcome) = body::read(&part, package.depth(), &headings);
    match outcome {
        Ok(()) => {}
        Err(XmlError::TooDeep) => {
            draft.missing(Trouble::TooDeep);
        }
        Err(_) => draft.missing(Trouble::TextDamaged),
    }
    write_sections(body, notes, draft);
    write_rest("Diagrams and charts", &extras, draft);
    write_rest("Headers and footers", &margins, draft);
    Ok(())
}

fn write_sections(body: Body, mut notes: Notes, draft: &mut Draft) {
    for section in body.sections {
        let mut text = section.lines.join("\n");
        for reference in &section.references {
            if let Some(note) = notes.take(reference) {
                text.push('\n');
                text.push_str(&note);
            }
        }
        if !text.trim().is_empty() || section.title.is_some() {
            draft.page(section.title.as_deref(), &text);
        }
    }
    write_rest("Notes and comments", &notes.rest(), draft);
}

fn write_rest(title: &str, lines: &[String], draft: &mut Draft) {
    if lines.iter().any(|line| !line.trim().is_empty()) {
        draft.page(Some(title), &lines.join("\n"));
    }
}
