//! Notifications of the desktop, only when the window is not looked at, and never with content in them:
//! a lock screen shows them to everybody.

use std::time::Duration;

use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_notification::NotificationExt;

use crate::shell::Shell;
use crate::window::MAIN;
use crate::words::{Words, system_locale, words};

/// Jobs shorter than this end before anybody looks away. `NEARSIDE_LONG_JOB_SECONDS` is another length, for
/// those who look away sooner and for tests, which must not depend on how quick a machine is.
fn long() -> Duration {
    let wished = std::env::var("NEARSIDE_LONG_JOB_SECONDS").ok();
    Duration::from_secs(wished.and_then(|seconds| seconds.parse().ok()).unwrap_or(8))
}

pub(crate) fn after<R: Runtime>(
    app: &AppHandle<R>,
    begun: std::time::Instant,
    say: impl FnOnce(&Words) -> &'static str,
) {
    let settings = app.state::<Shell>().settings();
    let looking = app.get_webview_window(MAIN).is_some_and(|window| {
        window.is_visible().unwrap_or(false) && window.is_focused().unwrap_or(false)
    });
    if !settings.notifications || looking || begun.elapsed() < long() {
        return;
    }
    let text = say(words(settings.language, &system_locale()));
    // A desktop without a notification service is not an error of ours.
    let _ = app.notification().builder().title("Nearside").body(text).show();
}
