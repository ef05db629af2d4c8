//! `Header`: the metadata and tensor table of a GGUF file, every statement checked against the file's size.
//!
//! Time and memory are bounded by the size of the file and by the limits below, whatever the file claims.

use std::collections::HashMap;
use std::ops::Range;

use nearside_kernels::GgmlType;

use super::cursor::{Cursor, Fault};
use super::value::{FromValue, Value};

/// The biggest models have some thousands of tensors and some hundred keys.
const MOST_TENSORS: usize = 65_536;
const MOST_KEYS: usize = 65_536;
/// The format's own limit for keys.
const LONGEST_KEY: usize = 65_535;
/// ggml's limit is 64; room for a longer one does no harm.
const LONGEST_TENSOR_NAME: usize = 256;
const MOST_DIMENSIONS: usize = 4;
/// Where `general.alignment` is absent.
const DEFAULT_ALIGNMENT: usize = 32;
const BIGGEST_ALIGNMENT: usize = 65_536;

pub(super) struct Header {
    pub(super) version: u32,
    pub(super) metadata: HashMap<Box<str>, Value>,
    pub(super) tensors: Vec<TensorEntry>,
    pub(super) tensor_index: HashMap<Box<str>, usize>,
}

pub(super) struct TensorEntry {
    pub(super) name: Box<str>,
    pub(super) dims: Box<[usize]>,
    pub(super) ggml_type: GgmlType,
    /// In the file. While the table is being read: relative to the start of the data.
    pub(super) range: Range<usize>,
}

/// A name out of the file, fit for a message: escaped and not long.
pub(super) fn shown(name: &str) -> String {
    let short: String = name.chars().take(64).collect();
    format!("{short:?}")
}

impl Header {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let mut cursor = Cursor::new(bytes);
        let version = read_version(&mut cursor, bytes)?;
        // The smallest tensor entry: name of one byte, dimension count, one dimension, type, offset.
        let tensor_count =
            limited(cursor.count(33, "the number of tensors")?, MOST_TENSORS, "tensors")?;
        let key_count = limited(cursor.count(14, "the number of keys")?, MOST_KEYS, "keys")?;

        let mut metadata = HashMap::new();
        for _ in 0..key_count {
            let key = cursor.name(LONGEST_KEY, "a key")?;
            let value = Value::read(&mut cursor, key)?;
            if metadata.insert(key.into(), value).is_some() {
                return Err(format!("the key {} occurs twice", shown(key)));
            }
        }
        let alignment = read_alignment(&metadata, bytes)?;

        let mut tensors = Vec::new();
        let mut tensor_index = HashMap::new();
        for at in 0..tensor_count {
            let tensor = read_tensor(&mut cursor, alignment)?;
            if tensor_index.insert(tensor.name.clone(), at).is_some() {
                return Err(format!("the tensor {} occurs twice", shown(&tensor.name)));
            }
            tensors.push(tensor);
        }
        place(&mut tensors, cursor.at().next_multiple_of(alignment), bytes.len())?;
        Ok(Self { version, metadata, tensors, tensor_index })
    }
}

fn limited(count: usize, most: usize, what: &str) -> Result<usize, Fault> {
    if count > most {
        return Err(format!("it claims {count} {what}, where {most} are allowed"));
    }
    Ok(count)
}

fn read_version(cursor: &mut Cursor<'_>, bytes: &[u8]) -> Result<u32, Fault> {
    let magic = cursor.skip(4, "the magic number")?;
    if &bytes[magic] != b"GGUF" {
        return Err("it is not a GGUF file, its first four bytes are others".to_owned());
    }
    match cursor.u32("the version")? {
        version @ (2 | 3) => Ok(version),
        1 => Err("it is GGUF version 1, an early draft that is not read; \
                  versions 2 and 3 are, convert it with a current llama.cpp"
            .to_owned()),
        swapped if matches!(swapped.swap_bytes(), 1..=3) => {
            Err("it is a big-endian GGUF, for another kind of machine".to_owned())
        }
        newer => {
            Err(format!("it is GGUF version {newer}, and this version of Nearside reads 2 and 3"))
        }
    }
}

fn read_alignment(metadata: &HashMap<Box<str>, Value>, bytes: &[u8]) -> Result<usize, Fault> {
    let Some(value) = metadata.get("general.alignment") else { return Ok(DEFAULT_ALIGNMENT) };
    let alignment =
        usize::from_value(value, bytes).map_err(|why| format!("general.alignment {why}"))?;
    if !alignment.is_power_of_two() || !(8..=BIGGEST_ALIGNMENT).contains(&alignment) {
        return Err(format!(
            "general.alignment is {alignment}, where a power of two from 8 to {BIGGEST_ALIGNMENT} \
             is allowed"
        ));
    }
    Ok(alignment)
}

fn read_tensor(cursor: &mut Cursor<'_>, alignment: usize) -> Result<TensorEntry, Fault> {
    let name = cursor.name(LONGEST_TENSOR_NAME, "a tensor's name")?;
    let what = format!("the tensor {}", shown(name));
    let rank = cursor.u32(&what)? as usize;
    if !(1..=MOST_DIMENSIONS).contains(&rank) {
        return Err(format!("{what} has {rank} dimensions, where 1 to 4 are allowed"));
    }
    let mut dims = Vec::with_capacity(rank);
    for _ in 0..rank {
        let dim = cursor.u64(&what)?;
        match usize::try_from(dim) {
            Ok(fits) if fits > 0 => dims.push(fits),
            _ => return Err(format!("{what} has a dimension of {dim}")),
        }
    }
    let number = cursor.u32(&what)?;
    let ggml_type = GgmlType::from_number(number)
        .ok_or_else(|| format!("{what} is stored in format {number}, which cannot be read yet"))?;
    let offset = cursor.u64(&what)?;

    let too_big = || format!("{what} claims more bytes than the file has");
    let offset = usize::try_from(offset).map_err(|_| too_big())?;
    if !offset.is_multiple_of(alignment) {
        return Err(format!("{what} starts at {offset}, not at a multiple of {alignment}"));
    }
    if !dims[0].is_multiple_of(ggml_type.block_len()) {
        let (len, block, name) = (dims[0], ggml_type.block_len(), ggml_type.name());
        return Err(format!("{what} has rows of {len}, not whole {name} blocks of {block}"));
    }
    let mut len = (dims[0] / ggml_type.block_len()).checked_mul(ggml_type.block_bytes());
    for dim in &dims[1..] {
        len = len.and_then(|len| len.checked_mul(*dim));
    }
    let end = len.and_then(|len| offset.checked_add(len)).ok_or_else(too_big)?;
    Ok(TensorEntry { name: name.into(), dims: dims.into(), ggml_type, range: offset..end })
}

/// Moves the tensors' ranges to where the data starts, and checks that they lie inside the file and apart.
fn place(tensors: &mut [TensorEntry], data_start: usize, file_len: usize) -> Result<(), Fault> {
    for tensor in tensors.iter_mut() {
        let start = tensor.range.start.checked_add(data_start);
        let end = tensor.range.end.checked_add(data_start).filter(|end| *end <= file_len);
        let (Some(start), Some(end)) = (start, end) else {
            let name = shown(&tensor.name);
            return Err(format!("it ends inside the tensor {name}, the file is not complete"));
        };
        tensor.range = start..end;
    }
    let mut order: Vec<&TensorEntry> = tensors.iter().collect();
    order.sort_unstable_by_key(|tensor| tensor.range.start);
    for pair in order.windows(2) {
        if pair[1].range.start < pair[0].range.end {
            let (first, second) = (shown(&pair[0].name), shown(&pair[1].name));
            return Err(format!("the tensors {first} and {second} overlap"));
        }
    }
    Ok(())
}
