//! CTranslate2 Whisper → the ggml file of whisper.cpp, weight by weight: at most one weight is in memory.
//!
//! The ggml file: magic and eleven i32 (vocabulary, audio context, width, heads, layers, text context,
//! width, heads, layers, mels, type 1 for f16); the mel filters; the vocabulary; then tensors, each with
//! rank, length of name, type (0 f32, 1 f16), dimensions from the quickest, name, data. Weights are f16;
//! vectors and the two tables of positions are f32.

use std::io::{Read, Seek, Write};
use std::path::Path;

use nearside_types::Cancel;

use super::ct2::Ct2;
use super::{create, mel, open, whisper_vocabulary};
use crate::CatalogError;

const WHAT: &str = "CTranslate2 model";
const MAGIC: u32 = 0x6767_6d6c;
const AUDIO_CONTEXT: u64 = 1500;
const MAX_TOKENIZER: u64 = 64 << 20;

/// Converts `model` (CTranslate2's model.bin, f16 or f32) and `tokenizer` (tokenizer.json) to `output`.
///
/// # Errors
/// `Format` when the model is not a Whisper or is quantised; `DiskFull`; `Cancelled`, looked at before
/// each weight.
pub fn ct2_to_ggml(
    model: &Path,
    tokenizer: &Path,
    output: &Path,
    cancel: &Cancel,
) -> Result<(), CatalogError> {
    let (reader, length) = open(model)?;
    let mut ct2 = Ct2::open(reader, length)?;
    let (mut reader, length) = open(tokenizer)?;
    if length > MAX_TOKENIZER {
        return Err(CatalogError::format("Whisper tokenizer", format!("it has {length} bytes")));
    }
    let mut json = Vec::new();
    reader.read_to_end(&mut json).map_err(|error| CatalogError::io("Reading", tokenizer, error))?;
    create(output, |out| {
        write_ggml(&mut ct2, &json, out, cancel, &|error| {
            CatalogError::io("Writing", output, error)
        })
    })
}

/// The sizes that the file begins with.
struct Shape {
    vocabulary: u64,
    width: u64,
    heads: u64,
    audio_layers: u64,
    text_context: u64,
    text_layers: u64,
    mels: u64,
}

impl Shape {
    fn read<R: Read + Seek>(ct2: &mut Ct2<R>) -> Result<Self, CatalogError> {
        if ct2.specification != "WhisperSpec" {
            let reason = format!("it is a {}, not a Whisper", ct2.specification);
            return Err(CatalogError::format(WHAT, reason));
        }
        let dimension = |ct2: &Ct2<R>, name: &str, index: usize| {
            let found = ct2.variable(name)?.shape.get(index).copied();
            found
                .ok_or_else(|| CatalogError::format(WHAT, format!("{name} has too few dimensions")))
        };
        let heads = ct2.integer("encoder/num_heads")?;
        Ok(Self {
            vocabulary: dimension(ct2, "decoder/embeddings/weight", 0)?,
            width: dimension(ct2, "decoder/embeddings/weight", 1)?,
            heads: u64::try_from(heads)
                .map_err(|_| CatalogError::format(WHAT, format!("it has {heads} heads")))?,
            audio_layers: layers(ct2, "encoder/layer_"),
            text_context: dimension(ct2, "decoder/position_encodings/encodings", 0)?,
            text_layers: layers(ct2, "decoder/layer_"),
            mels: dimension(ct2, "encoder/conv1/weight", 1)?,
        })
    }
}

fn layers<R: Read + Seek>(ct2: &Ct2<R>, prefix: &str) -> u64 {
    ct2.names()
        .filter_map(|name| name.strip_prefix(prefix)?.split('/').next()?.parse::<u64>().ok())
        .filter(|index| *index < 1000)
        .max()
        .map_or(0, |last| last + 1)
}

fn write_ggml<R: Read + Seek>(
    ct2: &mut Ct2<R>,
    tokenizer: &[u8],
    out: &mut dyn Write,
    cancel: &Cancel,
    failed: &dyn Fn(std::io::Error) -> CatalogError,
) -> Result<(), CatalogError> {
    let shape = Shape::read(ct2)?;
    let mut head = Vec::new();
    head.extend_from_slice(&MAGIC.to_le_bytes());
    for number in [
        shape.vocabulary,
        AUDIO_CONTEXT,
        shape.width,
        shape.heads,
        shape.audio_layers,
        shape.text_context,
        shape.width,
        shape.heads,
        shape.text_layers,
        shape.mels,
        1,
    ] {
        head.extend_from_slice(&number_bytes(number)?);
    }
    if shape.mels > 1024 {
        return Err(CatalogError::format(WHAT, format!("it has {} mel bands", shape.mels)));
    }
    head.extend_from_slice(&number_bytes(shape.mels)?);
    head.extend_from_slice(&number_bytes(mel::BINS as u64)?);
    let filters = mel::filters(usize::try_from(shape.mels).unwrap_or_default());
    head.extend(filters.iter().flat_map(|weight| weight.to_le_bytes()));
    // The multilingual vocabulary has one text token more than the English one.
    let text_tokens = if shape.vocabulary >= 51865 { 50257 } else { 50256 };
    head.extend_from_slice(&number_bytes(text_tokens as u64)?);
    for token in whisper_vocabulary::tokens(tokenizer, text_tokens)? {
        head.extend_from_slice(&number_bytes(token.len() as u64)?);
        head.extend_from_slice(&token);
    }
    out.write_all(&head).map_err(failed)?;
    let mut writer = Writer { ct2, out, cancel, failed, width: shape.width };
    writer.all(&shape)
}

fn number_bytes(number: u64) -> Result<[u8; 4], CatalogError> {
    i32::try_from(number)
        .map(i32::to_le_bytes)
        .map_err(|_| CatalogError::format(WHAT, format!("the number {number} is too big")))
}

/// Writes tensors in the order in which the reference converter names them.
struct Writer<'a, R> {
    ct2: &'a mut Ct2<R>,
    out: &'a mut dyn Write,
    cancel: &'a Cancel,
    failed: &'a dyn Fn(std::io::Error) -> CatalogError,
    width: u64,
}

impl<R: Read + Seek> Writer<'_, R> {
    fn all(&mut self, shape: &Shape) -> Result<(), CatalogError> {
        self.table("encoder.positional_embedding", "encoder/position_encodings/encodings")?;
        for conv in ["conv1", "conv2"] {
            self.whole(&format!("encoder.{conv}.weight"), &format!("encoder/{conv}/weight"))?;
            let name = format!("encoder/{conv}/bias");
            let count = self.count(&name)?;
            // A bias of a convolution is a column there.
            self.write(&format!("encoder.{conv}.bias"), &name, 0, &[count, 1], true)?;
        }
        self.norm("encoder.ln_post", "encoder/layer_norm")?;
        self.table("decoder.positional_embedding", "decoder/position_encodings/encodings")?;
        self.whole("decoder.token_embedding.weight", "decoder/embeddings/weight")?;
        self.norm("decoder.ln", "decoder/layer_norm")?;
        for index in 0..shape.audio_layers {
            self.block("encoder", index)?;
        }
        for index in 0..shape.text_layers {
            self.block("decoder", index)?;
        }
        Ok(())
    }

    fn block(&mut self, side: &str, index: u64) -> Result<(), CatalogError> {
        let from = format!("{side}/layer_{index}");
        let to = format!("{side}.blocks.{index}");
        // Query, key and value lie in one weight, in this order; a key has no bias.
        let joined = format!("{from}/self_attention/linear_0");
        self.part(&format!("{to}.attn.query"), &joined, 0, true)?;
        self.part(&format!("{to}.attn.key"), &joined, 1, false)?;
        self.part(&format!("{to}.attn.value"), &joined, 2, true)?;
        self.linear(&format!("{to}.attn.out"), &format!("{from}/self_attention/linear_1"))?;
        self.norm(&format!("{to}.attn_ln"), &format!("{from}/self_attention/layer_norm"))?;
        if side == "decoder" {
            self.linear(&format!("{to}.cross_attn.query"), &format!("{from}/attention/linear_0"))?;
            let joined = format!("{from}/attention/linear_1");
            self.part(&format!("{to}.cross_attn.key"), &joined, 0, false)?;
            self.part(&format!("{to}.cross_attn.value"), &joined, 1, true)?;
            self.linear(&format!("{to}.cross_attn.out"), &format!("{from}/attention/linear_2"))?;
            self.norm(&format!("{to}.cross_attn_ln"), &format!("{from}/attention/layer_norm"))?;
        }
        self.linear(&format!("{to}.mlp.0"), &format!("{from}/ffn/linear_0"))?;
        self.linear(&format!("{to}.mlp.2"), &format!("{from}/ffn/linear_1"))?;
        self.norm(&format!("{to}.mlp_ln"), &format!("{from}/ffn/layer_norm"))
    }

    fn linear(&mut self, to: &str, from: &str) -> Result<(), CatalogError> {
        self.whole(&format!("{to}.weight"), &format!("{from}/weight"))?;
        self.whole(&format!("{to}.bias"), &format!("{from}/bias"))
    }

    fn norm(&mut self, to: &str, from: &str) -> Result<(), CatalogError> {
        self.whole(&format!("{to}.weight"), &format!("{from}/gamma"))?;
        self.whole(&format!("{to}.bias"), &format!("{from}/beta"))
    }

    /// The `index`-th block of `width` rows of a joined weight.
    fn part(&mut self, to: &str, from: &str, index: u64, bias: bool) -> Result<(), CatalogError> {
        let (width, square) = (self.width, self.width.saturating_mul(self.width));
        let weight = format!("{from}/weight");
        let start = index.saturating_mul(square);
        // Only the block that runs to the end may be the last one: more rows would be lost silently.
        self.write(&format!("{to}.weight"), &weight, start, &[width, width], false)?;
        if bias {
            let start = index.saturating_mul(width);
            self.write(&format!("{to}.bias"), &format!("{from}/bias"), start, &[width], true)?;
        }
        Ok(())
    }

    fn table(&mut self, to: &str, from: &str) -> Result<(), CatalogError> {
        let shape = self.ct2.variable(from)?.shape.clone();
        self.write(to, from, 0, &shape, true)
    }

    fn whole(&mut self, to: &str, from: &str) -> Result<(), CatalogError> {
        let shape = self.ct2.variable(from)?.shape.clone();
        let wide = shape.len() < 2;
        self.write(to, from, 0, &shape, wide)
    }

    fn count(&self, from: &str) -> Result<u64, CatalogError> {
        Ok(self.ct2.variable(from)?.shape.iter().product())
    }

    fn write(
        &mut self,
        to: &str,
        from: &str,
        start: u64,
        shape: &[u64],
        wide: bool,
    ) -> Result<(), CatalogError> {
        if self.cancel.is_cancelled() {
            return Err(CatalogError::Cancelled);
        }
        let variable = self.ct2.variable(from)?.clone();
        let count = shape.iter().product();
        let data = self.ct2.floats(&variable, start, count, wide)?;
        let mut head = Vec::new();
        for number in [shape.len() as u64, to.len() as u64, u64::from(!wide)] {
            head.extend_from_slice(&number_bytes(number)?);
        }
        for dimension in shape.iter().rev() {
            head.extend_from_slice(&number_bytes(*dimension)?);
        }
        head.extend_from_slice(to.as_bytes());
        self.out.write_all(&head).and_then(|()| self.out.write_all(&data)).map_err(self.failed)
    }
}
