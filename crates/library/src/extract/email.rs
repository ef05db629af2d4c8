//! Messages (RFC 5322, MIME): the message itself is page 1, each attachment follows under its name.
//!
//! Bodies and header words are decoded by mail-parser; a part that names no encoding, or a wrong one, is
//! decoded by what its bytes are. Attachments are read by the same readers as files, to a limited depth, and
//! those that cannot be read are listed with the reason.

use super::draft::Draft;
use super::{Context, html, mime};
use crate::error::LibraryError;
use crate::kind::Kind;
use mail_parser::{Message, MessageParser, PartType};
use nearside_types::{Extracted, Trouble};

pub(super) fn read(bytes: &[u8], context: &mut Context<'_, '_>) -> Result<Extracted, LibraryError> {
    let mut draft = Draft::new(Kind::Email, context.limits);
    match MessageParser::default().parse(bytes) {
        Some(message) => write(&message, None, &mut draft, context)?,
        None => draft.missing(Trouble::MessageDamaged),
    }
    Ok(draft.finish())
}

fn write(
    message: &Message<'_>,
    title: Option<&str>,
    draft: &mut Draft,
    context: &mut Context<'_, '_>,
) -> Result<(), LibraryError> {
    let mut text = mime::headers(message);
    text.push('\n');
    for &id in &body_parts(message) {
        let Some(part) = message.part(id) else { continue };
        match &part.body {
            PartType::Text(_) => text.push_str(&mime::part_text(message, part)),
            PartType::Html(_) => text.push_str(&html::text_of(&mime::part_text(message, part))),
            _ => continue,
        }
        text.push_str("\n\n");
    }
    let attachments: Vec<_> = message.attachments().collect();
    for (index, part) in attachments.iter().enumerate() {
        text.push_str(&format!("[Attachment] {}\n", mime::name(part, index)));
    }
    draft.page(title.or(message.subject()), &text);
    let total = u32::try_from(attachments.len() + 1).unwrap_or(u32::MAX);
    for (index, part) in attachments.iter().enumerate() {
        context.check()?;
        (context.progress)(u32::try_from(index + 1).unwrap_or(u32::MAX), total);
        let name = mime::name(part, index);
        if context.depth >= context.limits.max_nesting {
            draft.missing(Trouble::AttachmentTooDeep { name: name.into() });
            continue;
        }
        context.depth += 1;
        let outcome = if let PartType::Message(inner) = &part.body {
            write(inner, Some(&name), draft, context)
        } else {
            let bytes = mime::part_bytes(message, part);
            let mut silent = |_, _| {};
            let mut inner = Context {
                pictures: &mut *context.pictures,
                limits: context.limits,
                cancel: context.cancel,
                progress: &mut silent,
                depth: context.depth,
            };
            super::read(&bytes, &name, &mut inner).map(|read| draft.absorb(&name, read))
        };
        context.depth -= 1;
        outcome?;
    }
    (context.progress)(total, total);
    Ok(())
}

/// The parts that a reader sees as the message, in order: the text where a part comes in both forms, and
/// HTML that has no text beside it.
fn body_parts(message: &Message<'_>) -> Vec<u32> {
    let mut ids: Vec<u32> = message.text_body.clone();
    if ids.is_empty() {
        ids.clone_from(&message.html_body);
    }
    ids
}
