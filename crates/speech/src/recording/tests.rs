//! A recording comes back as it was, or as much of it as is whole.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use nearside_test_kit::FakeSeal;
use nearside_types::{Cancel, Failure, Seal};
use proptest::prelude::*;

use super::*;
use crate::decode::Source;
use crate::{Error, Result};

fn seal() -> Arc<dyn Seal> {
    Arc::new(FakeSeal)
}

fn write(path: &Path, samples: &[f32]) {
    let mut writer = RecordingWriter::create(path, "meeting", seal()).unwrap();
    for block in samples.chunks(777) {
        writer.push(block).unwrap();
    }
    writer.finish().unwrap();
}

fn read(path: &Path) -> Result<(Vec<f32>, bool, bool)> {
    let mut recording = Recording::open(path, "meeting", seal())?;
    let mut samples = Vec::new();
    while recording.read(&mut samples, &Cancel::new())? {}
    Ok((samples, recording.is_complete(), recording.damaged()))
}

/// The sample at a place: a voice-like sum, different everywhere, in 16 bits.
fn sample(place: usize) -> f32 {
    let t = place as f32 / 16_000.0;
    let sound = (t * 700.0).sin() * 0.3 + (t * 2_300.0 + t * t).sin() * 0.1;
    f32::from(codec::sixteen(sound)) / 32_768.0
}

fn sound(count: usize) -> Vec<f32> {
    (0..count).map(sample).collect()
}

#[test]
fn comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    for (n, count) in
        [0, 1, 255, 256, 257, 4_095, 15_999, 16_000, 16_001, 100_000].into_iter().enumerate()
    {
        let path = folder.path().join(n.to_string());
        write(&path, &sound(count));
        assert_eq!(read(&path).unwrap(), (sound(count), true, false), "{count}");
        let recording = Recording::open(&path, "meeting", seal()).unwrap();
        assert_eq!(recording.seconds(), Some(count as f64 / 16_000.0));
    }
}

#[test]
fn sound_is_compressed_whatever_its_length() {
    for count in [256, 4_095, 4_096, 4_097, 15_999, 16_000] {
        let record = codec::sound(&sound(count));
        assert!(record.len() < 100 + count * 6 / 5, "{count}: {}", record.len());
    }
}

#[test]
fn silence_costs_next_to_nothing_and_speech_less_than_its_samples() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("silence");
    let mut writer = RecordingWriter::create(&path, "meeting", seal()).unwrap();
    writer.push_silence(60 * 16_000 + 5).unwrap();
    assert_eq!(writer.finish().unwrap(), 60.0 + 5.0 / 16_000.0);
    assert!(path.metadata().unwrap().len() < 60 * 200);
    let path = folder.path().join("sound");
    write(&path, &sound(160_000));
    assert!(path.metadata().unwrap().len() < 320_000 * 6 / 10, "{:?}", path.metadata());
}

#[test]
fn cut_anywhere_it_reads_up_to_its_last_whole_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("whole");
    // Two records that are short, so that each byte can be tried.
    let mut samples = vec![0.0; 32_000];
    samples[20_000] = 0.5;
    samples.extend(sound(40));
    write(&path, &samples);
    let bytes = std::fs::read(&path).unwrap();
    let cut = folder.path().join("cut");
    let mut before = 0;
    for length in 0..=bytes.len() {
        std::fs::write(&cut, &bytes[..length]).unwrap();
        match read(&cut) {
            Err(error) => assert!(length < 8 && error == Error::NotRecording, "{length}: {error}"),
            Ok((got, complete, damaged)) => {
                assert!(got.len() >= before && samples.starts_with(&got), "{length}");
                assert_eq!(complete, length == bytes.len(), "{length}");
                assert!(!damaged, "{length}");
                before = got.len();
            }
        }
    }
    assert_eq!(before, samples.len());
}

#[test]
fn a_changed_byte_ends_it_there_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("whole");
    let samples = [vec![0.0; 32_000], sound(40)].concat();
    write(&path, &samples);
    let bytes = std::fs::read(&path).unwrap();
    let changed = folder.path().join("changed");
    for place in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[place] ^= 0x41;
        std::fs::write(&changed, bytes).unwrap();
        match read(&changed) {
            Err(error) => assert!(
                matches!(error, Error::NotRecording | Error::RecordingSealed),
                "{place}: {error}"
            ),
            Ok((got, complete, _)) => {
                assert!(samples.starts_with(&got), "{place}");
                assert!(!complete, "{place}");
            }
        }
    }
}

#[test]
fn another_key_or_name_is_refused_and_records_cannot_change_places() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one");
    write(&path, &sound(48_000));
    let refused = Recording::open(&path, "another", seal()).err();
    assert_eq!(refused, Some(Error::RecordingSealed));
    let missing = Recording::open(&folder.path().join("none"), "meeting", seal()).err();
    assert_eq!(missing, Some(Error::NotFound));
    let exists = RecordingWriter::create(&path, "meeting", seal()).err();
    assert!(matches!(exists, Some(Error::RecordingNotWritten(_))));

    let bytes = std::fs::read(&path).unwrap();
    let mut records = Vec::new();
    let mut rest = &bytes[MAGIC.len()..];
    while let Some((length, _)) = rest.split_first_chunk::<4>() {
        let (record, after) = rest.split_at(4 + u32::from_le_bytes(*length) as usize);
        records.push(record);
        rest = after;
    }
    let check = |order: &[usize], seconds: usize| {
        let order: Vec<&[u8]> = order.iter().map(|n| records[*n]).collect();
        std::fs::write(&path, [MAGIC.as_slice(), &order.concat()].concat()).unwrap();
        let (got, complete, damaged) = read(&path).unwrap();
        assert_eq!(got, sound(seconds * 16_000));
        assert!(!complete && damaged);
    };
    check(&[0, 2, 1, 3], 1);
    check(&[0, 2, 3], 1);
    check(&[0, 1, 3], 2);
    check(&[0, 0, 1, 2, 3], 1);
}

/// A seal that fails as often as told, as where the vault is locked.
struct Failing(std::sync::Mutex<u32>);

impl Seal for Failing {
    fn seal(&self, context: &str, plain: &[u8]) -> std::result::Result<Vec<u8>, Failure> {
        let mut left = self.0.lock().unwrap();
        if *left > 0 {
            *left -= 1;
            return Err(Failure::refused("locked"));
        }
        FakeSeal.seal(context, plain)
    }

    fn open(&self, context: &str, sealed: &[u8]) -> std::result::Result<Vec<u8>, Failure> {
        FakeSeal.open(context, sealed)
    }
}

#[test]
fn what_could_not_be_written_is_written_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one");
    let failing = Arc::new(Failing(std::sync::Mutex::new(3)));
    let mut writer = RecordingWriter::create(&path, "meeting", failing).unwrap();
    let failures =
        sound(160_000).chunks(16_000).filter(|block| writer.push(block).is_err()).count();
    assert_eq!(failures, 3);
    assert_eq!((writer.finish().unwrap(), read(&path).unwrap().0), (10.0, sound(160_000)));

    let path = folder.path().join("two");
    let failing = Arc::new(Failing(std::sync::Mutex::new(u32::MAX)));
    let mut writer = RecordingWriter::create(&path, "meeting", failing).unwrap();
    for _ in 0..130 {
        assert!(writer.push(&vec![0.1; 16_000]).is_err());
    }
    assert_eq!((writer.given_up(), writer.seconds()), (160_000, 120.0));
    assert!(writer.finish().is_err());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    // Its every write fails as on a full disk.
    let mut full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    assert!(full.write_all(b"x").is_err());
    let error = RecordingWriter::create(Path::new("/dev/full"), "meeting", seal()).err();
    assert!(matches!(error, Some(Error::RecordingNotWritten(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn any_sound_is_the_same_after(seed: u64, loudness in 0_u32..=16, count in 0_usize..40_000) {
        let mut state = seed | 1;
        let samples: Vec<f32> = (0..count).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let noise = ((state >> 48) as u16) as i16;
            f32::from(noise >> (16 - loudness).min(15)) / 32_768.0
        }).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one");
        write(&path, &samples);
        prop_assert_eq!(read(&path).unwrap().0, samples);
    }
}

const CHILD: &str = "NEARSIDE_RECORDING_CHILD";

/// Not a test of its own: the process that the next one kills.
#[test]
fn child_that_records() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let mut writer = RecordingWriter::create(Path::new(&path), "meeting", seal()).unwrap();
    let mut output = std::io::stdout();
    let mut done = 0;
    loop {
        let block: Vec<f32> = (done..done + 800).map(sample).collect();
        writer.push(&block).unwrap();
        done += block.len();
        writeln!(output, "\npushed {done}").unwrap();
        output.flush().unwrap();
    }
}

#[test]
fn killed_it_loses_less_than_two_seconds() {
    for kill_after in [1, 2_000, 16_001, 50_000, 123_456] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("killed");
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "recording::tests::child_that_records", "--nocapture"])
            .env(CHILD, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pushed = 0;
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        while pushed < kill_after {
            let line = lines.next().unwrap().unwrap();
            if let Some(count) = line.strip_prefix("pushed ") {
                pushed = count.parse().unwrap();
            }
        }
        // SIGKILL on Unix, TerminateProcess on Windows.
        child.kill().unwrap();
        child.wait().unwrap();
        // What it had written after the line that was read last is there too.
        for line in lines.map_while(std::result::Result::ok) {
            if let Some(count) = line.strip_prefix("pushed ").and_then(|count| count.parse().ok()) {
                pushed = count;
            }
        }
        let (got, complete, damaged) = read(&path).unwrap();
        assert!(got.len() + 2 * 16_000 > pushed, "{} of {pushed}", got.len());
        assert_eq!(got, sound(got.len()));
        assert!(!complete && !damaged);
    }
}
