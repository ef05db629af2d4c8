//! What a driver delivers, in any format and with any number of channels, to one channel of f32.

use cpal::{Data, FromSample, I24, Sample, SampleFormat, SizedSample, U24};

/// The formats that can be read. One-bit streams (DSD) cannot; devices that have them have others too.
pub(super) fn readable(format: SampleFormat) -> bool {
    !matches!(format, SampleFormat::DsdU8 | SampleFormat::DsdU16 | SampleFormat::DsdU32)
}

/// Appends the mean of the channels.
pub(super) fn mix(data: &Data, channels: usize, into: &mut Vec<f32>) {
    match data.sample_format() {
        SampleFormat::I8 => mix_as::<i8>(data, channels, into),
        SampleFormat::I16 => mix_as::<i16>(data, channels, into),
        SampleFormat::I24 => mix_as::<I24>(data, channels, into),
        SampleFormat::I32 => mix_as::<i32>(data, channels, into),
        SampleFormat::I64 => mix_as::<i64>(data, channels, into),
        SampleFormat::U8 => mix_as::<u8>(data, channels, into),
        SampleFormat::U16 => mix_as::<u16>(data, channels, into),
        SampleFormat::U24 => mix_as::<U24>(data, channels, into),
        SampleFormat::U32 => mix_as::<u32>(data, channels, into),
        SampleFormat::U64 => mix_as::<u64>(data, channels, into),
        SampleFormat::F32 => mix_as::<f32>(data, channels, into),
        SampleFormat::F64 => mix_as::<f64>(data, channels, into),
        // Never opened: see `readable`.
        _ => {}
    }
}

fn mix_as<T: SizedSample>(data: &Data, channels: usize, into: &mut Vec<f32>)
where
    f32: FromSample<T>,
{
    let samples: &[T] = data.as_slice().unwrap_or_default();
    mix_slice(samples, channels, into);
}

fn mix_slice<T: SizedSample>(samples: &[T], channels: usize, into: &mut Vec<f32>)
where
    f32: FromSample<T>,
{
    let channels = channels.max(1);
    let share = 1.0 / channels as f32;
    into.extend(samples.chunks_exact(channels).map(|frame| {
        let sum: f32 = frame.iter().map(|&sample| f32::from_sample(sample)).sum();
        // A driver of floats may deliver anything.
        if sum.is_finite() { (sum * share).clamp(-1.0, 1.0) } else { 0.0 }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: SizedSample>(samples: &[T], channels: usize, expected: &[f32])
    where
        f32: FromSample<T>,
    {
        let mut mono = Vec::new();
        mix_slice(samples, channels, &mut mono);
        assert_eq!(mono.len(), expected.len());
        for (got, expected) in mono.iter().zip(expected) {
            assert!((got - expected).abs() < 1e-2, "{got} is not {expected}");
        }
    }

    #[test]
    fn every_format_means_the_same() {
        let expected = [0.5, 0.0, -0.5, -1.0];
        check::<i8>(&[64, 0, -64, -128], 1, &expected);
        check::<u8>(&[192, 128, 64, 0], 1, &expected);
        check::<i16>(&[16384, 0, -16384, i16::MIN], 1, &expected);
        check::<u16>(&[49152, 32768, 16384, 0], 1, &expected);
        check::<i32>(&[1 << 30, 0, -(1 << 30), i32::MIN], 1, &expected);
        check::<u32>(&[3 << 30, 1 << 31, 1 << 30, 0], 1, &expected);
        check::<i64>(&[1 << 62, 0, -(1 << 62), i64::MIN], 1, &expected);
        check::<u64>(&[3 << 62, 1 << 63, 1 << 62, 0], 1, &expected);
        check::<f32>(&[0.5, 0.0, -0.5, -1.0], 1, &expected);
        check::<f64>(&[0.5, 0.0, -0.5, -1.0], 1, &expected);
        let i24 = |value| I24::new(value).unwrap();
        check(&[i24(1 << 22), i24(0), i24(-(1 << 22)), i24(-(1 << 23))], 1, &expected);
        let u24 = |value| U24::new(value).unwrap();
        check(&[u24(3 << 22), u24(1 << 23), u24(1 << 22), u24(0)], 1, &expected);
    }

    #[test]
    fn channels_are_averaged_and_what_is_no_number_is_silence() {
        check::<f32>(&[1.0, 0.0, 0.5, 0.5], 2, &[0.5, 0.5]);
        check::<f32>(&[1.0, 0.0, 0.5, 0.25], 3, &[0.5]);
        check::<f32>(&[f32::NAN, f32::INFINITY, 7.0, -7.0], 1, &[0.0, 0.0, 1.0, -1.0]);
        check::<f32>(&[0.25], 0, &[0.25]);
        check::<i16>(&[], 2, &[]);
    }
}
