//! The one window: built, shown, hidden, closed. What is inside it is ui/'s business.

use tauri::webview::{NewWindowResponse, WebviewWindowBuilder};
use tauri::{AppHandle, Manager, Runtime, WebviewUrl, Window, WindowEvent};

use crate::shell::Shell;

pub(crate) const MAIN: &str = "main";

/// # Errors
/// When the system's web view cannot be made.
pub(crate) fn build<R: Runtime>(app: &AppHandle<R>, hidden: bool) -> tauri::Result<()> {
    WebviewWindowBuilder::new(app, MAIN, WebviewUrl::App("index.html".into()))
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
pub(crate) fn on_event<R: Runtime>(window: &Window<R>, event: &WindowEvent) {
    if let WindowEvent::CloseRequested { api, .. } = event {
        let shell = window.state::<Shell>();
        if shell.has_tray() && shell.settings().close_to_tray {
            api.prevent_close();
            let _ = window.hide();
        } else {
            window.app_handle().exit(0);
        }
    }
}
