//! The index of a CTranslate2 `model.bin`: names, shapes, types and places of its variables. The data
//! stays in the file until it is asked for.
//!
//! Layout (little-endian): version u32, specification string, revision u32, number of variables u32; each
//! variable: name, rank u8, dimensions u32 each, type u8, bytes u32, data. Then aliases: number u32, each
//! two names. A string is a u16 and as many bytes.

use std::collections::HashMap;
use std::io::{Read, Seek};

use half::f16;

use super::bytes::Bounded;
use crate::CatalogError;

const WHAT: &str = "CTranslate2 model";
const MAX_VARIABLES: u32 = 100_000;

/// Types of CTranslate2 that weights have here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    F32,
    I8,
    I16,
    I32,
    F16,
}

impl Type {
    fn from_byte(byte: u8) -> Option<Self> {
        [Self::F32, Self::I8, Self::I16, Self::I32, Self::F16].get(usize::from(byte)).copied()
    }

    /// Bytes of one element.
    #[must_use]
    pub fn size(self) -> u64 {
        match self {
            Self::I8 => 1,
            Self::I16 | Self::F16 => 2,
            Self::F32 | Self::I32 => 4,
        }
    }
}

/// A variable: row-major, `shape` from the slowest dimension to the quickest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    pub shape: Vec<u64>,
    pub kind: Type,
    /// Of the first byte, from the beginning of the file.
    pub offset: u64,
    pub bytes: u64,
}

/// An opened model.
#[derive(Debug)]
pub struct Ct2<R> {
    reader: Bounded<R>,
    /// e.g. `WhisperSpec`.
    pub specification: String,
    variables: HashMap<String, Variable>,
    aliases: HashMap<String, String>,
}

impl<R: Read + Seek> Ct2<R> {
    /// Reads the index of a file of `length` bytes.
    ///
    /// # Errors
    /// `Format` when any length does not fit the file, or bytes are left over.
    pub fn open(reader: R, length: u64) -> Result<Self, CatalogError> {
        let mut reader = Bounded::new(reader, length, WHAT);
        let version = reader.u32()?;
        if !(2..=6).contains(&version) {
            return Err(reader.wrong(format!("its version is {version}, and 2 to 6 are known")));
        }
        let specification = reader.string()?;
        let _revision = reader.u32()?;
        let count = reader.u32()?;
        if count > MAX_VARIABLES {
            return Err(reader.wrong(format!("it claims {count} variables")));
        }
        let mut variables = HashMap::new();
        for _ in 0..count {
            let name = reader.string()?;
            let variable = read_variable(&mut reader, &name)?;
            reader.skip(variable.bytes)?;
            variables.insert(name, variable);
        }
        let mut aliases = HashMap::new();
        let count = reader.u32()?;
        if count > MAX_VARIABLES {
            return Err(reader.wrong(format!("it claims {count} aliases")));
        }
        for _ in 0..count {
            let alias = reader.string()?;
            aliases.insert(alias, reader.string()?);
        }
        if reader.position() != length {
            return Err(reader.wrong("bytes are left over at its end"));
        }
        Ok(Self { reader, specification, variables, aliases })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.keys().map(String::as_str)
    }

    /// # Errors
    /// `Format` when there is no such variable or alias of one.
    pub fn variable(&self, name: &str) -> Result<&Variable, CatalogError> {
        let target = self.aliases.get(name).map_or(name, String::as_str);
        self.variables
            .get(target)
            .ok_or_else(|| CatalogError::format(WHAT, format!("it has no {name}")))
    }

    /// A single whole number of any integer type.
    ///
    /// # Errors
    /// `Format` when it is not one.
    pub fn integer(&mut self, name: &str) -> Result<i64, CatalogError> {
        let variable = self.variable(name)?.clone();
        let bytes = self.raw(&variable, 0, variable.bytes)?;
        match (variable.kind, bytes.as_slice()) {
            (Type::I8, [a]) => Ok(i64::from(i8::from_le_bytes([*a]))),
            (Type::I16, [a, b]) => Ok(i64::from(i16::from_le_bytes([*a, *b]))),
            (Type::I32, [a, b, c, d]) => Ok(i64::from(i32::from_le_bytes([*a, *b, *c, *d]))),
            _ => Err(CatalogError::format(WHAT, format!("{name} is not one whole number"))),
        }
    }

    /// Elements `start..start + count` of a variable as bytes of f16 or f32, whichever `wide` asks for.
    ///
    /// # Errors
    /// `Format` when the range does not fit or the weights are quantised.
    pub fn floats(
        &mut self,
        variable: &Variable,
        start: u64,
        count: u64,
        wide: bool,
    ) -> Result<Vec<u8>, CatalogError> {
        let size = variable.kind.size();
        let raw = self.raw(variable, start.saturating_mul(size), count.saturating_mul(size))?;
        match (variable.kind, wide) {
            (Type::F16, false) | (Type::F32, true) => Ok(raw),
            (Type::F16, true) => Ok(raw
                .chunks_exact(2)
                .flat_map(|pair| half_of(pair).to_f32().to_le_bytes())
                .collect()),
            (Type::F32, false) => Ok(raw
                .chunks_exact(4)
                .flat_map(|four| f16::from_f32(single_of(four)).to_le_bytes())
                .collect()),
            _ => Err(CatalogError::format(
                WHAT,
                "its weights are quantised; take the f16 or f32 conversion",
            )),
        }
    }

    fn raw(&mut self, variable: &Variable, from: u64, count: u64) -> Result<Vec<u8>, CatalogError> {
        if from.checked_add(count).is_none_or(|end| end > variable.bytes) {
            return Err(self.reader.wrong("a part of a weight lies outside of it"));
        }
        self.reader.seek(variable.offset + from)?;
        self.reader.bytes(count)
    }
}

fn read_variable<R: Read + Seek>(
    reader: &mut Bounded<R>,
    name: &str,
) -> Result<Variable, CatalogError> {
    let rank = reader.u8()?;
    let mut shape = Vec::new();
    for _ in 0..rank {
        shape.push(u64::from(reader.u32()?));
    }
    let kind = reader.u8()?;
    let kind = Type::from_byte(kind)
        .ok_or_else(|| reader.wrong(format!("{name} has the unknown type {kind}")))?;
    let bytes = u64::from(reader.u32()?);
    let expected =
        shape.iter().try_fold(kind.size(), |size, dimension| size.checked_mul(*dimension));
    if expected != Some(bytes) {
        return Err(reader.wrong(format!("the size of {name} does not fit its shape")));
    }
    Ok(Variable { shape, kind, offset: reader.position(), bytes })
}

fn half_of(bytes: &[u8]) -> f16 {
    bytes.first_chunk().map_or(f16::ZERO, |pair| f16::from_le_bytes(*pair))
}

fn single_of(bytes: &[u8]) -> f32 {
    bytes.first_chunk().map_or(0.0, |four| f32::from_le_bytes(*four))
}
