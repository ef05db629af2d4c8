//! Voice: microphones, what a run of one tells while it listens, and how the user wants speech written down.
//!
//! What was said in the end is a `Transcript`.

use std::collections::BTreeSet;

use crate::{ChineseScript, UserText};

/// Terms that fit the prompt of a speech model many times over; more would only be cut there.
const MOST_TERMS: usize = 500;
/// Characters of one term.
const LONGEST_TERM: usize = 100;

wire! {
    /// Something that can be listened to.
    #[derive(Eq)]
    pub struct Microphone {
        /// Names it in `VoiceSettings::microphone`; the same over restarts where the system keeps names.
        pub id: String,
        pub name: String,
        /// What is listened to when none is chosen.
        pub is_default: bool,
        /// What the computer plays, rather than a microphone.
        pub is_monitor: bool,
    }

    /// From one run of the microphone or over one file, in order. The transcript itself is what the run
    /// returns.
    #[serde(tag = "event", rename_all = "snake_case")]
    pub enum VoiceEvent {
        /// The device is open; what is said from now on is heard.
        Listening { device: String },
        /// How loud it is, about 15 times a second; 0 is as loud as the device can tell.
        Level { dbfs: f32 },
        /// The text so far: `committed` only grows, `tentative` may still change.
        Partial { committed: UserText, tentative: UserText },
        /// Seconds of audio that are written down, of all; none where a file does not say how long it is.
        Transcribing { done: f64, total: Option<f64> },
        /// The microphone went away; what was heard until then is kept and transcribed.
        Lost { kept_seconds: f64 },
    }

    /// How a transcript is written to a file.
    #[derive(Copy, Eq)]
    #[serde(rename_all = "snake_case")]
    pub enum TranscriptFormat {
        Txt,
        /// SubRip subtitles.
        Srt,
        /// WebVTT subtitles.
        Vtt,
        /// The `Transcript` itself.
        Json,
        /// Markdown, a paragraph a speaker.
        Md,
    }

    #[derive(Eq)]
    #[serde(default)]
    pub struct VoiceSettings {
        /// A `Microphone::id`; none is the system's default.
        pub microphone: Option<String>,
        /// ISO 639 code, or `auto` to find out from what is heard.
        pub language: String,
        pub chinese: ChineseScript,
        /// Names and terms that a speech model should know, most important first.
        pub vocabulary: Vec<UserText>,
        /// The global shortcut that starts and stops dictation; empty is none.
        pub shortcut: String,
    }

    /// A field left out stays as it is.
    #[derive(Eq, Default)]
    #[serde(default)]
    pub struct VoicePatch {
        /// Empty is the system's default.
        pub microphone: Option<String>,
        pub language: Option<String>,
        pub chinese: Option<ChineseScript>,
        /// All of them anew.
        pub vocabulary: Option<Vec<UserText>>,
        pub shortcut: Option<String>,
    }
}

impl Default for VoiceSettings {
    fn default() -> Self {
        Self {
            microphone: None,
            language: AUTO.to_owned(),
            chinese: ChineseScript::default(),
            vocabulary: Vec::new(),
            shortcut: "CommandOrControl+Alt+Space".to_owned(),
        }
    }
}

/// The language is found out from what is heard.
const AUTO: &str = "auto";

impl VoiceSettings {
    /// The settings after `patch`: an odd language becomes `auto`, and terms are trimmed, told once and not
    /// too many.
    #[must_use]
    pub fn patched(mut self, patch: VoicePatch) -> Self {
        if let Some(id) = patch.microphone {
            self.microphone = Some(id).filter(|id| !id.is_empty());
        }
        if let Some(language) = patch.language {
            self.language = language_code(&language);
        }
        self.chinese = patch.chinese.unwrap_or(self.chinese);
        if let Some(terms) = patch.vocabulary {
            self.vocabulary = tidy(&terms);
        }
        self.shortcut = patch.shortcut.unwrap_or(self.shortcut);
        self
    }
}

fn language_code(language: &str) -> String {
    let code = language.trim().to_ascii_lowercase();
    let known = matches!(code.len(), 2..=3) && code.bytes().all(|byte| byte.is_ascii_lowercase());
    if known { code } else { AUTO.to_owned() }
}

fn tidy(terms: &[UserText]) -> Vec<UserText> {
    let mut seen = BTreeSet::new();
    let trimmed = terms.iter().map(|term| term.trim()).filter(|term| !term.is_empty());
    let short = trimmed.map(|term| term.chars().take(LONGEST_TERM).collect::<String>());
    short.filter(|term| seen.insert(term.clone())).take(MOST_TERMS).map(UserText).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, SettingsPatch};

    #[test]
    fn a_patch_changes_what_it_names_and_nothing_else() {
        let patch: SettingsPatch = serde_json::from_str(
            r#"{"voice":{"language":"ZH","vocabulary":[" 近端 ","","近端","Qwen"],"microphone":"usb"}}"#,
        )
        .unwrap();
        let voice = Settings::default().patched(patch).voice;
        assert_eq!(voice.language, "zh");
        assert_eq!(voice.vocabulary, [UserText::from("近端"), UserText::from("Qwen")]);
        assert_eq!(voice.microphone.as_deref(), Some("usb"));
        assert_eq!(voice.shortcut, VoiceSettings::default().shortcut);
        let back = VoicePatch { microphone: Some(String::new()), ..VoicePatch::default() };
        let voice = voice.patched(back);
        assert_eq!((voice.microphone, voice.language.as_str()), (None, "zh"));
    }

    #[test]
    fn languages_are_codes_or_auto() {
        for (said, kept) in
            [("en", "en"), ("yue", "yue"), ("auto", "auto"), ("", "auto"), ("zh-TW", "auto")]
        {
            assert_eq!(language_code(said), kept);
        }
    }

    #[test]
    fn settings_from_before_voice_still_read() {
        let mut old = serde_json::to_value(Settings::default()).unwrap();
        old.as_object_mut().unwrap().remove("voice");
        assert_eq!(serde_json::from_value::<Settings>(old).unwrap(), Settings::default());
        let part: Settings = serde_json::from_str(r#"{"voice":{"language":"en"}}"#).unwrap();
        assert_eq!(part.voice.shortcut, VoiceSettings::default().shortcut);
    }

    #[test]
    fn terms_are_bounded_and_not_in_debug() {
        let many: Vec<UserText> = (0..MOST_TERMS * 2)
            .map(|at| UserText(format!("{at}{}", "长".repeat(LONGEST_TERM))))
            .collect();
        let kept = tidy(&many);
        assert_eq!(kept.len(), MOST_TERMS);
        assert!(kept.iter().all(|term| term.chars().count() == LONGEST_TERM));
        let settings = VoiceSettings { vocabulary: kept, ..VoiceSettings::default() };
        assert!(!format!("{settings:?}").contains('长'));
    }
}
