//! Real recordings through the real models: nothing is written where nobody speaks, nothing is lost where somebody
//! does, and text that was committed stays. Where models or clips are absent the tests say so and pass.

#![expect(clippy::print_stdout, reason = "a skipped test says so")]
#![expect(clippy::unwrap_used, reason = "what a test stands on fails it")]

use std::path::PathBuf;
use std::sync::Mutex;

use nearside_speech::bench::score::errors;
use nearside_speech::{Error, Live, Recognizer, SAMPLE_RATE, Script, SoundFile, Source};
use nearside_types::{Cancel, TranscribeOptions, Transcript};

/// One model for all tests of this file; they take turns. One thread, since the library's threads wait by spinning,
/// which beside other tests costs more than it gains.
static RECOGNIZER: Mutex<Option<Recognizer>> = Mutex::new(None);

fn model(name: &str, file: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("NEARSIDE_MODELS_DIR")?).join(name);
    let versions = std::fs::read_dir(folder).ok()?.flatten();
    versions.map(|version| version.path().join(file)).find(|path| path.exists())
}

fn with_recognizer(test: impl FnOnce(&mut Recognizer)) {
    let models =
        model("whisper-base", "ggml-base.bin").zip(model("silero-vad", "ggml-silero-v6.2.0.bin"));
    let Some((whisper, activity)) = models else {
        println!(
            "skipped: whisper-base and silero-vad are not in NEARSIDE_MODELS_DIR; `nearside models fetch` fetches them"
        );
        return;
    };
    let mut held = RECOGNIZER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let recognizer = held.get_or_insert_with(|| Recognizer::load(&whisper, &activity, 1).unwrap());
    test(recognizer);
}

fn clip(name: &str) -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("NEARSIDE_SHARED_DIR").map_or(beside, PathBuf::from);
    let path = shared.join("data/speech/wav").join(name).with_extension("wav");
    if path.exists() {
        return Some(path);
    }
    println!(
        "skipped: {name} is not here; set NEARSIDE_SHARED_DIR to the folder that holds data/speech"
    );
    None
}

fn samples(name: &str) -> Option<Vec<f32>> {
    let (mut file, mut samples) = (SoundFile::open(&clip(name)?).unwrap(), Vec::new());
    while file.read(&mut samples, &Cancel::new()).unwrap() {}
    Some(samples)
}

fn write_down(recognizer: &mut Recognizer, samples: &[f32]) -> Transcript {
    recognizer.recognize(samples, &TranscribeOptions::default(), &Cancel::new()).unwrap()
}

#[test]
fn nothing_is_written_where_nobody_speaks() {
    with_recognizer(|recognizer| {
        for name in
            ["ns_silence_digital", "ns_hum50", "ns_dog_esc10", "ns_room_noise3", "ns_room_noise4"]
        {
            let Some(path) = clip(name) else { return };
            let written = recognizer
                .transcribe_file(&path, &TranscribeOptions::default(), &mut |_| {}, &Cancel::new())
                .unwrap();
            assert!(written.no_speech && written.text.is_empty(), "{name}");
            assert!(written.segments.is_empty() && written.language.is_none(), "{name}");
        }
    });
}

/// Clean and noisy, English and Chinese, the language found and not told; in one recording with pauses between.
#[test]
fn a_mixed_recording_is_written_whole_and_in_time() {
    with_recognizer(|recognizer| {
        let script = Script::load().unwrap();
        let parts = [
            (
                "en_libri_1272",
                "mister quilter is the apostle of the middle classes and we are glad to welcome his gospel",
                "en",
            ),
            ("zh_fr_BAC009S0764W0121", "甚至出现交易几乎停滞的情况", "zh"),
            (
                "en_noisy5db_libri_1995",
                "it was the first great sorrow of his life it was not so much the loss of the cotton itself but the fantasy the hopes the dreams built around it",
                "en",
            ),
        ];
        let (mut sound, mut starts) = (vec![0.0_f32; 3 * SAMPLE_RATE as usize], Vec::new());
        for (name, ..) in parts {
            let Some(clip) = samples(name) else { return };
            starts.push(sound.len() as f64 / f64::from(SAMPLE_RATE));
            sound.extend(clip);
            sound.extend(vec![0.0; 2 * SAMPLE_RATE as usize]);
        }
        let written = write_down(recognizer, &sound);
        assert_eq!(written.language.as_deref(), Some("en"));
        assert!((written.seconds - sound.len() as f64 / f64::from(SAMPLE_RATE)).abs() < 0.01);
        for (at, (name, said, language)) in parts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(f64::MAX);
            let inside = |time: f64| time >= starts[at] - 1.0 && time < end - 0.5;
            let heard: Vec<&str> = written
                .segments
                .iter()
                .filter(|segment| inside(segment.start))
                .map(|segment| &*segment.text)
                .collect();
            let found = errors(said, &heard.join(" "), language, &script);
            assert!(found.errors * 8 <= found.units, "{name}: {} of {}", found.errors, found.units);
        }
        for pair in written.segments.windows(2) {
            assert!(pair[0].start <= pair[0].end && pair[0].start <= pair[1].start);
        }
    });
}

/// A recording does not end with words of the one before.
#[test]
fn recordings_do_not_leak_into_each_other() {
    with_recognizer(|recognizer| {
        let (Some(first), Some(second)) = (samples("en_lj_131"), samples("en_vosk")) else {
            return;
        };
        let alone = write_down(recognizer, &second);
        write_down(recognizer, &first);
        assert_eq!(write_down(recognizer, &second).text, alone.text);
    });
}

#[test]
fn dictation_only_grows_and_ends_as_it_was_said() {
    with_recognizer(|recognizer| {
        let Some(sound) = samples("en_libri_1272") else { return };
        let (mut live, mut before) = (Live::new(TranscribeOptions::default()), String::new());
        let mut early = false;
        for block in sound.chunks(SAMPLE_RATE as usize / 4) {
            let text = live.push(recognizer, block, &Cancel::new()).unwrap();
            assert!(text.committed.starts_with(&before), "committed text was taken back");
            early |= !text.committed.is_empty();
            before = text.committed.0;
        }
        let whole = live.finish(recognizer, &Cancel::new()).unwrap();
        assert!(whole.text.starts_with(&before));
        assert!(early, "nothing was shown before the end");
        let said = "mister quilter is the apostle of the middle classes and we are glad to welcome his gospel";
        let found = errors(said, &whole.text, "en", &Script::load().unwrap());
        assert!(found.errors <= 2, "{} of {}", found.errors, found.units);
    });
}

#[test]
fn it_stops_when_told_to_and_goes_on_afterwards() {
    with_recognizer(|recognizer| {
        let Some(sound) = samples("en_uberi") else { return };
        let cancel = Cancel::new();
        cancel.cancel();
        let stopped = recognizer.recognize(&sound, &TranscribeOptions::default(), &cancel);
        assert_eq!(stopped.unwrap_err(), Error::Cancelled);
        assert!(!write_down(recognizer, &sound).no_speech);
    });
}

#[test]
fn a_language_that_is_none_is_refused() {
    with_recognizer(|recognizer| {
        for language in ["klingon", "xx", "E\0", ""] {
            let options =
                TranscribeOptions { language: Some(language.to_owned()), ..Default::default() };
            let refused = recognizer.recognize(&[0.0; 1600], &options, &Cancel::new());
            assert_eq!(refused.unwrap_err(), Error::Language(language.to_owned()));
        }
    });
}
