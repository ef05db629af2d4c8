//! Tokenizers on small vocabularies of our own, and files that are no encoder's.

use serde_json::json;

use super::*;

fn unigram() -> EncoderTokenizer {
    let file = json!({
        "added_tokens": [
            {"id": 0, "content": "<s>", "special": true},
            {"id": 1, "content": "</s>", "special": true},
        ],
        "model": {"type": "Unigram", "unk_id": 2, "vocab": [
            ["<s>", 0.0], ["</s>", 0.0], ["<unk>", 0.0], ["▁", -2.0], ["▁a", -3.0], ["b", -3.0],
            ["ab", -4.0], ["▁ab", -7.0], ["c", -3.5], ["bc", -5.0],
        ]},
    });
    EncoderTokenizer::from_json(file.to_string().as_bytes()).unwrap()
}

#[test]
fn the_likeliest_cut_wins_and_unknown_letters_join() {
    let tokenizer = unigram();
    let check = |text: &str, ids: &[u32], places: &[(u32, u32)]| {
        let found = tokenizer.encode(text, 64);
        assert_eq!(found.ids[1..found.ids.len() - 1], *ids, "{text}");
        assert_eq!(found.places[1..found.ids.len() - 1], *places, "{text}");
    };
    check("ab", &[3, 6], &[(0, 0), (0, 2)]);
    check("abc", &[4, 9], &[(0, 1), (1, 3)]);
    check("a  ab", &[4, 3, 6], &[(0, 1), (3, 3), (3, 5)]);
    check("xyb", &[3, 2, 5], &[(0, 0), (0, 2), (2, 3)]);
    check("</s>", &[3, 2], &[(0, 0), (0, 4)]);
    check("", &[], &[]);
}

#[test]
fn what_does_not_fit_is_left_out_at_the_end() {
    let found = unigram().encode(&"b".repeat(100), 10);
    assert_eq!(found.ids.len(), 10);
    assert_eq!((found.ids[0], found.ids[9]), (0, 1));
}

#[test]
fn files_that_are_no_tokenizer_are_refused() {
    for json in ["", "{}", "[1]", r#"{"model":{"type":"BPE"}}"#] {
        assert!(EncoderTokenizer::from_json(json.as_bytes()).is_err(), "{json}");
    }
    let nothing = json!({"model": {"type": "Unigram", "unk_id": 9, "vocab": []}});
    assert!(EncoderTokenizer::from_json(nothing.to_string().as_bytes()).is_err());
}

#[test]
fn folders_that_hold_no_encoder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let compute = crate::device::compute("", 1).unwrap();
    let load = || Encoder::load(folder.path(), compute.clone(), None).map(|_| ());
    assert!(load().is_err());
    let config = json!({
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": 32, "num_hidden_layers": 1,
        "num_attention_heads": 2, "intermediate_size": 64, "max_position_embeddings": 8,
        "layer_norm_eps": 1e-12,
    });
    std::fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
    assert!(load().is_err());
    for bytes in [&b""[..], &[255; 64], &b"\x02\0\0\0\0\0\0\0{}"[..]] {
        std::fs::write(folder.path().join("model.safetensors"), bytes).unwrap();
        assert!(load().is_err());
    }
}
