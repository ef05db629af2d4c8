//! What a page draws with: whether it shows anything besides text, and fonts whose text cannot be trusted.

use pdf_oxide::PdfDocument;
use pdf_oxide::object::Object;

/// Whether a page without text shows a picture, a form or a drawing of some size.
#[must_use]
pub(super) fn shows_something(document: &PdfDocument, index: usize) -> bool {
    let has_objects = resources(document, index)
        .and_then(|resources| entry(document, &resources, "XObject"))
        .and_then(|objects| objects.as_dict().map(|dict| !dict.is_empty()))
        .unwrap_or(false);
    let content = document.get_page_content_data(index).unwrap_or_default();
    let inline = content.windows(4).any(|window| window == b"\nBI " || window == b"\nBI\n");
    // Letters drawn as outlines take many operators; a rule or a frame takes few.
    has_objects || inline || content.len() > 4096
}

/// A composite font with an embedded encoding of one-byte codes: pdf_oxide reads two bytes at a time there,
/// and most of its text is lost without an error.
#[must_use]
pub(super) fn has_unread_encoding(document: &PdfDocument, index: usize) -> bool {
    let fonts =
        resources(document, index).and_then(|resources| entry(document, &resources, "Font"));
    let Some(fonts) = fonts.as_ref().and_then(Object::as_dict) else { return false };
    fonts.values().any(|font| {
        let Ok(font) = document.resolve_object(font) else { return false };
        let Some(encoding) = entry(document, &font, "Encoding") else { return false };
        let Ok(data) = encoding.decode_stream_data() else { return false };
        let map = String::from_utf8_lossy(&data);
        let range = map.split_once("begincodespacerange").map(|(_, rest)| rest);
        let code = range.and_then(|rest| rest.trim_start().strip_prefix('<')?.split('>').next());
        code.is_some_and(|code| code.trim().len() == 2)
    })
}

fn resources(document: &PdfDocument, index: usize) -> Option<Object> {
    entry(document, &document.get_page(index).ok()?, "Resources")
}

fn entry(document: &PdfDocument, object: &Object, key: &str) -> Option<Object> {
    let value = object.as_dict()?.get(key)?;
    document.resolve_object(value).ok()
}
