//! Samples as a WAV file: RIFF, 16 kHz, 16 bits, one channel. What is louder than the format holds is clipped.

use nearside_speech::SAMPLE_RATE;

#[expect(clippy::cast_possible_truncation, reason = "clamped to what 16 bits hold")]
pub(super) fn wav(samples: &[f32]) -> Vec<u8> {
    // An hour is 115 MB, far below what the format's 32 bits count.
    let bytes = u32::try_from(samples.len() * 2).unwrap_or(u32::MAX - 36);
    let mut file = Vec::with_capacity(samples.len() * 2 + 44);
    file.extend(b"RIFF");
    file.extend((bytes + 36).to_le_bytes());
    file.extend(b"WAVEfmt ");
    file.extend(16_u32.to_le_bytes());
    file.extend(1_u16.to_le_bytes()); // PCM
    file.extend(1_u16.to_le_bytes()); // channels
    file.extend(SAMPLE_RATE.to_le_bytes());
    file.extend((SAMPLE_RATE * 2).to_le_bytes());
    file.extend(2_u16.to_le_bytes());
    file.extend(16_u16.to_le_bytes());
    file.extend(b"data");
    file.extend(bytes.to_le_bytes());
    for sample in samples {
        let value = (sample * 32_767.0).round().clamp(-32_768.0, 32_767.0);
        file.extend((value as i16).to_le_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::wav;

    #[test]
    fn what_is_written_is_what_a_reader_hears() {
        let samples = [0.0, 0.5, -0.5, 2.0, -2.0];
        let mut sound = nearside_speech::SoundFile::from_bytes(wav(&samples.repeat(4000))).unwrap();
        let mut read = Vec::new();
        let cancel = nearside_types::Cancel::new();
        while nearside_speech::Source::read(&mut sound, &mut read, &cancel).unwrap() {}
        assert_eq!(read.len(), 20_000);
        for (read, wanted) in read.iter().zip([0.0, 0.5, -0.5, 1.0, -1.0]) {
            assert!((read - wanted).abs() < 1e-3, "{read} {wanted}");
        }
    }
}
