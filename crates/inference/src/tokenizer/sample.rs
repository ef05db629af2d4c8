//! A vocabulary in small, for tests and fuzzing that have no weights: every byte, some merges, and the
//! special tokens of ChatML. No model was ever trained on it.

use crate::gguf::write::GgufWriter;

use super::byte_text::ByteText;

/// Ids 0 to 255 are the bytes, from 256 the merges in order, and then these with their kinds: control
/// tokens and one that is user-defined.
const SPECIALS: [(&str, i32); 5] = [
    ("<|endoftext|>", 3),
    ("<|im_start|>", 3),
    ("<|im_end|>", 3),
    ("<tool_call>", 4),
    ("<think>", 4),
];

/// The id of the first token that a merge makes.
pub const FIRST_MERGED: u32 = 256;

/// What the merges join, in order of their ranks. A space stands for the byte.
const MERGES: [(&str, &str); 10] = [
    ("a", "a"),
    ("aa", "aa"),
    ("h", "e"),
    ("l", "l"),
    ("he", "ll"),
    ("hell", "o"),
    (" ", "hello"),
    (" ", " "),
    ("i", "m"),
    ("im", "_"),
];

/// Adds the vocabulary to a file, with this name of a pre-tokenizer.
#[must_use]
pub fn vocabulary(writer: GgufWriter, pre: &str) -> GgufWriter {
    let letters = ByteText::new();
    let spelled = |text: &str| text.bytes().map(|byte| letters.letter(byte)).collect::<String>();
    let mut tokens: Vec<String> = (0..=u8::MAX).map(|byte| letters.letter(byte).into()).collect();
    let mut merges = Vec::new();
    for (left, right) in MERGES {
        tokens.push(spelled(left) + &spelled(right));
        merges.push(format!("{} {}", spelled(left), spelled(right)));
    }
    let mut kinds = vec![1; tokens.len()];
    for (text, kind) in SPECIALS {
        tokens.push(text.to_owned());
        kinds.push(kind);
    }
    let id = |text: &str| tokens.iter().position(|token| token == text).map_or(0, |at| at as u32);
    writer
        .str("tokenizer.ggml.model", "gpt2")
        .str("tokenizer.ggml.pre", pre)
        .u32("tokenizer.ggml.bos_token_id", id("<|endoftext|>"))
        .u32("tokenizer.ggml.eos_token_id", id("<|im_end|>"))
        .bool("tokenizer.ggml.add_bos_token", false)
        .strings("tokenizer.ggml.tokens", &tokens)
        .i32s("tokenizer.ggml.token_type", &kinds)
        .strings("tokenizer.ggml.merges", &merges)
}
