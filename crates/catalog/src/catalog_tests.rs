//! Checks of the catalog file: the one we carry is valid, and each kind of mistake is one sentence.

use nearside_types::ModelPurpose;

use super::{Catalog, is_plain_name};
use crate::Source;

const SHA: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn written(changes: &[(&str, &str)]) -> String {
    let mut text = format!(
        r#"format = 1
[[model]]
name = "tiny"
title = "Tiny"
purpose = "chat"
family = "llama"
kind = "gguf"
version = "1"
languages = ["en"]
licence = "MIT"
memory_min_mb = 1
memory_mb = 2
files = [{{ name = "tiny.gguf", size = 3, sha256 = "{SHA}" }}]
[[model.source]]
packages = ["tiny-model==1.0"]
files = [{{ from = "*/tiny.gguf", to = "tiny.gguf" }}]
"#
    );
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

#[test]
fn the_embedded_catalog_is_valid() {
    let catalog = Catalog::embedded().expect("valid");
    for name in [
        "smollm2-135m",
        "qwen2.5-coder-0.5b",
        "qwen2.5-coder-1.5b",
        "whisper-base",
        "whisper-tiny-en",
        "multilingual-e5-small",
        "minilm-l6",
        "silero-vad",
        "gemma3-270m",
        "pp-ocr",
    ] {
        let entry = catalog.get(name).expect(name);
        let hubs_first = entry.sources.iter().map(|source| matches!(source, Source::Package(_)));
        assert!(hubs_first.is_sorted(), "{name}: the hub comes before packages");
    }
    let name = |purpose| catalog.default_for(purpose).map(|entry| entry.name.as_str());
    assert_eq!(name(ModelPurpose::Chat), Some("qwen2.5-coder-0.5b"));
    assert_eq!(name(ModelPurpose::Speech), Some("whisper-base"));
    assert_eq!(name(ModelPurpose::Embedding), Some("multilingual-e5-small"));
    assert_eq!(name(ModelPurpose::VoiceActivity), Some("silero-vad"));
    assert_eq!(name(ModelPurpose::Ocr), Some("pp-ocr"));
    let draft = catalog.draft_of("qwen2.5-coder-1.5b").map(|entry| entry.name.as_str());
    assert_eq!(draft, Some("qwen2.5-coder-0.5b"));
}

#[test]
fn each_mistake_is_one_sentence() {
    let check = |changes: &[(&str, &str)], expected: &str| {
        let error = Catalog::parse(&written(changes)).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!error.contains('\n'), "{error}");
    };
    Catalog::parse(&written(&[])).expect("valid");
    check(&[("format = 1", "format = 2")], "format 1");
    check(&[("name = \"tiny\"", "name = \"../tiny\"")], "lower-case letters");
    check(&[("version = \"1\"", "version = \"..\"")], "folder's name");
    check(&[("version = \"1\"", "version = \"current\"")], "current");
    check(&[("\"tiny.gguf\", size", "\"a/b\", size")], "cannot be a file's name");
    check(&[(SHA, "ABC")], "64 lower-case hex digits");
    check(&[("size = 3", "size = 0")], "has no size");
    check(&[("size = 3", "size = -3")], "line 13");
    check(&[("to = \"tiny.gguf\"", "to = \"other\"")], "which nothing needs");
    check(&[("*/tiny.gguf", "../tiny.gguf")], "odd path");
    check(&[("tiny-model==1.0", "--index-url=x")], "is not name==version");
    check(&[("tiny-model==1.0", "tiny-model==1.0 --pre")], "is not name==version");
    check(&[("purpose = \"chat\"", "purpose = \"cat\"")], "line 5");
    check(&[("licence = \"MIT\"", "license = \"MIT\"")], "license");
    check(
        &[("licence = \"MIT\"", "licence = \"MIT\"\nconvert = \"e5_container\"")],
        "belong together",
    );
    check(&[("licence = \"MIT\"", "licence = \"MIT\"\ndraft_for = [\"big\"]")], "drafts for big");
    check(
        &[("packages = [\"tiny-model==1.0\"]", "hub = \"nobody\"\nrevision = \"1\"")],
        "owner/repository",
    );
}

#[test]
fn plain_names() {
    for name in ["a", "qwen2.5-coder-0.5b", "A_b", "1.0"] {
        assert!(is_plain_name(name), "{name}");
    }
    for name in ["", ".", "..", "-a", "a/b", "a\\b", "a:", "a b", "a.", "é"] {
        assert!(!is_plain_name(name), "{name}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_answered(text in ".{0,400}") {
        let _answered = Catalog::parse(&text);
    }
}
