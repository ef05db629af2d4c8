//! A bounded walk over an XML part. Names lose their prefix, entities are never expanded beyond the five
//! that XML predefines and character references, and depth is limited.

use crate::text::decode::decode;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// What the walk meets. Empty elements come as a start and an end.
pub(super) enum Node<'a> {
    Start(&'a str, &'a Attributes<'a>),
    End(&'a str),
    Text(&'a str),
}

/// The attributes of a start tag, looked up by name without prefix.
pub(super) struct Attributes<'a>(&'a BytesStart<'a>);

impl Attributes<'_> {
    pub(super) fn get(&self, name: &str) -> Option<String> {
        self.find(|local, _| local == name)
    }

    /// An attribute with exactly this prefix and name, such as `r:id`.
    pub(super) fn qualified(&self, name: &str) -> Option<String> {
        self.find(|_, full| full == name)
    }

    fn find(&self, wanted: impl Fn(&str, &str) -> bool) -> Option<String> {
        self.0.attributes().with_checks(false).flatten().find_map(|attribute| {
            let local = attribute.key.local_name();
            if !wanted(local.as_ref(), attribute.key.as_ref()) {
                return None;
            }
            Some(match attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0) {
                Ok(value) => value.into_owned(),
                Err(_) => attribute.value.clone().into_owned(),
            })
        })
    }
}

/// Why a walk ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum XmlError {
    TooDeep,
    Malformed,
    /// The bytes are no text.
    NotText,
}

/// Walks a part; what was met before an error has been visited.
pub(super) fn walk(
    part: &[u8],
    max_depth: usize,
    visit: &mut dyn FnMut(Node<'_>),
) -> Result<(), XmlError> {
    let text = text_of(part)?;
    let mut reader = Reader::from_str(&text);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.allow_dangling_amp = true;
    let mut depth = 0_usize;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                depth += 1;
                if depth > max_depth {
                    return Err(XmlError::TooDeep);
                }
                visit(Node::Start(start.local_name().as_ref(), &Attributes(&start)));
            }
            Ok(Event::End(end)) => {
                depth = depth.saturating_sub(1);
                visit(Node::End(end.local_name().as_ref()));
            }
            Ok(Event::Text(text)) => visit(Node::Text(&text.xml10_content())),
            Ok(Event::CData(data)) => visit(Node::Text(&data.xml10_content())),
            Ok(Event::GeneralRef(reference)) => {
                let named = match reference.xml10_content().as_ref() {
                    "amp" => Some('&'),
                    "lt" => Some('<'),
                    "gt" => Some('>'),
                    "quot" => Some('"'),
                    "apos" => Some('\''),
                    _ => None,
                };
                let character = named.or_else(|| reference.resolve_char_ref().ok().flatten());
                match character {
                    Some(c) => visit(Node::Text(c.encode_utf8(&mut [0; 4]))),
                    // An entity of the document's own: shown as written, never expanded.
                    None => visit(Node::Text(&format!("&{};", reference.xml10_content()))),
                }
            }
            Ok(Event::Eof) => {
                return if depth == 0 { Ok(()) } else { Err(XmlError::Malformed) };
            }
            Ok(_) => {}
            Err(_) => return Err(XmlError::Malformed),
        }
    }
}

fn text_of(part: &[u8]) -> Result<std::borrow::Cow<'_, str>, XmlError> {
    let part = part.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(part);
    if let Ok(text) = std::str::from_utf8(part)
        && !part.contains(&0)
    {
        return Ok(text.into());
    }
    let head = String::from_utf8_lossy(&part[..part.len().min(200)]).into_owned();
    let declared = head.split_once("encoding=\"").and_then(|(_, rest)| rest.split('"').next());
    decode(part, declared).map(|found| found.text.into()).ok_or(XmlError::NotText)
}
