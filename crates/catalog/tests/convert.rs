//! Conversions against golden values: hashes and files that a converter written in Python with numpy and
//! safetensors made from the same inputs, which are written here by formula.
#![expect(clippy::unwrap_used, reason = "helpers of tests: a panic is how a test fails")]

mod inputs;

use std::fs;
use std::io::Cursor;

use nearside_catalog::convert::ct2::Ct2;
use nearside_catalog::convert::e5::Container;
use nearside_catalog::convert::{ct2_to_ggml, e5_to_folder};
use nearside_catalog::{CatalogError, sha256_file};
use nearside_types::Cancel;
use proptest::prelude::{ProptestConfig, any, prop, proptest};
use tempfile::TempDir;

fn sha(path: &std::path::Path) -> String {
    sha256_file(path, &Cancel::new(), &mut |_| {}).unwrap().0
}

#[test]
fn whisper_equals_the_reference() {
    for (vocabulary, wide, input, output) in [
        (
            51865,
            false,
            "e13a07d776a64c19439a288ac17dbc1692244edd216d8045917ed814e14c2d42",
            "25103c5861e9f1b74532a0638b2d6b8ad5eb098f0819588132b7b38c6299f0cc",
        ),
        (
            51864,
            true,
            "405641ad396d1990d6902ef80b06d9bd0016a12ff0ffb0064a906dbf6ff5648f",
            "f15e3800f14a1f6be1cf807e2c4b1b5e700ae95e6910fdd5f62a8e9d9fa01ea0",
        ),
    ] {
        let folder = TempDir::new().unwrap();
        let [model, tokenizer, ggml] = ["m", "t", "g"].map(|name| folder.path().join(name));
        fs::write(&model, inputs::ct2(vocabulary, wide)).unwrap();
        fs::write(&tokenizer, inputs::WHISPER_TOKENIZER).unwrap();
        assert_eq!(sha(&model), input, "the input is another than the reference had");
        ct2_to_ggml(&model, &tokenizer, &ggml, &Cancel::new()).unwrap();
        assert_eq!(sha(&ggml), output);
    }
}

#[test]
fn e5_equals_the_reference() {
    let folder = TempDir::new().unwrap();
    let container = folder.path().join("e5.bin");
    fs::write(&container, inputs::e5()).unwrap();
    assert_eq!(
        sha(&container),
        "62db4c5462011e35a7f72e7ddd3325eed5c830a7ace018067dd1c931a6ff64a3",
        "the input is another than the reference had"
    );
    e5_to_folder(&container, folder.path(), &Cancel::new()).unwrap();
    let weights = folder.path().join("model.safetensors");
    assert_eq!(sha(&weights), "92de2cfd0cc293ec93171c5861bfdddb4353db82149e50d8ce0e1da1c68257c7");
    let bytes = fs::read(&weights).unwrap();
    let tensors = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(tensors.len(), 21);
    for (name, golden) in [
        ("tokenizer.json", &include_bytes!("fixtures/e5-tokenizer.json")[..]),
        ("config.json", &include_bytes!("fixtures/e5-config.json")[..]),
    ] {
        let ours: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.path().join(name)).unwrap()).unwrap();
        let theirs: serde_json::Value = serde_json::from_slice(golden).unwrap();
        assert_eq!(ours, theirs, "{name}");
    }
}

#[test]
fn a_cancel_ends_a_conversion() {
    let folder = TempDir::new().unwrap();
    let container = folder.path().join("e5.bin");
    fs::write(&container, inputs::e5()).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let done = e5_to_folder(&container, folder.path(), &cancel);
    assert!(matches!(done, Err(CatalogError::Cancelled)));
}

#[test]
fn another_model_is_refused_with_a_sentence() {
    let mut bytes = inputs::ct2(51864, true);
    // The specification's name begins after version and length.
    bytes[6] = b'X';
    let folder = TempDir::new().unwrap();
    let [model, tokenizer, ggml] = ["m", "t", "g"].map(|name| folder.path().join(name));
    fs::write(&model, bytes).unwrap();
    fs::write(&tokenizer, inputs::WHISPER_TOKENIZER).unwrap();
    let error = ct2_to_ggml(&model, &tokenizer, &ggml, &Cancel::new()).unwrap_err().to_string();
    assert!(error.contains("not a Whisper"), "{error}");
}

/// Reads everything that a reader would give out of these bytes.
fn read_all(bytes: &[u8]) {
    if let Ok(mut model) = Ct2::open(Cursor::new(bytes), bytes.len() as u64) {
        let names: Vec<String> = model.names().map(str::to_owned).collect();
        for name in names {
            let _integer = model.integer(&name);
            if let Ok(variable) = model.variable(&name).cloned() {
                let _floats = model.floats(&variable, 0, variable.shape.iter().product(), true);
                let _outside = model.floats(&variable, u64::MAX, 2, false);
            }
        }
    }
    let _container = Container::open(Cursor::new(bytes), bytes.len() as u64);
}

#[test]
fn every_cut_file_is_an_error() {
    let small = inputs::e5();
    for length in 0..small.len().min(1200) {
        read_all(&small[..length]);
        assert!(
            length >= 1100
                || Container::open(Cursor::new(&small[..length]), length as u64).is_err(),
            "{length}"
        );
    }
    let big = inputs::ct2(51864, true);
    for length in (0..big.len()).step_by(9973) {
        assert!(Ct2::open(Cursor::new(&big[..length]), length as u64).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        read_all(&bytes);
    }

    #[test]
    fn changed_bytes_never_panic(changes in prop::collection::vec((0..9311_usize, any::<u8>()), 1..8)) {
        let mut bytes = inputs::e5();
        for (place, byte) in changes {
            bytes[place] = byte;
        }
        read_all(&bytes);
        let folder = TempDir::new().unwrap();
        let container = folder.path().join("e5.bin");
        fs::write(&container, bytes).unwrap();
        let _done = e5_to_folder(&container, folder.path(), &Cancel::new());
    }

    #[test]
    fn changed_indexes_never_panic(changes in prop::collection::vec((0..200_usize, any::<u8>()), 1..4)) {
        let mut bytes = inputs::ct2(16, false);
        for (place, byte) in changes {
            bytes[place] = byte;
        }
        read_all(&bytes);
    }
}
