//! Text, Markdown, tables, data, source and logs: the text as it is, Markdown cut at its headings.

use super::draft::Draft;
use crate::kind::Kind;
use crate::text::decode::Decoded;
use crate::text::sections;

pub(super) fn write(decoded: &Decoded, kind: Kind, draft: &mut Draft) {
    draft.decoded(decoded);
    if kind == Kind::Markdown {
        for (title, body) in sections::of_markdown(&decoded.text) {
            draft.page(title.as_deref(), &body);
        }
    } else {
        draft.page(None, &decoded.text);
    }
}
