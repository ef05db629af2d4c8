//! The text tokens of a Whisper `tokenizer.json` as bytes. Special tokens are left empty: whisper.cpp
//! makes them itself.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use crate::CatalogError;

const WHAT: &str = "Whisper tokenizer";

#[derive(Deserialize)]
struct Tokenizer {
    added_tokens: Vec<Added>,
    model: Model,
}

#[derive(Deserialize)]
struct Added {
    id: u64,
}

#[derive(Deserialize)]
struct Model {
    vocab: HashMap<String, u64>,
}

/// `count` tokens by id.
pub(super) fn tokens(json: &[u8], count: usize) -> Result<Vec<Vec<u8>>, CatalogError> {
    let tokenizer: Tokenizer = serde_json::from_slice(json)
        .map_err(|error| CatalogError::format(WHAT, error.to_string()))?;
    let special: HashSet<u64> = tokenizer.added_tokens.iter().map(|token| token.id).collect();
    let bytes_of: HashMap<char, u8> = byte_letters();
    let mut tokens = vec![Vec::new(); count];
    for (text, id) in &tokenizer.model.vocab {
        let slot = usize::try_from(*id).ok().and_then(|id| tokens.get_mut(id));
        let Some(slot) = slot.filter(|_| !special.contains(id)) else { continue };
        for letter in text.chars() {
            let byte = bytes_of.get(&letter).ok_or_else(|| {
                CatalogError::format(WHAT, format!("token {id} has a letter that is no byte"))
            })?;
            slot.push(*byte);
        }
    }
    Ok(tokens)
}

/// GPT-2's way to write any byte as a printable letter: bytes that print stand for themselves, the others
/// follow from U+0100 on.
fn byte_letters() -> HashMap<char, u8> {
    let prints = |byte: u8| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    let mut next = 0x100_u32;
    let mut letters = HashMap::new();
    for byte in 0..=255_u8 {
        let letter = if prints(byte) {
            char::from(byte)
        } else {
            next += 1;
            char::from_u32(next - 1).unwrap_or('\u{fffd}')
        };
        letters.insert(letter, byte);
    }
    letters
}
