//! `DecoderSettings`: the sizes and constants of a decoder, read from GGUF metadata and checked, so that
//! later code may rely on them. It reads no weights.

use nearside_kernels::{HeadShape, Pairing, RotarySettings};

use crate::gguf::GgufFile;
use crate::{Error, Result};

/// Decoder families that are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    /// Llama and what keeps to its tensors: SmolLM2, Mistral.
    Llama,
    /// Qwen 2 and 2.5: bias on query, key and value, rotation by halves.
    Qwen2,
}

/// Sizes and constants of a decoder.
#[derive(Debug, Clone, PartialEq)]
pub struct DecoderSettings {
    pub architecture: Architecture,
    pub layers: usize,
    /// Columns of the residual stream.
    pub width: usize,
    pub feed_forward: usize,
    pub heads: HeadShape,
    pub rotary: RotarySettings,
    pub norm_epsilon: f32,
    /// Positions that the model was trained for.
    pub context: usize,
}

/// Sizes beyond these are no model that a desktop runs, and their products might overflow.
const LARGEST: usize = 1 << 20;
const MOST_LAYERS: usize = 512;

impl DecoderSettings {
    /// # Errors
    /// `Unsupported` for another architecture, `Metadata` when sizes are missing or contradict each other.
    pub fn from_gguf(file: &GgufFile) -> Result<Self> {
        let name: &str = file.need("general.architecture")?;
        let architecture = match name {
            "llama" => Architecture::Llama,
            "qwen2" => Architecture::Qwen2,
            other => {
                let shown: String = other.chars().take(40).flat_map(char::escape_debug).collect();
                return Err(Error::Unsupported(format!(
                    "its architecture is {shown}, and this version runs llama and qwen2"
                )));
            }
        };
        let key = |suffix: &str| format!("{name}.{suffix}");
        let size = |suffix: &str, most: usize| -> Result<usize> {
            within(&key(suffix), file.need(&key(suffix))?, most)
        };
        let width = size("embedding_length", LARGEST)?;
        let heads = size("attention.head_count", LARGEST)?;
        let kv_heads = match file.get(&key("attention.head_count_kv"))? {
            Some(count) => within(&key("attention.head_count_kv"), count, heads)?,
            None => heads,
        };
        let head_size = match file.get(&key("attention.key_length"))? {
            Some(length) => within(&key("attention.key_length"), length, LARGEST)?,
            None => width / heads,
        };
        if !heads.is_multiple_of(kv_heads) || !head_size.is_multiple_of(8) || head_size == 0 {
            return Err(Error::Metadata(format!(
                "{heads} heads over {kv_heads} of {head_size} do not make an attention layer"
            )));
        }
        let value_length: Option<usize> = file.get(&key("attention.value_length"))?;
        if value_length.is_some_and(|length| length != head_size) {
            return Err(Error::Unsupported("keys and values have different sizes".to_owned()));
        }
        let epsilon: f32 = file.need(&key("attention.layer_norm_rms_epsilon"))?;
        if !(epsilon > 0.0 && epsilon < 1.0) {
            return Err(Error::Metadata("the norm's epsilon is not between 0 and 1".to_owned()));
        }
        Ok(Self {
            architecture,
            layers: size("block_count", MOST_LAYERS)?,
            width,
            feed_forward: size("feed_forward_length", LARGEST)?,
            heads: HeadShape { heads, kv_heads, head_size },
            rotary: rotary(file, architecture, head_size, key)?,
            norm_epsilon: epsilon,
            context: size("context_length", 1 << 30)?,
        })
    }
}

fn within(key: &str, value: usize, most: usize) -> Result<usize> {
    if (1..=most).contains(&value) {
        Ok(value)
    } else {
        Err(Error::Metadata(format!("{key} is {value}, where 1 to {most} are allowed")))
    }
}

fn rotary(
    file: &GgufFile,
    architecture: Architecture,
    head_size: usize,
    key: impl Fn(&str) -> String,
) -> Result<RotarySettings> {
    let dimensions = file.get(&key("rope.dimension_count"))?.unwrap_or(head_size);
    if dimensions == 0 || dimensions > head_size || !dimensions.is_multiple_of(2) {
        return Err(Error::Metadata(format!("{dimensions} of {head_size} elements cannot rotate")));
    }
    let base: f32 = file.get(&key("rope.freq_base"))?.unwrap_or(10_000.0);
    if !(base.is_finite() && base > 1.0) {
        return Err(Error::Metadata("the base of the rotation is not a number above 1".to_owned()));
    }
    let scaling: Option<&str> = file.get(&key("rope.scaling.type"))?;
    let factor: f32 = file.get(&key("rope.scaling.factor"))?.unwrap_or(1.0);
    let linear_scale = match scaling {
        None | Some("none") => 1.0,
        Some("linear") if factor.is_finite() && factor > 0.0 => factor,
        Some(_) => {
            let why = "its context is stretched in a way that this version does not know";
            return Err(Error::Unsupported(why.to_owned()));
        }
    };
    Ok(RotarySettings {
        pairing: match architecture {
            Architecture::Llama => Pairing::Neighbours,
            Architecture::Qwen2 => Pairing::Halves,
        },
        dimensions,
        base,
        divisors: Vec::new(),
        linear_scale,
    })
}
