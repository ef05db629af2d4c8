//! `transcribe` on real speech and real models, where both are there; otherwise each test says that it was skipped.

use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Place, Ran, ran};

const MODELS: [&str; 2] = ["whisper-base", "silero-vad"];

fn clips() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("NEARSIDE_SHARED_DIR").map_or(beside, PathBuf::from);
    Some(shared.join("data/speech/wav")).filter(|folder| folder.is_dir())
}

/// Runs `work` with a way to transcribe clips.
fn with_clips(name: &str, work: impl FnOnce(&PathBuf, &dyn Fn(&[&str]) -> Ran)) {
    let models = std::env::var_os("NEARSIDE_MODELS_DIR").map(PathBuf::from);
    let models = models.filter(|folder| MODELS.iter().all(|name| folder.join(name).exists()));
    let (Some(models), Some(clips)) = (models, clips()) else {
        eprintln!("{name} is skipped: the speech models or the recordings are not there.");
        return;
    };
    let place = Place::new();
    work(&clips, &|arguments| {
        let mut command = place.command(&[&["transcribe"], arguments].concat());
        command.env("NEARSIDE_MODELS_DIR", &models);
        ran(command, "")
    });
}

#[test]
fn speech_is_written_down_in_both_languages_and_noise_is_not() {
    with_clips("transcribe", |clips, run| {
        let json = |clip: &str| -> Value {
            run(&[&clips.join(clip).display().to_string(), "--json"]).json()
        };
        let english = json("en_jfk.wav");
        assert_eq!(english["language"], "en");
        assert_eq!(english["no_speech"], false);
        assert!(english["text"].as_str().unwrap().contains("ask what you can do"), "{english}");
        let segments = english["segments"].as_array().unwrap();
        assert!(segments.iter().all(|s| s["start"].as_f64() < s["end"].as_f64()), "{english}");
        // The model writes this one in traditional characters.
        let chinese = json("zh_masr.wav");
        assert_eq!(chinese["language"], "zh");
        assert!(chinese["text"].as_str().unwrap().contains("近几年"), "{chinese}");
        for quiet in ["ns_silence_digital.wav", "ns_dog_esc10.wav", "ns_room_noise3.wav"] {
            let value = json(quiet);
            assert_eq!(
                (&value["no_speech"], &value["text"]),
                (&true.into(), &"".into()),
                "{quiet}"
            );
        }
        let subtitles =
            run(&[&clips.join("en_uberi.wav").display().to_string(), "--format", "srt"]);
        assert!(subtitles.out.starts_with("1\n00:00:0"), "{}", subtitles.out);
        let traditional = clips.join("zh_fr_BAC009S0764W0121.wav").display().to_string();
        let traditional = run(&[&traditional, "--traditional"]);
        assert!(traditional.out.contains("現"), "{}", traditional.out);
    });
}

#[test]
fn what_cannot_be_written_down_is_one_sentence() {
    let place = Place::new();
    let text = place.write("笔记 notes.txt", "no sound at all");
    place.run(&["transcribe", &text]).fails(4);
    place.run(&["transcribe", &place.path("nowhere.wav").display().to_string()]).fails(3);
    place.run(&["transcribe", &place.path("").display().to_string()]).fails(4);
    if let Some(clips) = clips() {
        let clip = clips.join("en_uberi.wav").display().to_string();
        let told = place.run(&["transcribe", &clip]);
        assert!(told.fails(6).contains("models fetch whisper-base"), "{}", told.err);
        place.run(&["transcribe", &clip, "--model", "smollm2-135m"]).fails(2);
    }
    let told = place.run(&["voice", "toggle"]);
    assert!(told.fails(3).contains("window is not open"), "{}", told.err);
}
