//! The global shortcut that brings the window. It holds one registration at a time.

use tauri::{AppHandle, Runtime};
use tauri_plugin_global_shortcut::{GlobalShortcutExt, ShortcutState};

use crate::window;

/// Lets go of `held` and registers `keys`; empty strings are none. Returns whether `keys` are held now.
///
/// Not by the plugin's `unregister_all`: that one keeps its table locked while it waits for the thread that
/// hears keys, and that thread waits for the table when a key comes in the meantime.
pub(crate) fn exchange<R: Runtime>(app: &AppHandle<R>, held: &str, keys: &str) -> bool {
    let shortcuts = app.global_shortcut();
    if !held.is_empty() {
        let _ = shortcuts.unregister(held);
    }
    keys.is_empty()
        || shortcuts
            .on_shortcut(keys, |app, _, event| {
                if event.state == ShortcutState::Pressed {
                    window::show(app);
                }
            })
            .is_ok()
}
