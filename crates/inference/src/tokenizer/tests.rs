//! Tests of the tokenizer: golden tokens of llama.cpp on real vocabularies where the weights are at hand,
//! and properties on the small sample.

use std::path::PathBuf;
use std::time::Instant;

use proptest::prelude::*;

use super::sample::{self, FIRST_MERGED};
use super::{Specials, Tokenizer};
use crate::gguf::GgufFile;
use crate::gguf::write::GgufWriter;

/// The file of a model in `NEARSIDE_MODELS_DIR`; says so where it is absent.
pub(crate) fn weights(name: &str) -> Option<GgufFile> {
    let path =
        std::env::var_os("NEARSIDE_MODELS_DIR").map(|folder| PathBuf::from(folder).join(name));
    let path = path.filter(|path| path.exists());
    if path.is_none() {
        println!("skipped: {name} is not in NEARSIDE_MODELS_DIR; cargo xtask models fetches it");
    }
    path.map(|path| GgufFile::open(path).unwrap())
}

pub(crate) fn golden(name: &str) -> serde_json::Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub(crate) fn small(pre: &str) -> Tokenizer {
    let file = sample::vocabulary(GgufWriter::new(3), pre).bytes();
    Tokenizer::from_gguf(&GgufFile::from_bytes(&file).unwrap()).unwrap()
}

fn equals_llama_cpp(model: &str, pre: &str) {
    let Some(file) = weights(model) else { return };
    let tokenizer = Tokenizer::cutting_by(&file, pre).unwrap();
    let cases = golden(&format!("tokens-{pre}.json"));
    let cases = cases.as_array().unwrap();
    assert!(cases.len() >= 200);
    let mut wrong = Vec::new();
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let special = case["special"] == true;
        let specials = if special { Specials::All } else { Specials::UserDefined };
        let expected: Vec<u32> = serde_json::from_value(case["tokens"].clone()).unwrap();
        let ours = tokenizer.encode(text, specials);
        if ours != expected {
            let pieces = |ids: &[u32]| {
                let pieces = ids.iter().map(|id| String::from_utf8_lossy(tokenizer.piece(*id)));
                pieces.collect::<Vec<_>>().join("|")
            };
            wrong.push(format!("{text:?}\n  {}\n  {}", pieces(&ours), pieces(&expected)));
        }
        // SmolLM2's vocabulary lacks some bytes; Qwen's spells everything.
        if pre == "qwen2" {
            let plain = tokenizer.encode(text, Specials::Never);
            assert_eq!(tokenizer.decode(&plain), text);
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn smollm_equals_llama_cpp() {
    equals_llama_cpp("smollm2-135m.gguf", "smollm");
}

#[test]
fn qwen2_equals_llama_cpp() {
    equals_llama_cpp("qwen2.5-coder-0.5b.gguf", "qwen2");
}

/// The pre-tokenizers of Llama 3 and GPT-2, tried on SmolLM2's vocabulary.
#[test]
fn llama_bpe_and_gpt_2_equal_llama_cpp() {
    equals_llama_cpp("smollm2-135m.gguf", "llama-bpe");
    equals_llama_cpp("smollm2-135m.gguf", "gpt-2");
}

#[test]
fn merges_go_by_rank_and_then_from_the_left() {
    let tokenizer = small("gpt-2");
    let merged = |at: u32| FIRST_MERGED + at;
    for (text, tokens) in [
        ("hello", vec![merged(5)]),
        (" hello", vec![merged(6)]),
        ("hell", vec![merged(4)]),
        ("aaa", vec![merged(0), u32::from(b'a')]),
        ("aaaaa", vec![merged(1), u32::from(b'a')]),
        ("é", vec![0xC3, 0xA9]),
        ("", vec![]),
    ] {
        assert_eq!(tokenizer.encode(text, Specials::Never), tokens, "{text:?}");
    }
}

#[test]
fn specials_are_found_only_where_allowed() {
    let tokenizer = small("qwen2");
    let [end, call] = ["<|im_end|>", "<tool_call>"].map(|text| tokenizer.special(text).unwrap());
    let text = "a<|im_end|>b<tool_call>";
    let found = |specials| {
        let tokens = tokenizer.encode(text, specials);
        (tokens.contains(&end), tokens.contains(&call), tokenizer.decode(&tokens))
    };
    assert_eq!(found(Specials::All), (true, true, "ab<tool_call>".to_owned()));
    assert_eq!(found(Specials::UserDefined), (false, true, text.to_owned()));
    assert_eq!(found(Specials::Never), (false, false, text.to_owned()));
    assert!(tokenizer.ends_generation(end) && !tokenizer.ends_generation(call));
    assert_eq!(tokenizer.eos(), Some(end));
    assert_eq!(tokenizer.piece(end), b"<|im_end|>");
    assert_eq!(tokenizer.piece(9999), b"");
}

#[test]
fn other_vocabularies_are_refused_by_name() {
    let check = |writer: GgufWriter, words: &str| {
        let file = GgufFile::from_bytes(&writer.bytes()).unwrap();
        let error = Tokenizer::from_gguf(&file).unwrap_err().to_string();
        assert!(error.contains(words), "{words:?} is not in {error:?}");
    };
    let new = || GgufWriter::new(3);
    let bpe = || new().str("tokenizer.ggml.model", "gpt2");
    check(new(), "tokenizer.ggml.model is missing");
    check(new().str("tokenizer.ggml.model", "llama"), "of the kind \"llama\"");
    check(bpe().str("tokenizer.ggml.pre", "tekken"), "cuts words by \"tekken\"");
    check(bpe(), "tokenizer.ggml.tokens is missing");
    check(bpe().strings::<&str>("tokenizer.ggml.tokens", &[]), "it has 0 tokens");
    let one = || bpe().strings("tokenizer.ggml.tokens", &["a"]);
    check(one(), "tokenizer.ggml.merges is missing");
    check(one().i32s("tokenizer.ggml.token_type", &[1, 1]), "1 tokens and 2 token types");
    check(one().i32s("tokenizer.ggml.token_type", &[9]), "unknown type 9");
    check(one().u32("tokenizer.ggml.bos_token_id", 1), "bos_token_id is 1, and there are 1 tokens");
    check(one().strings("tokenizer.ggml.merges", &["ab"]), "merge rule 0 is not two tokens");
}

/// Word lengths on both sides of the change from scanning to the heap, and much beyond.
#[test]
fn long_words_merge_as_short_ones_do_and_not_in_quadratic_time() {
    let tokenizer = small("gpt-2");
    for len in (90..=104).chain([200_000]) {
        let tokens = tokenizer.encode(&"a".repeat(len), Specials::Never);
        let rest = len % 4;
        assert_eq!(tokens.len(), len / 4 + rest / 2 + rest % 2, "{len}");
    }
    let started = Instant::now();
    for run in ["a", " ", "\n", "1", "=", "哈", "é", "<", "'s"] {
        let text = run.repeat(1_000_000 / run.len());
        assert_eq!(tokenizer.decode(&tokenizer.encode(&text, Specials::Never)), text);
    }
    // Quadratic would be hours.
    assert!(started.elapsed().as_secs() < 60);
}

fn styles() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["gpt-2", "smollm", "qwen2", "llama-bpe"][..])
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "[ \t\r\n\u{a0}'a-zé你0-9٣.<|>_]{0,12}",
        prop::sample::select(&["<|im_end|>", "<tool_call>", "hello", "aaaa", "'ll", "\r\n"][..])
            .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn text_comes_back(pre in styles(), text in texts()) {
        let tokenizer = small(pre);
        let tokens = tokenizer.encode(&text, Specials::Never);
        prop_assert_eq!(tokenizer.decode(&tokens), text.as_str());
        let specials = tokenizer.encode(&text, Specials::All);
        let bytes: Vec<u8> = specials.iter().flat_map(|id| tokenizer.piece(*id).to_vec()).collect();
        prop_assert_eq!(bytes, text.as_bytes());
    }

    #[test]
    fn words_join_to_the_text(pre in styles(), text in texts()) {
        let tokenizer = small(pre);
        let mut words = Vec::new();
        tokenizer.style.words(&tokenizer.classes, &text, |word| words.push(word));
        prop_assert!(words.iter().all(|word| !word.is_empty()));
        prop_assert_eq!(words.concat(), text);
    }

    #[test]
    fn heap_and_scan_agree(word in "[a ]{0,40}|[hel]{0,60}o{0,3}|[a-z_]{0,80}") {
        let tokenizer = small("gpt-2");
        // A long word of two halves that no merge joins, against each half alone.
        let long = format!("{}{word}", "z".repeat(100));
        let run = |text: &str| {
            let mut scratch = super::Scratch::default();
            scratch.tokens.extend(text.bytes().map(u32::from));
            let mut tokens = Vec::new();
            tokenizer.merges.merge(&mut scratch, &mut tokens);
            tokens
        };
        prop_assert_eq!(&run(&long)[100..], &run(&word));
    }
}

/// How long real vocabularies take to load, and a megabyte to encode; printed, and bounded generously.
#[test]
fn loading_and_encoding_are_quick() {
    for model in ["smollm2-135m.gguf", "qwen2.5-coder-0.5b.gguf"] {
        let started = Instant::now();
        let Some(file) = weights(model) else { return };
        let opened = started.elapsed();
        let tokenizer = Tokenizer::from_gguf(&file).unwrap();
        let built = started.elapsed() - opened;
        println!(
            "{model}: {} tokens, opened in {opened:?}, built in {built:?}",
            tokenizer.vocab_size()
        );
        let cases = golden("tokens-qwen2.json");
        let mixed: String =
            cases.as_array().unwrap().iter().filter_map(|case| case["text"].as_str()).collect();
        let rust = include_str!("mod.rs");
        let chinese = "人工智能正在改变我们的生活方式。从手机上的语音助手到医院里的影像诊断，越来越多的工作可以由机器来协助完成。";
        let texts = [
            ("mixed", &mixed[..]),
            ("code", rust),
            ("chinese", chinese),
            ("a run", "a"),
            ("a line of =", "="),
        ];
        for (name, text) in texts {
            let text = text.repeat(1_000_000 / text.len() + 1);
            let started = Instant::now();
            let tokens = tokenizer.encode(&text, Specials::UserDefined).len();
            let took = started.elapsed();
            println!("  {name}: {} kB, {tokens} tokens in {took:?}", text.len() / 1000);
            assert!(took.as_secs() < 20, "{name} took {took:?}");
        }
    }
}
