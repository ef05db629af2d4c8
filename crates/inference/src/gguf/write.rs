//! `GgufWriter`: builds small GGUF files in memory, for tests, fuzzing and conversions of small models.
//!
//! It writes what it is told and checks nothing, so that tests can write files that are wrong. It is not
//! for models of gigabytes: everything is held in memory.

use nearside_kernels::GgmlType;

/// A GGUF file in the making. Keys and tensors keep the order in which they were added.
#[derive(Debug, Clone)]
pub struct GgufWriter {
    version: u32,
    alignment: usize,
    key_count: u64,
    keys: Vec<u8>,
    tensor_count: u64,
    table: Vec<u8>,
    data: Vec<u8>,
}

impl Default for GgufWriter {
    fn default() -> Self {
        Self::new(3)
    }
}

impl GgufWriter {
    /// A file of this GGUF version, with tensors aligned to 32 bytes.
    #[must_use]
    pub fn new(version: u32) -> Self {
        Self {
            version,
            alignment: 32,
            key_count: 0,
            keys: Vec::new(),
            tensor_count: 0,
            table: Vec::new(),
            data: Vec::new(),
        }
    }

    fn text(into: &mut Vec<u8>, text: &str) {
        into.extend((text.len() as u64).to_le_bytes());
        into.extend(text.as_bytes());
    }

    /// A key with the number of a value type and the bytes of a value, whatever they are.
    #[must_use]
    pub fn raw(mut self, key: &str, kind: u32, value: &[u8]) -> Self {
        Self::text(&mut self.keys, key);
        self.keys.extend(kind.to_le_bytes());
        self.keys.extend(value);
        self.key_count += 1;
        self
    }

    #[must_use]
    pub fn u32(self, key: &str, value: u32) -> Self {
        self.raw(key, 4, &value.to_le_bytes())
    }

    #[must_use]
    pub fn f32(self, key: &str, value: f32) -> Self {
        self.raw(key, 6, &value.to_le_bytes())
    }

    #[must_use]
    pub fn bool(self, key: &str, value: bool) -> Self {
        self.raw(key, 7, &[u8::from(value)])
    }

    #[must_use]
    pub fn str(self, key: &str, value: &str) -> Self {
        let mut bytes = Vec::new();
        Self::text(&mut bytes, value);
        self.raw(key, 8, &bytes)
    }

    #[must_use]
    pub fn strings<S: AsRef<str>>(self, key: &str, values: &[S]) -> Self {
        let mut bytes = array_head(8, values.len());
        for value in values {
            Self::text(&mut bytes, value.as_ref());
        }
        self.raw(key, 9, &bytes)
    }

    #[must_use]
    pub fn i32s(self, key: &str, values: &[i32]) -> Self {
        let mut bytes = array_head(5, values.len());
        values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        self.raw(key, 9, &bytes)
    }

    #[must_use]
    pub fn f32s(self, key: &str, values: &[f32]) -> Self {
        let mut bytes = array_head(6, values.len());
        values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        self.raw(key, 9, &bytes)
    }

    /// Aligns what follows differently, and says so in the file. Call it before the first tensor.
    #[must_use]
    pub fn alignment(mut self, alignment: u32) -> Self {
        self.alignment = alignment as usize;
        self.u32("general.alignment", alignment)
    }

    /// A tensor with the bytes of its blocks, placed after the ones before it.
    #[must_use]
    pub fn tensor(mut self, name: &str, dims: &[u64], ggml_type: GgmlType, bytes: &[u8]) -> Self {
        self.data.resize(self.data.len().next_multiple_of(self.alignment.max(1)), 0);
        let offset = self.data.len() as u64;
        self.data.extend(bytes);
        self.tensor_entry(name, dims, ggml_type.number(), offset)
    }

    /// Only the entry of a tensor, with an offset that may be wrong.
    #[must_use]
    pub fn tensor_entry(mut self, name: &str, dims: &[u64], type_number: u32, offset: u64) -> Self {
        Self::text(&mut self.table, name);
        self.table.extend((dims.len() as u32).to_le_bytes());
        dims.iter().for_each(|dim| self.table.extend(dim.to_le_bytes()));
        self.table.extend(type_number.to_le_bytes());
        self.table.extend(offset.to_le_bytes());
        self.tensor_count += 1;
        self
    }

    /// The file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut file = Vec::from(*b"GGUF");
        file.extend(self.version.to_le_bytes());
        file.extend(self.tensor_count.to_le_bytes());
        file.extend(self.key_count.to_le_bytes());
        file.extend(&self.keys);
        file.extend(&self.table);
        file.resize(file.len().next_multiple_of(self.alignment.max(1)), 0);
        file.extend(&self.data);
        file
    }
}

/// Element type and count of an array.
fn array_head(kind: u32, count: usize) -> Vec<u8> {
    let mut bytes = Vec::from(kind.to_le_bytes());
    bytes.extend((count as u64).to_le_bytes());
    bytes
}
