//! `Value`: the metadata of a GGUF file, typed, with strings and arrays left where they lie in the file.

use std::ops::Range;

use super::cursor::{Cursor, Fault};

/// Arrays of arrays are allowed by the format and used by nobody; three deep is generous.
const DEEPEST_NESTING: usize = 3;

/// The value types of GGUF, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    Str,
    Array,
    U64,
    I64,
    F64,
}

impl Kind {
    const ALL: [Self; 13] = [
        Self::U8,
        Self::I8,
        Self::U16,
        Self::I16,
        Self::U32,
        Self::I32,
        Self::F32,
        Self::Bool,
        Self::Str,
        Self::Array,
        Self::U64,
        Self::I64,
        Self::F64,
    ];

    fn read(cursor: &mut Cursor<'_>, what: &str) -> Result<Self, Fault> {
        let number = cursor.u32(what)?;
        usize::try_from(number)
            .ok()
            .and_then(|at| Self::ALL.get(at).copied())
            .ok_or_else(|| format!("{what} has the unknown value type {number}"))
    }

    /// Bytes of one value, none for strings and arrays.
    fn size(self) -> Option<usize> {
        match self {
            Self::U8 | Self::I8 | Self::Bool => Some(1),
            Self::U16 | Self::I16 => Some(2),
            Self::U32 | Self::I32 | Self::F32 => Some(4),
            Self::U64 | Self::I64 | Self::F64 => Some(8),
            Self::Str | Self::Array => None,
        }
    }

    /// The fewest bytes that one element of an array can take.
    fn least_size(self) -> usize {
        match self {
            Self::Str => 8,
            Self::Array => 12,
            _ => self.size().unwrap_or(1),
        }
    }
}

/// Where a value lies and how to read it. For an array `range` spans its elements.
#[derive(Debug, Clone)]
pub struct Value {
    kind: Kind,
    /// Of an array: the type and number of its elements.
    elements: Option<(Kind, usize)>,
    range: Range<usize>,
}

impl Value {
    /// Reads a type and a value of it, checking every length inside.
    pub(super) fn read(cursor: &mut Cursor<'_>, key: &str) -> Result<Self, Fault> {
        let what = format!("the value of {}", super::header::shown(key));
        let kind = Kind::read(cursor, &what)?;
        match (kind, kind.size()) {
            (_, Some(size)) => Ok(Self { kind, elements: None, range: cursor.skip(size, &what)? }),
            (Kind::Str, _) => Ok(Self { kind, elements: None, range: cursor.string(&what)? }),
            _ => {
                let (element, count, range) = read_array(cursor, &what, 1)?;
                Ok(Self { kind, elements: Some((element, count)), range })
            }
        }
    }
}

fn read_array(
    cursor: &mut Cursor<'_>,
    what: &str,
    depth: usize,
) -> Result<(Kind, usize, Range<usize>), Fault> {
    if depth > DEEPEST_NESTING {
        return Err(format!("{what} nests arrays deeper than {DEEPEST_NESTING}"));
    }
    let kind = Kind::read(cursor, what)?;
    let count = cursor.count(kind.least_size(), what)?;
    let start = cursor.at();
    match kind.size() {
        // `count` has just bounded this product by the length of the file.
        Some(size) => {
            cursor.skip(count * size, what)?;
        }
        None => {
            for _ in 0..count {
                if kind == Kind::Str {
                    cursor.string(what)?;
                } else {
                    read_array(cursor, what, depth + 1)?;
                }
            }
        }
    }
    Ok((kind, count, start..cursor.at()))
}

/// Types that metadata can be read as. Implemented for the integers, `f32`, `bool`, `&str` and vectors of
/// `&str`, `i32`, `u32` and `f32`.
pub trait FromValue<'f>: Sized {
    /// # Errors
    /// Says what the value is instead, as the end of a sentence that starts with its key.
    fn from_value(value: &Value, file: &'f [u8]) -> Result<Self, String>;
}

fn is_not(expected: &str) -> String {
    format!("is not {expected}")
}

/// The bytes of a scalar as a little-endian word. Of a longer value, which is none, the first eight.
fn word(bytes: &[u8]) -> [u8; 8] {
    let mut word = [0; 8];
    for (byte, read) in word.iter_mut().zip(bytes) {
        *byte = *read;
    }
    word
}

/// Any integer of the format; i128 holds both u64 and i64.
fn integer(kind: Kind, bytes: &[u8]) -> Option<i128> {
    let raw = u64::from_le_bytes(word(bytes));
    let signed = |bits: u32| i128::from((raw << (64 - bits)).cast_signed() >> (64 - bits));
    Some(match kind {
        Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 => i128::from(raw),
        Kind::I8 => signed(8),
        Kind::I16 => signed(16),
        Kind::I32 => signed(32),
        Kind::I64 => signed(64),
        _ => return None,
    })
}

#[expect(clippy::cast_possible_truncation, reason = "metadata in f64 is read at f32's precision")]
fn float(kind: Kind, bytes: &[u8]) -> Option<f32> {
    let raw = word(bytes);
    match kind {
        Kind::F32 => Some(f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]])),
        Kind::F64 => Some(f64::from_le_bytes(raw) as f32),
        _ => None,
    }
}

macro_rules! from_integer {
    ($($integer:ty)*) => {$(
        impl<'f> FromValue<'f> for $integer {
            fn from_value(value: &Value, file: &'f [u8]) -> Result<Self, String> {
                integer(value.kind, &file[value.range.clone()])
                    .and_then(|number| Self::try_from(number).ok())
                    .ok_or_else(|| is_not("an integer of the right size"))
            }
        }
    )*};
}
from_integer!(u32 i32 u64 i64 usize);

impl<'f> FromValue<'f> for f32 {
    fn from_value(value: &Value, file: &'f [u8]) -> Result<Self, String> {
        float(value.kind, &file[value.range.clone()]).ok_or_else(|| is_not("a float"))
    }
}

impl<'f> FromValue<'f> for bool {
    fn from_value(value: &Value, file: &'f [u8]) -> Result<Self, String> {
        match (value.kind, &file[value.range.clone()]) {
            (Kind::Bool, [0]) => Ok(false),
            (Kind::Bool, [1]) => Ok(true),
            _ => Err(is_not("true or false")),
        }
    }
}

impl<'f> FromValue<'f> for &'f str {
    fn from_value(value: &Value, file: &'f [u8]) -> Result<Self, String> {
        if value.kind != Kind::Str {
            return Err(is_not("a string"));
        }
        std::str::from_utf8(&file[value.range.clone()]).map_err(|_| is_not("UTF-8"))
    }
}

impl<'f> FromValue<'f> for Vec<&'f str> {
    fn from_value(value: &Value, file: &'f [u8]) -> Result<Self, String> {
        let Some((Kind::Str, count)) = value.elements else {
            return Err(is_not("an array of strings"));
        };
        // The array was walked when the file was opened, so `count` strings are there.
        let mut strings = Vec::with_capacity(count);
        let mut cursor = Cursor::new(&file[value.range.clone()]);
        for _ in 0..count {
            let range = cursor.string("an array")?;
            let (start, end) = (value.range.start + range.start, value.range.start + range.end);
            strings.push(std::str::from_utf8(&file[start..end]).map_err(|_| is_not("UTF-8"))?);
        }
        Ok(strings)
    }
}

/// The elements of an array of scalars, each read by `read`.
fn scalars<T>(
    value: &Value,
    file: &[u8],
    expected: &str,
    read: impl Fn(Kind, &[u8]) -> Option<T>,
) -> Result<Vec<T>, String> {
    let wrong = || is_not(expected);
    let (kind, _) = value.elements.ok_or_else(wrong)?;
    let size = kind.size().ok_or_else(wrong)?;
    let elements = file[value.range.clone()].chunks_exact(size);
    elements.map(|bytes| read(kind, bytes)).collect::<Option<_>>().ok_or_else(wrong)
}

impl<'f> FromValue<'f> for Vec<i32> {
    fn from_value(value: &Value, file: &'f [u8]) -> Result<Self, String> {
        scalars(value, file, "an array of integers", |kind, bytes| {
            integer(kind, bytes).and_then(|number| i32::try_from(number).ok())
        })
    }
}

impl<'f> FromValue<'f> for Vec<u32> {
    fn from_value(value: &Value, file: &'f [u8]) -> Result<Self, String> {
        scalars(value, file, "an array of integers, none negative", |kind, bytes| {
            integer(kind, bytes).and_then(|number| u32::try_from(number).ok())
        })
    }
}

impl<'f> FromValue<'f> for Vec<f32> {
    fn from_value(value: &Value, file: &'f [u8]) -> Result<Self, String> {
        scalars(value, file, "an array of floats", float)
    }
}
