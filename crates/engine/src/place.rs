//! Where the data folder is: named by the environment, else in the platform's place for data, from which it
//! may have been moved. It opens nothing in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use nearside_types::{Failure, FailureKind};

use crate::data::move_data;
use crate::error::Error;

/// In the platform's folder: the path to which the user moved the data.
const MOVED: &str = "moved-to.txt";

/// What the environment says about the place of data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataPlace {
    /// By `NEARSIDE_DATA_DIR`.
    named: Option<PathBuf>,
    /// The platform's, where the environment tells where the user's folders are.
    usual: Option<PathBuf>,
}

impl DataPlace {
    /// `environment` looks a variable up.
    #[must_use]
    pub fn new(environment: &dyn Fn(&str) -> Option<OsString>) -> Self {
        let folder =
            |name: &str| environment(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Self { named: folder("NEARSIDE_DATA_DIR"), usual: usual(&folder) }
    }

    /// This process's.
    #[must_use]
    pub fn from_environment() -> Self {
        Self::new(&|name| std::env::var_os(name))
    }

    /// The data folder.
    ///
    /// # Errors
    /// `Usage` when no variable tells where the user's folders are.
    pub fn data_dir(&self) -> Result<PathBuf, Failure> {
        if let Some(named) = &self.named {
            return Ok(named.clone());
        }
        let usual = self.usual()?;
        let moved = std::fs::read_to_string(usual.join(MOVED)).ok();
        Ok(moved
            .map(|path| PathBuf::from(path.trim()))
            .filter(|path| path.is_absolute())
            .unwrap_or_else(|| usual.to_owned()))
    }

    /// # Errors
    /// `Usage` when the folder was named by hand: nothing of ours decides where it is.
    pub fn check_movable(&self) -> Result<(), Failure> {
        match self.named {
            None => Ok(()),
            Some(_) => Err(Failure::coded(
                FailureKind::Usage,
                "data_folder_named",
                "The data folder is named by NEARSIDE_DATA_DIR; move it by hand and change that variable.",
            )),
        }
    }

    /// Moves the data folder, which nobody holds, and remembers where it is: both, or neither.
    ///
    /// # Errors
    /// As `move_data`, and when the place cannot be remembered; the data is then where it was.
    pub fn relocate(&self, from: &Path, to: &Path) -> Result<(), Failure> {
        self.check_movable()?;
        if to.to_str().is_none_or(|path| path.trim() != path || path.contains('\n')) {
            return Err(Failure::coded(
                FailureKind::Usage,
                "folder_name",
                "This folder's name cannot be remembered; choose one without line breaks or spaces at its ends.",
            ));
        }
        let home = to == self.usual()?;
        if home {
            // On the way home only the note lies there, and the folder has to be empty.
            self.forget()?;
        }
        let moved = move_data(from, to);
        let remembered = match (&moved, home) {
            (Ok(()), true) => Ok(()),
            (Ok(()), false) => self.remember(to),
            (Err(_), true) => self.remember(from),
            (Err(_), false) => Ok(()),
        };
        if moved.is_ok() && remembered.is_err() {
            move_data(to, from)?;
        }
        moved.and(remembered)
    }

    /// Forgets that the data was moved.
    ///
    /// # Errors
    /// When the note cannot be removed.
    pub fn forget(&self) -> Result<(), Failure> {
        let Some(usual) = &self.usual else { return Ok(()) };
        match std::fs::remove_file(usual.join(MOVED)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::Io { doing: "Forgetting the moved place", source: error }.into())
            }
            _ => Ok(()),
        }
    }

    fn remember(&self, to: &Path) -> Result<(), Failure> {
        let usual = self.usual()?;
        let noted = std::fs::create_dir_all(usual)
            .and_then(|()| std::fs::write(usual.join(MOVED), to.to_string_lossy().as_bytes()));
        noted.map_err(|source| Error::Io { doing: "Remembering the new place", source }.into())
    }

    fn usual(&self) -> Result<&Path, Failure> {
        self.usual.as_deref().ok_or_else(|| {
            Failure::usage(
                "There is no place for data: set NEARSIDE_DATA_DIR, or give --data-dir DIR.",
            )
        })
    }
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn at(home: &Path) -> DataPlace {
        DataPlace::new(&|name| (name == "HOME").then(|| home.as_os_str().to_owned()))
    }

    #[test]
    fn the_variable_wins_and_cannot_be_moved() {
        let named = |name: &str| (name == "NEARSIDE_DATA_DIR").then(|| OsString::from("/named"));
        let place = DataPlace::new(&named);
        assert_eq!(place.data_dir().unwrap(), Path::new("/named"));
        assert_eq!(
            place.relocate(Path::new("/named"), Path::new("/x")).unwrap_err().code,
            "data_folder_named"
        );
        assert!(DataPlace::new(&|_| None).data_dir().is_err());
    }

    #[test]
    fn a_move_is_followed_and_the_way_home_too() {
        let home = tempfile::tempdir().unwrap();
        let place = at(home.path());
        let usual = home.path().join(".local/share/nearside");
        assert_eq!(place.data_dir().unwrap(), usual);
        std::fs::create_dir_all(&usual).unwrap();
        std::fs::write(usual.join("conversations.db"), "sealed").unwrap();
        let away = home.path().join("elsewhere 数据");
        place.relocate(&usual, &away).unwrap();
        assert_eq!(place.data_dir().unwrap(), away);
        assert_eq!(std::fs::read(away.join("conversations.db")).unwrap(), b"sealed");
        assert_eq!(std::fs::read_dir(&usual).unwrap().count(), 1, "only the note is left");
        place.relocate(&away, &usual).unwrap();
        assert_eq!(place.data_dir().unwrap(), usual);
        assert!(!away.exists());
    }

    #[test]
    fn a_move_that_fails_changes_nothing() {
        let home = tempfile::tempdir().unwrap();
        let place = at(home.path());
        let usual = home.path().join(".local/share/nearside");
        std::fs::create_dir_all(&usual).unwrap();
        let taken = home.path().join("taken");
        std::fs::create_dir_all(taken.join("somebody's")).unwrap();
        for target in [taken, usual.join("inside"), home.path().join("end ")] {
            assert!(place.relocate(&usual, &target).is_err());
            assert_eq!(place.data_dir().unwrap(), usual);
        }
    }
}
