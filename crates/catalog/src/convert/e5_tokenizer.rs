//! The `tokenizer.json` of multilingual-e5-small: a unigram model over XLM-RoBERTa's pieces, in the form
//! of Hugging Face's tokenizers library. Normalisation is NFKC with runs of spaces made one, which stands
//! for the container's own table.

use serde::Serialize;
use serde_json::{Value, json};

use super::e5::Container;

/// The vocabulary stays in the container's own strings: as JSON values it would take ten times the memory.
#[derive(Serialize)]
pub(super) struct Tokenizer<'a> {
    #[serde(flatten)]
    rest: Value,
    model: Unigram<'a>,
}

#[derive(Serialize)]
struct Unigram<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(rename = "unk_id")]
    unknown: u32,
    #[serde(rename = "vocab")]
    vocabulary: Vec<(&'a str, f64)>,
    byte_fallback: bool,
}

pub(super) fn tokenizer<R>(e5: &Container<R>) -> Tokenizer<'_> {
    let names = [(e5.begin, "<s>"), (e5.padding, "<pad>"), (e5.end, "</s>"), (e5.unknown, "<unk>")];
    let added: Vec<Value> = names
        .iter()
        .map(|(id, content)| {
            json!({
                "id": id, "content": content, "single_word": false, "lstrip": false,
                "rstrip": false, "normalized": false, "special": true,
            })
        })
        .collect();
    let special = |name: &str| json!({"SpecialToken": {"id": name, "type_id": 0}});
    let sequence = |name: &str| json!({"Sequence": {"id": name, "type_id": 0}});
    let used = |id: u32, name: &str| json!({"id": name, "ids": [id], "tokens": [name]});
    let spaces = json!({
        "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true,
    });
    let rest = json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added,
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "NFKC"},
            {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "},
        ]},
        "pre_tokenizer": spaces,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [special("<s>"), sequence("A"), special("</s>")],
            "pair": [special("<s>"), sequence("A"), special("</s>"), sequence("B"), special("</s>")],
            "special_tokens": {"<s>": used(e5.begin, "<s>"), "</s>": used(e5.end, "</s>")},
        },
        "decoder": spaces,
    });
    Tokenizer {
        rest,
        model: Unigram {
            kind: "Unigram",
            unknown: e5.unknown,
            vocabulary: e5
                .pieces
                .iter()
                .map(|(text, score)| (text.as_str(), f64::from(*score)))
                .collect(),
            byte_fallback: false,
        },
    }
}
