//! The tray icon and its menu, in the language of the settings. Where nobody shows tray icons there is none,
//! and the shell remembers that, so that closing the window quits instead of hiding it for ever.

use nearside_types::{AppEvent, Settings, SettingsPatch};
use tauri::menu::{CheckMenuItem, Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::{MouseButton, MouseButtonState, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Manager, Wry};

use crate::shell::{Shell, emit};
use crate::words::{system_locale, words};
use crate::{shortcut, window};

const TRAY: &str = "tray";

/// Makes the icon where a desktop shows one, unless it is there already; tells whether it is.
pub(crate) fn find(app: &AppHandle, settings: &Settings) -> bool {
    if !somebody_shows_icons() {
        return false;
    }
    if app.tray_by_id(TRAY).is_some() {
        return true;
    }
    // The indicator library is loaded at run time, and its absence is a panic.
    let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| make(app, settings)));
    matches!(made, Ok(Ok(())))
}

fn make(app: &AppHandle, settings: &Settings) -> tauri::Result<()> {
    let mut tray = TrayIconBuilder::with_id(TRAY)
        .tooltip("Nearside")
        .menu(&menu(app, settings)?)
        .show_menu_on_left_click(cfg!(target_os = "linux"))
        .on_menu_event(|app, event| on_menu(app, event.id().as_ref()))
        .on_tray_icon_event(|tray, event| {
            if let TrayIconEvent::Click {
                button: MouseButton::Left,
                button_state: MouseButtonState::Up,
                ..
            } = event
            {
                window::show(tray.app_handle());
            }
        });
    if let Some(icon) = app.default_window_icon() {
        tray = tray.icon(icon.clone());
    }
    tray.build(app)?;
    Ok(())
}

/// Writes the menu anew, after the language or a check mark changed.
pub(crate) fn refresh(app: &AppHandle, settings: &Settings) {
    if let (Some(tray), Ok(menu)) = (app.tray_by_id(TRAY), menu(app, settings)) {
        let _ = tray.set_menu(Some(menu));
    }
}

fn menu(app: &AppHandle, settings: &Settings) -> tauri::Result<Menu<Wry>> {
    let words = words(settings.language, &system_locale());
    let item = |id: &str, text: &str| MenuItem::with_id(app, id, text, true, None::<&str>);
    let check = |id: &str, text: &str, on: bool| {
        CheckMenuItem::with_id(app, id, text, true, on, None::<&str>)
    };
    let paused = app.state::<Shell>().indexing_paused();
    Menu::with_items(
        app,
        &[
            &item("open", words.open)?,
            &item("new", words.new_chat)?,
            &item("dictate", words.dictate)?,
            &PredefinedMenuItem::separator(app)?,
            &check("local_only", words.local_only, settings.local_only)?,
            &check("pause_indexing", words.pause_indexing, paused)?,
            &PredefinedMenuItem::separator(app)?,
            &item("settings", words.settings)?,
            &item("quit", words.quit)?,
        ],
    )
}

fn on_menu(app: &AppHandle, id: &str) {
    let shell = app.state::<Shell>();
    match id {
        "open" => window::show(app),
        "new" => {
            window::show(app);
            emit(app, &AppEvent::NewConversation);
        }
        "dictate" => shortcut::dictate(app),
        "settings" => {
            window::show(app);
            emit(app, &AppEvent::Navigate { page: "settings".to_owned() });
        }
        "local_only" => {
            let patch = SettingsPatch {
                local_only: Some(!shell.settings().local_only),
                ..Default::default()
            };
            if shell.update_settings(app, patch).is_err() {
                // The vault is locked: the mark goes back to what holds.
                refresh(app, &shell.settings());
            }
        }
        "pause_indexing" => {
            shell.pause_indexing(!shell.indexing_paused());
            refresh(app, &shell.settings());
        }
        "quit" => app.exit(0),
        _ => {}
    }
}

#[cfg(not(target_os = "linux"))]
fn somebody_shows_icons() -> bool {
    true
}

/// Asks the session bus for a status notifier watcher, for a second at most: a dead bus must not keep the
/// window from opening.
#[cfg(target_os = "linux")]
fn somebody_shows_icons() -> bool {
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let owned = zbus::blocking::Connection::session()
            .and_then(|bus| {
                bus.call_method(
                    Some("org.freedesktop.DBus"),
                    "/org/freedesktop/DBus",
                    Some("org.freedesktop.DBus"),
                    "NameHasOwner",
                    &"org.kde.StatusNotifierWatcher",
                )
            })
            .and_then(|reply| reply.body().deserialize::<bool>());
        let _ = send.send(owned.unwrap_or(false));
    });
    receive.recv_timeout(std::time::Duration::from_secs(1)).unwrap_or(false)
}
