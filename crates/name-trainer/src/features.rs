//! What the head learns from: for each sentence the encoder's states, kept in half precision, and the tag of
//! each token.

use std::path::Path;

use anyhow::Result;
use half::f16;
use nearside_inference::encoder::{EncodedText, Encoder, EncoderTokenizer, batches};
use nearside_inference::names::{FEATURE_LAYERS, Tag};

use crate::sentence::{Labelled, Sentence};

/// A sentence as the head sees it, control tokens included.
pub(crate) struct Example {
    /// `[token][features]`.
    pub(crate) features: Vec<f16>,
    pub(crate) tags: Vec<Tag>,
    /// Code points of each token.
    pub(crate) places: Vec<(u32, u32)>,
    pub(crate) names: Vec<Labelled>,
}

/// The examples of sentences. With a file named, states that were computed before are read from it, or
/// written to it: they take much longer than the learning.
pub(crate) fn examples(
    encoder: &Encoder,
    tokenizer: &EncoderTokenizer,
    sentences: &[Sentence],
    kept: Option<&Path>,
) -> Result<Vec<Example>> {
    let longest = encoder.settings().longest;
    let encoded: Vec<EncodedText> =
        sentences.iter().map(|sentence| tokenizer.encode(&sentence.text, longest)).collect();
    let tokens: usize = encoded.iter().map(|text| text.ids.len()).sum();
    let columns = FEATURE_LAYERS.len() * encoder.settings().width;
    let before = kept.and_then(|file| std::fs::read(file).ok());
    let states: Vec<f16> = match before.filter(|bytes| bytes.len() == 2 * tokens * columns) {
        Some(bytes) => {
            bytes.chunks_exact(2).map(|two| f16::from_le_bytes([two[0], two[1]])).collect()
        }
        None => {
            let states = states(encoder, &encoded)?;
            if let Some(file) = kept {
                let bytes: Vec<u8> = states.iter().flat_map(|x| x.to_le_bytes()).collect();
                std::fs::write(file, bytes)?;
            }
            states
        }
    };
    let mut rest = &states[..];
    let mut all = Vec::with_capacity(sentences.len());
    for (text, sentence) in encoded.iter().zip(sentences) {
        let (features, after) = rest.split_at(text.ids.len() * columns);
        rest = after;
        all.push(Example {
            features: features.to_vec(),
            tags: tags(&text.places, &sentence.names),
            places: text.places.clone(),
            names: sentence.names.clone(),
        });
    }
    Ok(all)
}

fn states(encoder: &Encoder, encoded: &[EncodedText]) -> Result<Vec<f16>> {
    let mut all = Vec::new();
    for batch in batches(encoded, |text| text.ids.len()) {
        let ids: Vec<&[u32]> = batch.iter().map(|text| &*text.ids).collect();
        let states = encoder.features(&ids, &FEATURE_LAYERS)?;
        all.extend(states.into_iter().map(f16::from_f32));
    }
    Ok(all)
}

/// A token that shares a code point with a name is part of it.
fn tags(places: &[(u32, u32)], names: &[Labelled]) -> Vec<Tag> {
    let mut begun = vec![false; names.len()];
    places
        .iter()
        .map(|(start, end)| {
            let (start, end) = (*start as usize, *end as usize);
            // A space that is a token of its own stands for nothing; within a name it is part of it.
            let shares = |name: &Labelled| {
                if start < end {
                    start < name.end && name.start < end
                } else {
                    name.start < start && start < name.end
                }
            };
            let Some(at) = names.iter().position(shares) else { return Tag::Outside };
            let first = !std::mem::replace(&mut begun[at], true);
            if first { Tag::Begins(names[at].kind) } else { Tag::Inside(names[at].kind) }
        })
        .collect()
}
