//! The one window: built, shown, hidden, closed. What is inside it is ui/'s business.

use tauri::webview::{NewWindowResponse, WebviewWindowBuilder};
use tauri::{AppHandle, Manager, Runtime, WebviewUrl, WebviewWindow, Window, WindowEvent};
use tauri_plugin_window_state::StateFlags;

use crate::shell::Shell;

pub(crate) const MAIN: &str = "main";

/// What of the window's state is kept over a restart. Not whether it was visible: a window that was hidden
/// in the tray when the program ended must be seen at the next start.
pub(crate) fn kept_state() -> StateFlags {
    StateFlags::all() - StateFlags::VISIBLE
}

/// # Errors
/// When the system's web view cannot be made.
pub(crate) fn build<R: Runtime>(app: &AppHandle<R>, hidden: bool) -> tauri::Result<()> {
    let window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::App("index.html".into()))
        .title("Nearside")
        .inner_size(1180.0, 780.0)
        .min_inner_size(640.0, 480.0)
        .visible(!hidden)
        // The interface is inside the binary: any other page is somebody else's.
        .on_navigation(|url| {
            matches!(url.host_str(), None | Some("localhost" | "tauri.localhost" | "ipc.localhost"))
        })
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .build()?;
    paint_plainly(&window)
}

/// WebKitGTK composes with OpenGL as long as nobody says otherwise: tens of megabytes for pages of text, and on
/// some drivers a window that stays white. Other systems' web views need no such word.
fn paint_plainly<R: Runtime>(window: &WebviewWindow<R>) -> tauri::Result<()> {
    #[cfg(target_os = "linux")]
    window.with_webview(|view| {
        use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt, WebViewExt};
        if let Some(settings) = view.inner().settings() {
            settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
        }
    })?;
    let _ = window;
    Ok(())
}

/// Brings the window to the front, from the tray, the shortcut, or a second start.
pub(crate) fn show<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(MAIN) {
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

/// Closing hides the window only where a tray icon can bring it back: nobody is trapped without one.
pub(crate) fn on_event(window: &Window, event: &WindowEvent) {
    if let WindowEvent::CloseRequested { api, .. } = event {
        let (app, shell) = (window.app_handle(), window.state::<Shell>());
        let settings = shell.settings();
        if settings.close_to_tray && shell.find_tray(app, &settings) {
            api.prevent_close();
            let _ = window.hide();
        } else {
            app.exit(0);
        }
    }
}
