//! PowerPoint (ECMA-376 part 1 §19): a slide is a page; its notes, comments, tables, groups, diagrams and
//! charts belong to it. Masters and layouts are not read: they repeat on every slide.

use super::Context;
use super::draft::Draft;
use super::drawing;
use super::package::{Package, PackageError};
use super::xml::{Node, walk};
use crate::error::LibraryError;
use crate::kind::Kind;
use nearside_types::{Extracted, Trouble};

pub(super) fn read(bytes: &[u8], context: &mut Context<'_, '_>) -> Result<Extracted, LibraryError> {
    let mut draft = Draft::new(Kind::Pptx, context.limits);
    let mut package = match Package::open(bytes, Kind::Pptx, context.limits) {
        Ok(package) => package,
        Err(error) => return Ok(error.verdict(Kind::Pptx)),
    };
    let slides = match slides(&mut package) {
        Ok(slides) => slides,
        Err(error) => return Ok(error.verdict(package.kind())),
    };
    let total = u32::try_from(slides.len()).unwrap_or(u32::MAX);
    for (index, slide) in slides.iter().enumerate() {
        context.check()?;
        if draft.is_full() {
            break;
        }
        match write_slide(&mut package, slide, &mut draft) {
            Ok(()) => {}
            Err(PackageError::Damaged) => {
                draft.page(None, "");
                draft.missing(Trouble::SlideDamaged { number: index as u64 + 1 });
            }
            Err(error) => return Ok(error.verdict(Kind::Pptx)),
        }
        (context.progress)(u32::try_from(index + 1).unwrap_or(u32::MAX), total);
    }
    if slides.is_empty() {
        draft.missing(Trouble::SlidesDamaged);
    }
    Ok(draft.finish())
}

/// Slide parts in the order of the show.
fn slides(package: &mut Package<'_>) -> Result<Vec<String>, PackageError> {
    let main = package.main_part("ppt/presentation.xml")?;
    let relations = package.relations(&main)?;
    let part = package.part(&main)?.unwrap_or_default();
    let mut ids = Vec::new();
    let _ = walk(&part, package.depth(), &mut |node| {
        if let Node::Start("sldId", attributes) = node {
            // `id` is the slide's number, `r:id` the relationship; the prefix can be another.
            let id = attributes.qualified("r:id").or_else(|| attributes.get("id"));
            ids.extend(id);
        }
    });
    let target = |id: &String| {
        relations.iter().find(|relation| relation.id == *id).map(|relation| relation.target.clone())
    };
    let mut slides: Vec<String> = ids.iter().filter_map(target).collect();
    if slides.is_empty() {
        slides = relations.iter().filter(|r| r.kind == "slide").map(|r| r.target.clone()).collect();
    }
    Ok(slides)
}

fn write_slide(
    package: &mut Package<'_>,
    slide: &str,
    draft: &mut Draft,
) -> Result<(), PackageError> {
    let number = draft.page_count() + 1;
    let part = package.part(slide)?.ok_or(PackageError::Damaged)?;
    let (mut drawing, outcome) = drawing::read(&part, package.depth());
    if outcome.is_err() {
        draft.missing(Trouble::SlideCut { number: number as u64 });
    }
    for relation in package.relations(slide)? {
        let label = match relation.kind.as_str() {
            "diagramData" | "chart" | "chartUserShapes" => "",
            "notesSlide" => "Notes: ",
            "comments" => "Comment: ",
            _ => continue,
        };
        let Ok(Some(part)) = package.part(&relation.target) else {
            draft.missing(Trouble::SlidePartDamaged { number: number as u64 });
            continue;
        };
        let (inner, _) = drawing::read(&part, package.depth());
        drawing.lines.extend(inner.lines.into_iter().map(|line| format!("{label}{line}")));
    }
    if drawing.hidden {
        draft.warn(Trouble::SlideHidden { number: number as u64 });
    }
    draft.page(drawing.title.as_deref(), &drawing.lines.join("\n"));
    Ok(())
}
