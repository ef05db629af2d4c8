//! Settings: one struct, one patch. A field left out of a patch stays as it is.

use std::collections::BTreeMap;

use crate::{Action, DeviceChoice, EntityType, Provider, RouteChoice, VoicePatch, VoiceSettings};

wire! {
    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum Theme {
        #[default]
        System,
        Light,
        Dark,
    }

    /// The language of the window.
    #[derive(Copy, Eq, Default)]
    pub enum Language {
        #[default]
        #[serde(rename = "system")]
        System,
        #[serde(rename = "en")]
        English,
        #[serde(rename = "zh-CN")]
        SimplifiedChinese,
    }

    #[derive(Copy, Eq, Default)]
    #[serde(rename_all = "snake_case")]
    pub enum PrivacyPreset {
        /// Every entity is masked.
        Strict,
        #[default]
        Balanced,
    }

    #[derive(Eq)]
    #[serde(default)]
    pub struct Settings {
        pub language: Language,
        pub theme: Theme,
        /// Percent, 50 to 200.
        pub zoom: u32,
        /// Pixels of the reading column, 12 to 22.
        pub font_size: u32,
        /// Nothing leaves: enforced in `cloud` for every caller.
        pub local_only: bool,
        pub default_route: RouteChoice,
        pub chat_model: String,
        pub device: DeviceChoice,
        pub privacy: PrivacyPreset,
        /// What is done with a type whatever the level says; never `edit`, which is for one value.
        pub actions: BTreeMap<EntityType, Action>,
        pub provider: Option<Provider>,
        /// `http://…` or `socks5://…`; empty follows the system.
        pub proxy: String,
        /// The model hub, e.g. a mirror; empty is the default hub.
        pub hub_endpoint: String,
        pub global_shortcut: String,
        pub autostart: bool,
        pub close_to_tray: bool,
        pub notifications: bool,
        pub welcome_done: bool,
        pub max_tokens: u32,
        /// Thousandths, so that settings compare exactly: 700 is 0.7.
        pub temperature_milli: u32,
        pub voice: VoiceSettings,
    }

    /// What one change of settings touches.
    #[derive(Eq, Default)]
    #[serde(default)]
    pub struct SettingsPatch {
        pub language: Option<Language>,
        pub theme: Option<Theme>,
        pub zoom: Option<u32>,
        pub font_size: Option<u32>,
        pub local_only: Option<bool>,
        pub default_route: Option<RouteChoice>,
        pub chat_model: Option<String>,
        pub device: Option<DeviceChoice>,
        pub privacy: Option<PrivacyPreset>,
        /// All of them anew.
        pub actions: Option<BTreeMap<EntityType, Action>>,
        pub provider: Option<Provider>,
        pub proxy: Option<String>,
        pub hub_endpoint: Option<String>,
        pub global_shortcut: Option<String>,
        pub autostart: Option<bool>,
        pub close_to_tray: Option<bool>,
        pub notifications: Option<bool>,
        pub welcome_done: Option<bool>,
        pub max_tokens: Option<u32>,
        pub temperature_milli: Option<u32>,
        pub voice: Option<VoicePatch>,
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: Language::default(),
            theme: Theme::default(),
            zoom: 100,
            font_size: 14,
            local_only: false,
            default_route: RouteChoice::Auto,
            chat_model: String::new(),
            device: DeviceChoice::Auto,
            privacy: PrivacyPreset::default(),
            actions: BTreeMap::new(),
            provider: None,
            proxy: String::new(),
            hub_endpoint: String::new(),
            global_shortcut: "CommandOrControl+Shift+Space".to_owned(),
            autostart: false,
            close_to_tray: true,
            notifications: true,
            welcome_done: false,
            max_tokens: 1024,
            temperature_milli: 700,
            voice: VoiceSettings::default(),
        }
    }
}

impl Settings {
    /// The settings after `patch`, with numbers brought back into their ranges.
    #[must_use]
    pub fn patched(mut self, patch: SettingsPatch) -> Self {
        macro_rules! take {
            ($($field:ident),*) => {$( if let Some(value) = patch.$field { self.$field = value; } )*};
        }
        take!(
            language,
            theme,
            zoom,
            font_size,
            local_only,
            default_route,
            chat_model,
            device,
            privacy,
            actions,
            proxy,
            hub_endpoint,
            global_shortcut,
            autostart,
            close_to_tray,
            notifications,
            welcome_done,
            max_tokens,
            temperature_milli
        );
        if patch.provider.is_some() {
            self.provider = patch.provider;
        }
        if let Some(voice) = patch.voice {
            self.voice = self.voice.patched(voice);
        }
        self.actions.retain(|_, action| *action != Action::Edit);
        self.zoom = self.zoom.clamp(50, 200);
        self.font_size = self.font_size.clamp(12, 22);
        self.max_tokens = self.max_tokens.clamp(1, 1 << 20);
        self.temperature_milli = self.temperature_milli.min(2000);
        self
    }
}
