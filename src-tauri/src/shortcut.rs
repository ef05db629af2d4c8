//! The global shortcuts: one brings the window, one dictates. Each holds one registration at a time.

use tauri::{AppHandle, Runtime};
use tauri_plugin_global_shortcut::{GlobalShortcutExt, ShortcutState};

use nearside_types::AppEvent;

use crate::shell::emit;
use crate::window;

/// Brings the window.
pub(crate) fn show<R: Runtime>(app: &AppHandle<R>) {
    window::show(app);
}

/// Brings the window and starts dictating in it, or ends what listens.
pub(crate) fn dictate<R: Runtime>(app: &AppHandle<R>) {
    window::show(app);
    emit(app, &AppEvent::VoiceToggle);
}

/// Lets go of `held` and registers `keys` for `run`; empty strings are none. Returns whether `keys` are held
/// now.
///
/// Not by the plugin's `unregister_all`: that one keeps its table locked while it waits for the thread that
/// hears keys, and that thread waits for the table when a key comes in the meantime.
pub(crate) fn exchange<R: Runtime>(
    app: &AppHandle<R>,
    held: &str,
    keys: &str,
    run: fn(&AppHandle<R>),
) -> bool {
    let shortcuts = app.global_shortcut();
    if !held.is_empty() {
        let _ = shortcuts.unregister(held);
    }
    keys.is_empty()
        || shortcuts
            .on_shortcut(keys, move |app, _, event| {
                if event.state == ShortcutState::Pressed {
                    run(app);
                }
            })
            .is_ok()
}
