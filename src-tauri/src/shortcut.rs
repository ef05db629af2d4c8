//! The global shortcut that brings the window. It holds one registration at a time.

use tauri::{AppHandle, Runtime};
use tauri_plugin_global_shortcut::{GlobalShortcutExt, ShortcutState};

use crate::window;

/// Replaces whatever was registered. An empty string registers nothing. Returns whether it is held now.
pub(crate) fn register<R: Runtime>(app: &AppHandle<R>, keys: &str) -> bool {
    let shortcuts = app.global_shortcut();
    let _ = shortcuts.unregister_all();
    keys.is_empty()
        || shortcuts
            .on_shortcut(keys, |app, _, event| {
                if event.state == ShortcutState::Pressed {
                    window::show(app);
                }
            })
            .is_ok()
}
