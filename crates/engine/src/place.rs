//! Where the data folder is: named by the caller, else by the environment, else the platform's place for
//! data, from which it may have been moved. It opens nothing in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use nearside_types::Failure;

use crate::error::Error;

/// In the platform's folder: the path to which the user moved the data.
const MOVED: &str = "moved-to.txt";

/// The data folder. `environment` looks a variable up.
///
/// # Errors
/// `Usage` when no variable tells where the user's folders are.
pub fn data_dir(environment: &dyn Fn(&str) -> Option<OsString>) -> Result<PathBuf, Failure> {
    let folder =
        |name: &str| environment(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(named) = folder("NEARSIDE_DATA_DIR") {
        return Ok(named);
    }
    let usual = usual(&folder).ok_or_else(|| {
        Failure::usage("There is no place for data: set NEARSIDE_DATA_DIR, or give --data-dir DIR.")
    })?;
    let moved = std::fs::read_to_string(usual.join(MOVED)).ok();
    Ok(moved
        .map(|path| PathBuf::from(path.trim()))
        .filter(|path| path.is_absolute())
        .unwrap_or(usual))
}

/// Remembers that the data now lies at `to`. Nothing is remembered when the folder was named by hand.
///
/// # Errors
/// When the note cannot be written.
pub fn remember_move(
    environment: &dyn Fn(&str) -> Option<OsString>,
    to: &Path,
) -> Result<(), Failure> {
    let folder =
        |name: &str| environment(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if folder("NEARSIDE_DATA_DIR").is_some() {
        return Err(Failure::usage(
            "The data folder is named by NEARSIDE_DATA_DIR; move it by hand and change that variable.",
        ));
    }
    let Some(usual) = usual(&folder) else { return Ok(()) };
    let noted = std::fs::create_dir_all(&usual)
        .and_then(|()| std::fs::write(usual.join(MOVED), to.to_string_lossy().as_bytes()));
    noted.map_err(|source| Error::Io { doing: "Remembering the new place", source }.into())
}

fn usual(folder: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if cfg!(windows) {
        return folder("APPDATA").map(|data| data.join("Nearside"));
    }
    if cfg!(target_os = "macos") {
        return folder("HOME").map(|home| home.join("Library/Application Support/Nearside"));
    }
    folder("XDG_DATA_HOME")
        .filter(|data| data.is_absolute())
        .or_else(|| folder("HOME").map(|home| home.join(".local/share")))
        .map(|data| data.join("nearside"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_variable_wins_and_a_move_is_followed() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| (name == "HOME").then(|| home.path().as_os_str().to_owned());
        let usual = home.path().join(".local/share/nearside");
        assert_eq!(data_dir(&at).unwrap(), usual);
        remember_move(&at, Path::new("/elsewhere/数据")).unwrap();
        assert_eq!(data_dir(&at).unwrap(), Path::new("/elsewhere/数据"));
        let named = |name: &str| (name == "NEARSIDE_DATA_DIR").then(|| OsString::from("/named"));
        assert_eq!(data_dir(&named).unwrap(), Path::new("/named"));
        assert!(remember_move(&named, Path::new("/x")).is_err());
        assert!(data_dir(&|_| None).is_err());
    }
}
