//! Tests of the reader on files made by `GgufWriter`: what it reads, and what it refuses and how.

use nearside_kernels::GgmlType;
use proptest::prelude::*;

use super::GgufFile;
use super::write::GgufWriter;
use crate::Error;

/// Every value type, nested arrays and three tensors of 64, 68 and 2 × 18 bytes.
fn small() -> GgufWriter {
    let nested = [&9_u32.to_le_bytes()[..], &2_u64.to_le_bytes()]
        .into_iter()
        .chain([&4_u32.to_le_bytes()[..], &1_u64.to_le_bytes(), &7_u32.to_le_bytes()])
        .chain([&8_u32.to_le_bytes()[..], &1_u64.to_le_bytes(), &2_u64.to_le_bytes(), b"hi"])
        .collect::<Vec<_>>()
        .concat();
    GgufWriter::new(3)
        .str("general.architecture", "llama")
        .u32("llama.block_count", 30)
        .f32("llama.rope.freq_base", 10_000.5)
        .bool("yes", true)
        .bool("no", false)
        .raw("byte", 0, &[200])
        .raw("signed byte", 1, &[0xFE])
        .raw("short", 2, &[0x34, 0x12])
        .raw("signed short", 3, &[0xFF, 0xFF])
        .raw("long", 10, &(1_u64 << 40).to_le_bytes())
        .raw("signed long", 11, &(-5_i64).to_le_bytes())
        .raw("double", 12, &0.25_f64.to_le_bytes())
        .strings("words", &["one", "", "三"])
        .i32s("ints", &[1, -2, 3])
        .f32s("floats", &[0.5, -1.5])
        .raw("nested", 9, &nested)
        .tensor("a", &[4, 4], GgmlType::F32, &[1; 64])
        .tensor("b", &[64], GgmlType::Q8_0, &[2; 68])
        .tensor("c", &[32, 1, 2], GgmlType::Q4_0, &[3; 36])
}

#[test]
fn reads_what_was_written() {
    for version in [2, 3] {
        let mut bytes = small().bytes();
        bytes[4] = version;
        let file = GgufFile::from_bytes(&bytes).unwrap();
        assert_eq!(file.version(), u32::from(version));
        assert_eq!(file.need::<&str>("general.architecture").unwrap(), "llama");
        assert_eq!(file.need::<u32>("llama.block_count").unwrap(), 30);
        assert_eq!(file.need::<usize>("llama.block_count").unwrap(), 30);
        assert_eq!(file.need::<f32>("llama.rope.freq_base").unwrap(), 10_000.5);
        assert_eq!(file.get::<f32>("double").unwrap(), Some(0.25));
        assert_eq!(file.get::<bool>("yes").unwrap(), Some(true));
        assert_eq!(file.get::<bool>("no").unwrap(), Some(false));
        assert_eq!(file.get::<u32>("absent").unwrap(), None);
        assert_eq!(file.need::<i32>("byte").unwrap(), 200);
        assert_eq!(file.need::<i32>("signed byte").unwrap(), -2);
        assert_eq!(file.need::<u32>("short").unwrap(), 0x1234);
        assert_eq!(file.need::<i64>("signed short").unwrap(), -1);
        assert_eq!(file.need::<u64>("long").unwrap(), 1 << 40);
        assert_eq!(file.need::<i64>("signed long").unwrap(), -5);
        assert_eq!(file.need::<Vec<&str>>("words").unwrap(), ["one", "", "三"]);
        assert_eq!(file.need::<Vec<i32>>("ints").unwrap(), [1, -2, 3]);
        assert_eq!(file.need::<Vec<f32>>("floats").unwrap(), [0.5, -1.5]);
        assert!(file.has("nested") && file.keys().count() == 16);

        let names: Vec<_> = file.tensors().map(|tensor| tensor.name.to_owned()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        let c = file.tensor("c").unwrap();
        assert_eq!((c.dims, c.ggml_type), (&[32, 1, 2][..], GgmlType::Q4_0));
        assert_eq!(c.bytes, [3; 36]);
        assert_eq!(c.bytes.as_ptr() as usize % 32, 0);
        let shared = file.shared_bytes("b").unwrap();
        drop(file);
        assert_eq!(*shared, [2; 68]);
    }
}

#[test]
fn a_wrong_type_is_named_and_not_converted() {
    let file = GgufFile::from_bytes(&small().bytes()).unwrap();
    let check = |error: Result<(), Error>, words: &str| {
        let sentence = error.unwrap_err().to_string();
        assert!(sentence.contains(words), "{sentence}");
    };
    check(file.need::<u32>("words").map(drop), "words is not an integer");
    check(file.need::<u32>("signed byte").map(drop), "signed byte is not an integer");
    check(file.need::<u32>("long").map(drop), "long is not an integer of the right size");
    check(file.need::<f32>("byte").map(drop), "byte is not a float");
    check(file.need::<bool>("byte").map(drop), "byte is not true or false");
    check(file.need::<&str>("ints").map(drop), "ints is not a string");
    check(file.need::<Vec<&str>>("ints").map(drop), "ints is not an array of strings");
    check(file.need::<Vec<i32>>("words").map(drop), "words is not an array of integers");
    check(file.need::<Vec<i32>>("nested").map(drop), "nested is not an array of integers");
    check(file.need::<Vec<f32>>("ints").map(drop), "ints is not an array of floats");
    check(file.need::<u32>("absent").map(drop), "absent is missing");
}

#[test]
fn a_file_cut_anywhere_is_refused_with_a_sentence() {
    let whole = small().bytes();
    GgufFile::from_bytes(&whole).unwrap();
    for len in 0..whole.len() {
        let error = GgufFile::from_bytes(&whole[..len]).unwrap_err();
        assert!(matches!(error, Error::Gguf(_)), "{len}: {error}");
    }
}

/// A head with these counts and this rest.
fn head(version: u32, tensors: u64, keys: u64, rest: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::from(*b"GGUF");
    bytes.extend(version.to_le_bytes());
    bytes.extend(tensors.to_le_bytes());
    bytes.extend(keys.to_le_bytes());
    bytes.extend(rest);
    bytes
}

/// An array of arrays of arrays of … nothing.
fn nested(depth: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..depth {
        bytes.extend(9_u32.to_le_bytes());
        bytes.extend(1_u64.to_le_bytes());
    }
    bytes.extend(4_u32.to_le_bytes());
    bytes.extend(0_u64.to_le_bytes());
    bytes
}

#[test]
fn what_is_wrong_is_refused_by_name() {
    let tensor = |dims: &[u64], kind: u32, offset: u64| {
        let writer = GgufWriter::new(3).tensor("t", &[32], GgmlType::F32, &[0; 128]);
        writer.tensor_entry("wrong", dims, kind, offset).bytes()
    };
    let string_of = |len: u64| {
        let mut value = Vec::from(len.to_le_bytes());
        value.extend(b"abc");
        GgufWriter::new(3).raw("key", 8, &value).bytes()
    };
    let array_of = |kind: u32, count: u64| {
        let mut value = Vec::from(kind.to_le_bytes());
        value.extend(count.to_le_bytes());
        value.extend([0; 64]);
        GgufWriter::new(3).raw("key", 9, &value).bytes()
    };
    let deep = |depth| GgufWriter::new(3).raw("key", 9, &nested(depth)).bytes();
    GgufFile::from_bytes(&deep(2)).unwrap();

    for (bytes, words) in [
        (b"PK\x03\x04 and so on, for a while".to_vec(), "not a GGUF file"),
        (head(1, 0, 0, &[]), "version 1, an early draft"),
        (head(4, 0, 0, &[]), "version 4, and this version of Nearside reads 2 and 3"),
        (head(3_u32.swap_bytes(), 0, 0, &[]), "big-endian"),
        (head(3, u64::MAX, 0, &[0; 64]), "claims 18446744073709551615 for the number of tensors"),
        (head(3, 0, u64::MAX, &[0; 64]), "claims 18446744073709551615 for the number of keys"),
        (head(3, 0, 65_537, &vec![0; 1 << 20]), "claims 65537 keys, where 65536 are allowed"),
        (string_of(u64::MAX), "claims 18446744073709551615 for the value of \"key\""),
        (string_of(1 << 62), "more than the file can hold"),
        (array_of(4, u64::MAX / 4 + 1), "more than the file can hold"),
        (array_of(8, 1 << 40), "more than the file can hold"),
        (array_of(9, 1 << 40), "more than the file can hold"),
        (array_of(13, 1), "unknown value type 13"),
        (deep(3), "nests arrays deeper than 3"),
        (deep(1000), "nests arrays deeper than 3"),
        (GgufWriter::new(3).raw("key", 99, &[]).bytes(), "unknown value type 99"),
        (GgufWriter::new(3).u32("twice", 1).u32("twice", 1).bytes(), "key \"twice\" occurs twice"),
        (GgufWriter::new(3).u32("", 1).bytes(), "a key has 0 bytes"),
        (GgufWriter::new(3).u32(&"k".repeat(65_536), 1).bytes(), "a key has 65536 bytes"),
        (GgufWriter::new(3).alignment(0).bytes(), "alignment is 0"),
        (GgufWriter::new(3).alignment(24).bytes(), "alignment is 24"),
        (GgufWriter::new(3).alignment(4).bytes(), "alignment is 4"),
        (GgufWriter::new(3).alignment(1 << 20).bytes(), "alignment is 1048576"),
        (GgufWriter::new(3).str("general.alignment", "32").bytes(), "is not an integer"),
        (tensor(&[], 0, 128), "has 0 dimensions"),
        (tensor(&[1; 5], 0, 128), "has 5 dimensions"),
        (tensor(&[32, 0], 0, 128), "a dimension of 0"),
        (tensor(&[32], 4, 128), "stored in format 4"),
        (tensor(&[32], 0, 100), "not at a multiple of 32"),
        (tensor(&[33], 8, 128), "rows of 33, not whole Q8_0 blocks of 32"),
        (tensor(&[u64::MAX], 0, 128), "more bytes than the file has"),
        (tensor(&[1 << 32, 1 << 32], 0, 128), "more bytes than the file has"),
        (tensor(&[1 << 20], 0, 0), "file is not complete"),
        (tensor(&[32], 0, u64::MAX - 31), "more bytes than the file has"),
        (tensor(&[32], 0, 1 << 40), "file is not complete"),
        (tensor(&[16], 0, 64), "tensors \"t\" and \"wrong\" overlap"),
        (tensor(&[16], 0, 0), "overlap"),
        (
            GgufWriter::new(3).tensor_entry("t", &[1], 0, 0).tensor_entry("t", &[1], 0, 0).bytes(),
            "tensor \"t\" occurs twice",
        ),
    ] {
        let error = GgufFile::from_bytes(&bytes).expect_err(words).to_string();
        assert!(error.contains(words), "{words:?} is not in {error:?}");
    }
}

#[test]
fn alignment_of_the_file_is_used() {
    let writer = GgufWriter::new(3).alignment(256).tensor("a", &[1], GgmlType::F32, &[1; 4]);
    let file = writer.tensor("b", &[1], GgmlType::F32, &[2; 4]).bytes();
    let file = GgufFile::from_bytes(&file).unwrap();
    assert_eq!(file.tensor("b").unwrap().bytes, [2; 4]);
}

#[test]
fn a_file_on_disk_is_mapped_and_a_missing_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("模型 one.gguf");
    std::fs::write(&path, small().bytes()).unwrap();
    assert_eq!(GgufFile::open(&path).unwrap().tensor("b").unwrap().bytes, [2; 68]);
    std::fs::write(&path, []).unwrap();
    assert!(matches!(GgufFile::open(&path), Err(Error::Gguf(_))));
    let missing = GgufFile::open(folder.path().join("none.gguf")).unwrap_err();
    assert!(missing.to_string().contains("none.gguf"), "{missing}");
    let failure = nearside_types::Failure::from(missing);
    assert_eq!(failure.kind, nearside_types::FailureKind::NotFound);
    assert!(matches!(GgufFile::open(folder.path()), Err(Error::Open { .. })));
}

proptest! {
    #[test]
    fn changed_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = small().bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(file) = GgufFile::from_bytes(&bytes) {
            for tensor in file.tensors() {
                prop_assert!(tensor.bytes.len() <= bytes.len());
            }
        }
    }
}
