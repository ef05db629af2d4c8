//! Sound files as they come: every rate and width gives the same tone, and what is no sound gives a sentence.

use nearside_speech::{Error, SAMPLE_RATE, SoundFile, Source};
use nearside_types::Cancel;

/// A 440 Hz tone at half loudness as RIFF, for a second.
fn tone(rate: u32, channels: u16, bits: u16) -> Vec<u8> {
    let mut data = Vec::new();
    for at in 0..rate {
        let value = (std::f64::consts::TAU * 440.0 * f64::from(at) / f64::from(rate)).sin() * 0.5;
        for _ in 0..channels {
            match bits {
                8 => data.push((value * 127.0 + 128.0) as u8),
                16 => data.extend(((value * 32767.0) as i16).to_le_bytes()),
                24 => data.extend(&((value * 8_388_607.0) as i32).to_le_bytes()[..3]),
                _ => data.extend((value as f32).to_le_bytes()),
            }
        }
    }
    let frame = channels * bits / 8;
    let mut out = b"RIFF".to_vec();
    out.extend((36 + data.len() as u32).to_le_bytes());
    out.extend(b"WAVEfmt \x10\0\0\0");
    out.extend(if bits == 32 { 3_u16 } else { 1 }.to_le_bytes());
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

fn read(bytes: Vec<u8>) -> Result<(Vec<f32>, bool), Error> {
    let (mut file, mut samples) = (SoundFile::from_bytes(bytes)?, Vec::new());
    while file.read(&mut samples, &Cancel::new())? {}
    Ok((samples, file.damaged()))
}

#[test]
fn every_rate_and_width_gives_the_same_tone() {
    for (rate, channels, bits) in [
        (16_000, 1, 16),
        (8_000, 1, 16),
        (11_025, 1, 8),
        (22_050, 2, 16),
        (44_100, 2, 24),
        (48_000, 6, 16),
        (96_000, 1, 32),
        (192_000, 2, 16),
    ] {
        let (samples, damaged) = read(tone(rate, channels, bits)).unwrap();
        let what = format!("{rate} Hz, {channels} channels, {bits} bits");
        assert!(!damaged, "{what}");
        assert!(samples.len().abs_diff(SAMPLE_RATE as usize) <= 1, "{what}: {}", samples.len());
        // The middle, away from the filter's edges, is the tone at its own time.
        for (at, sample) in samples.iter().enumerate().take(14_000).skip(2_000) {
            let right = (std::f64::consts::TAU * 440.0 * at as f64 / 16_000.0).sin() * 0.5;
            assert!((f64::from(*sample) - right).abs() < 0.02, "{what}: sample {at}");
        }
    }
}

#[test]
fn what_is_no_sound_gives_a_sentence() {
    let cut = tone(16_000, 1, 16)[..30].to_vec();
    for (bytes, expected) in [
        (Vec::new(), Error::NotSound),
        (b"plain text, and more of it".repeat(50), Error::NotSound),
        (b"%PDF-1.7 ...".to_vec(), Error::NotSound),
        (cut, Error::NotSound),
        (tone(3_000, 1, 16), Error::Rate(3_000)),
    ] {
        assert_eq!(read(bytes).unwrap_err(), expected);
    }
    assert_eq!(SoundFile::open("no/such/file".as_ref()).err(), Some(Error::NotFound));
}

#[test]
fn a_file_that_is_cut_off_gives_what_is_there() {
    let mut bytes = tone(16_000, 1, 16);
    bytes.truncate(44 + 16_000);
    let (samples, _) = read(bytes).unwrap();
    assert!((6_000..=8_000).contains(&samples.len()), "{}", samples.len());
}

#[test]
fn reading_stops_when_told_to() {
    let mut file = SoundFile::from_bytes(tone(16_000, 1, 16)).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(file.read(&mut Vec::new(), &cancel), Err(Error::Cancelled));
}
