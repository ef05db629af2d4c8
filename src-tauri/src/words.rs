//! The few words that the shell itself shows: the tray's menu and notifications, in both languages.
//! Everything inside the window is translated in ui/src/i18n.

use nearside_types::Language;

pub(crate) struct Words {
    pub(crate) open: &'static str,
    pub(crate) new_chat: &'static str,
    pub(crate) local_only: &'static str,
    pub(crate) pause_indexing: &'static str,
    pub(crate) settings: &'static str,
    pub(crate) quit: &'static str,
    pub(crate) answer_ready: &'static str,
    pub(crate) answer_failed: &'static str,
    pub(crate) download_ready: &'static str,
    pub(crate) transcript_ready: &'static str,
    pub(crate) dictate: &'static str,
    pub(crate) dictation_taken: &'static str,
    pub(crate) shortcut_taken: &'static str,
}

const ENGLISH: Words = Words {
    open: "Open Nearside",
    new_chat: "New chat",
    local_only: "Local only",
    pause_indexing: "Pause indexing",
    settings: "Settings…",
    quit: "Quit",
    answer_ready: "The answer is ready",
    answer_failed: "The answer broke off",
    download_ready: "The model is ready",
    transcript_ready: "The recording is written down",
    dictate: "Dictate",
    dictation_taken: "The dictation shortcut is held by another program; choose another in Settings.",
    shortcut_taken: "The global shortcut is held by another program; choose another in Settings.",
};

const CHINESE: Words = Words {
    open: "打开近端",
    new_chat: "新对话",
    local_only: "仅限本机",
    pause_indexing: "暂停索引",
    settings: "设置…",
    quit: "退出",
    answer_ready: "回答已完成",
    answer_failed: "回答中断了",
    download_ready: "模型已就绪",
    transcript_ready: "录音已转成文字",
    dictate: "听写",
    dictation_taken: "听写快捷键已被其他程序占用，请在设置中更换。",
    shortcut_taken: "全局快捷键已被其他程序占用，请在设置中更换。",
};

/// The words of the chosen language; `System` follows `locale`, e.g. `zh_CN.UTF-8`.
pub(crate) fn words(language: Language, locale: &str) -> &'static Words {
    match language {
        Language::English => &ENGLISH,
        Language::SimplifiedChinese => &CHINESE,
        Language::System if locale.to_lowercase().starts_with("zh") => &CHINESE,
        Language::System => &ENGLISH,
    }
}

/// The system's language, e.g. `zh-CN`; `en` where the system names none.
pub(crate) fn system_locale() -> String {
    sys_locale::get_locale().unwrap_or_else(|| "en".to_owned())
}

#[cfg(test)]
mod tests {
    use super::words;
    use nearside_types::Language;

    #[test]
    fn the_system_language_decides_only_when_asked() {
        assert_eq!(words(Language::System, "zh-CN").quit, "退出");
        assert_eq!(words(Language::System, "en-GB").quit, "Quit");
        assert_eq!(words(Language::English, "zh-CN").quit, "Quit");
    }
}
