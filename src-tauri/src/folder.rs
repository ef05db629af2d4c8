//! The data folder under the open window: export, and what needs it closed: restore, move, erase. The vault
//! is let go, the work is done, and where it failed the folder is opened again as it was.

use std::path::Path;
use std::time::{Duration, Instant};

use nearside_engine::{DataPlace, KeySource, OsKeychain, erase_data, restore_data};
use nearside_types::{Failure, FailureKind};
use tauri::{AppHandle, Manager};

use crate::login;
use crate::shell::{Shell, open_vault};

/// Stopped work ends within one token, page or file; a page may take a while.
const LETTING_GO: Duration = Duration::from_secs(20);

/// Puts an archive in the folder's place.
pub(crate) fn restore(app: &AppHandle, archive: &Path, passphrase: String) -> Result<(), Failure> {
    closed(app, |folder| restore_data(archive, passphrase, folder, KeySource::os()))
}

/// Moves the folder and remembers where it is.
pub(crate) fn relocate(app: &AppHandle, to: &Path) -> Result<(), Failure> {
    let place = DataPlace::from_environment();
    place.check_movable()?;
    closed(app, |folder| place.relocate(folder, to))
}

/// Erases the folder, its key, and what the system was told about it.
pub(crate) fn erase(app: &AppHandle) -> Result<(), Failure> {
    closed(app, |folder| erase_data(folder, &OsKeychain::new()))?;
    login::start_with_system(app, false)?;
    DataPlace::from_environment().forget()
}

fn closed(app: &AppHandle, work: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
    let shell = app.state::<Shell>();
    let begun = Instant::now();
    shell.jobs.stop_all();
    let Some(last) = shell.close() else { return work(shell.data_dir()) };
    while last.strong_count() > 0 {
        if begun.elapsed() > LETTING_GO {
            if let Some(engine) = last.upgrade() {
                shell.take_up(engine);
            }
            return Err(Failure::coded(
                FailureKind::Refused,
                "data_in_use",
                "The data is still in use; wait until what runs has ended and try again.",
            ));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let done = work(shell.data_dir());
    if done.is_err() {
        // What that fails with is in `vault_state`, which the window asks for again.
        let _ = open_vault(app, None);
    }
    done
}
