//! The settings file: plain JSON without secrets, written whole or not at all. One owner in a process.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use nearside_types::{Failure, Settings, SettingsPatch};

use crate::error::Error;

/// The file's name in the data folder.
pub(crate) const FILE: &str = "settings.json";
/// A settings file is small; a larger one is somebody else's.
const LONGEST: u64 = 1 << 20;

/// The settings of one data folder.
pub(crate) struct SettingsFile {
    path: PathBuf,
    // Read often, changed by a click; the lock is held for a copy.
    current: Mutex<Settings>,
}

/// Reads the settings of a data folder; what is missing in it takes its default. A file that is there and
/// cannot be read does not keep the program from starting, but nobody knows what it allowed: nothing may leave
/// this machine until somebody says so again.
#[must_use]
pub fn read_settings(data_dir: &Path) -> Settings {
    let path = data_dir.join(FILE);
    let text = match std::fs::metadata(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Settings::default(),
        Ok(found) if found.len() <= LONGEST => std::fs::read(&path).unwrap_or_default(),
        _ => Vec::new(),
    };
    serde_json::from_slice(&text)
        .unwrap_or_else(|_| Settings { local_only: true, ..Settings::default() })
}

impl SettingsFile {
    pub(crate) fn open(data_dir: &Path) -> Self {
        Self { path: data_dir.join(FILE), current: Mutex::new(read_settings(data_dir)) }
    }

    pub(crate) fn get(&self) -> Settings {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Applies a patch and writes it before it holds.
    ///
    /// # Errors
    /// When the file cannot be written; the settings then stay as they were.
    pub(crate) fn patch(&self, patch: SettingsPatch) -> Result<Settings, Failure> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let next = current.clone().patched(patch);
        let text = serde_json::to_vec_pretty(&next).map_err(Error::from)?;
        nearside_vault::write_atomic(&self.path, &text)?;
        *current = next.clone();
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use nearside_types::Theme;

    use super::*;

    #[test]
    fn a_patch_is_kept_and_a_broken_file_gives_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let settings = SettingsFile::open(folder.path());
        assert_eq!(settings.get(), Settings::default());
        settings
            .patch(SettingsPatch {
                theme: Some(Theme::Dark),
                zoom: Some(900),
                ..Default::default()
            })
            .unwrap();
        let again = read_settings(folder.path());
        assert_eq!((again.theme, again.zoom), (Theme::Dark, 200));
        std::fs::write(folder.path().join(FILE), b"{ half").unwrap();
        let cautious = Settings { local_only: true, ..Settings::default() };
        assert_eq!(read_settings(folder.path()), cautious);
    }
}
