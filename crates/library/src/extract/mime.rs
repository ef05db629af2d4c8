//! Parts of a message: their names, their bytes, and their text in whatever encoding it really is.

use crate::text::decode::decode;
use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Address, Encoding, Message, MessagePart, MimeHeaders, PartType};

/// `From`, `To`, `Cc`, `Date` and `Subject` as lines.
#[must_use]
pub(super) fn headers(message: &Message<'_>) -> String {
    let mut lines = String::new();
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            lines.push_str(&format!("{name}: {value}\n"));
        }
    };
    line("Subject", message.subject().map(str::to_owned));
    line("From", message.from().map(addresses));
    line("To", message.to().map(addresses));
    line("Cc", message.cc().map(addresses));
    line("Date", message.date().map(mail_parser::DateTime::to_rfc3339));
    lines
}

fn addresses(list: &Address<'_>) -> String {
    let one = |address: &mail_parser::Addr<'_>| match (address.name(), address.address()) {
        (Some(name), Some(mail)) => format!("{name} <{mail}>"),
        (name, mail) => name.or(mail).unwrap_or_default().to_owned(),
    };
    list.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The attachment's name, or a number.
#[must_use]
pub(super) fn name(part: &MessagePart<'_>, index: usize) -> String {
    match part.attachment_name() {
        Some(name) => name.to_owned(),
        None => format!("attachment {}", index + 1),
    }
}

/// The decoded bytes of a part, before any charset.
#[must_use]
pub(super) fn part_bytes(message: &Message<'_>, part: &MessagePart<'_>) -> Vec<u8> {
    if let PartType::Binary(bytes) | PartType::InlineBinary(bytes) = &part.body {
        return bytes.to_vec();
    }
    let raw = usize::try_from(part.offset_body)
        .ok()
        .zip(usize::try_from(part.offset_end).ok())
        .and_then(|(start, end)| message.raw_message.get(start..end));
    let decoded = raw.and_then(|raw| match part.encoding {
        Encoding::Base64 => base64_decode(raw),
        Encoding::QuotedPrintable => quoted_printable_decode(raw),
        Encoding::None => Some(raw.to_vec()),
    });
    decoded.unwrap_or_else(|| part.contents().to_vec())
}

/// The text of a part. A charset that is missing or contradicted by the bytes is found from them.
#[must_use]
pub(super) fn part_text(message: &Message<'_>, part: &MessagePart<'_>) -> String {
    let parsed = match &part.body {
        PartType::Text(text) | PartType::Html(text) => text.as_ref(),
        _ => return String::new(),
    };
    let charset = part.content_type().and_then(|kind| kind.attribute("charset"));
    if charset.is_some() && !parsed.contains(char::REPLACEMENT_CHARACTER) {
        return parsed.to_owned();
    }
    match decode(&part_bytes(message, part), charset) {
        Some(found) => found.text,
        None => parsed.to_owned(),
    }
}
