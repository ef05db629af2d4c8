//! Starting with the system. On Linux it writes the desktop's own autostart entry, where the specification
//! puts it; elsewhere Tauri's plugin does the platform's thing. It decides nothing: the settings do.

use nearside_types::Failure;
use tauri::AppHandle;

/// What the started program is told: stay in the tray.
pub(crate) const HIDDEN: &str = "--hidden";

/// Makes the program start with the system, or not any more.
///
/// # Errors
/// When the system's list cannot be changed.
pub(crate) fn start_with_system(app: &AppHandle, wanted: bool) -> Result<(), Failure> {
    change(app, wanted).map_err(|()| {
        Failure::coded(
            nearside_types::FailureKind::Internal,
            "login_items",
            "The system's list of programs to start could not be changed.",
        )
    })
}

#[cfg(not(target_os = "linux"))]
fn change(app: &AppHandle, wanted: bool) -> Result<(), ()> {
    use tauri_plugin_autostart::ManagerExt;
    let login = app.autolaunch();
    let changed = if wanted { login.enable() } else { login.disable() };
    changed.map_err(|_| ())
}

#[cfg(target_os = "linux")]
fn change(app: &AppHandle, wanted: bool) -> Result<(), ()> {
    use tauri::Manager;
    // $XDG_CONFIG_HOME, else ~/.config, as the Desktop Application Autostart Specification says.
    let folder = app.path().config_dir().map_err(|_| ())?.join("autostart");
    let entry = folder.join("nearside.desktop");
    if !wanted {
        return match std::fs::remove_file(entry) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(()),
            _ => Ok(()),
        };
    }
    // An AppImage runs from a folder that is gone after it; its own file is what is started again.
    let program = match app.env().appimage {
        Some(image) => image.into(),
        None => std::env::current_exe().map_err(|_| ())?,
    };
    let text = desktop_entry(program.to_str().ok_or(())?);
    std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(entry, text)).map_err(|_| ())
}

#[cfg(target_os = "linux")]
fn desktop_entry(program: &str) -> String {
    format!(
        "[Desktop Entry]\nType=Application\nVersion=1.5\nName=Nearside\nName[zh_CN]=近端\n\
         Exec={} {HIDDEN}\nTerminal=false\nStartupNotify=false\n",
        quoted(program)
    )
}

/// A word of `Exec`: quoted, and escaped once for the quotes and once for the file.
#[cfg(target_os = "linux")]
fn quoted(word: &str) -> String {
    let mut out = String::from("\"");
    for c in word.chars() {
        match c {
            '\\' => out.push_str(r"\\\\"),
            '"' | '`' | '$' => {
                out.push_str(r"\\");
                out.push(c);
            }
            '%' => out.push_str("%%"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{desktop_entry, quoted};

    #[test]
    fn paths_survive_the_two_escapings() {
        // Escapes as the Desktop Entry Specification's chapter on Exec writes them.
        for (path, word) in [
            ("/usr/bin/nearside-app", r#""/usr/bin/nearside-app""#),
            ("/opt/my apps/近端", r#""/opt/my apps/近端""#),
            ("/a/$b", r#""/a/\\$b""#),
            ("/a\\b", r#""/a\\\\b""#),
            ("/100%", r#""/100%%""#),
        ] {
            assert_eq!(quoted(path), word);
        }
        assert!(desktop_entry("/x").contains("\nExec=\"/x\" --hidden\n"));
    }
}
