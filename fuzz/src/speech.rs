//! Sound files: any bytes are refused with a sentence or give samples that a recogniser can take.

use nearside_speech::{SoundFile, Source};
use nearside_types::Cancel;

pub(crate) fn sound(input: &[u8]) {
    let Ok(mut file) = SoundFile::from_bytes(input.to_vec()) else { return };
    let mut samples = Vec::new();
    // A header may promise hours of silence.
    while samples.len() < 16_000 * 600 {
        match file.read(&mut samples, &Cancel::new()) {
            Ok(true) => {}
            Ok(false) | Err(_) => break,
        }
    }
    assert!(samples.iter().all(|sample| (-2.0..=2.0).contains(sample)), "no sample at all");
}

pub(crate) fn recordings() -> Vec<Vec<u8>> {
    let mut all = vec![wave(16_000, 1, 16), wave(44_100, 2, 16), wave(8_000, 1, 8)];
    // A FLAC stream of one constant frame.
    let mut flac = b"fLaC\x80\x00\x00\x22\x10\x00\x10\x00\x00\x00\x00\x00\x00\x00".to_vec();
    flac.extend([0x0A, 0xC4, 0x42, 0xF0, 0, 0, 0x10, 0]);
    flac.extend([0; 16]);
    flac.extend([0xFF, 0xF8, 0x69, 0x18, 0, 0, 0xBF, 0, 0, 0, 0]);
    all.push(flac);
    // An MPEG-1 layer III frame at 128 kbit/s and 44.1 kHz, twice.
    let mut frame = vec![0xFF, 0xFB, 0x90, 0x00];
    frame.resize(417, 0);
    all.push([frame.clone(), frame].concat());
    all.push(b"OggS\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x01\x1E\x01vorbis\0\0\0\0\x01\x44\xAC\0\0\0\0\0\0\0\xEE\x02\0\0\0\0\0\xB8\x01".to_vec());
    all.push(
        b"\0\0\0\x20ftypM4A \0\0\0\0M4A mp42isom\0\0\0\0\0\0\0\x08mdat\0\0\0\x08moov".to_vec(),
    );
    all
}

/// A tenth of a second as RIFF.
fn wave(rate: u32, channels: u16, bits: u16) -> Vec<u8> {
    let frame = channels * bits / 8;
    let data: Vec<u8> = (0..rate / 10 * u32::from(frame)).map(|at| at as u8).collect();
    let mut out = b"RIFF".to_vec();
    out.extend((36 + data.len() as u32).to_le_bytes());
    out.extend(b"WAVEfmt ");
    out.extend(16_u32.to_le_bytes());
    out.extend(1_u16.to_le_bytes());
    out.extend(channels.to_le_bytes());
    out.extend(rate.to_le_bytes());
    out.extend((rate * u32::from(frame)).to_le_bytes());
    out.extend(frame.to_le_bytes());
    out.extend(bits.to_le_bytes());
    out.extend(b"data");
    out.extend((data.len() as u32).to_le_bytes());
    out.extend(data);
    out
}
