//! Settings: all of them, and one patch for any of them.

use nearside_types::{Settings, SettingsPatch};
use tauri::{AppHandle, Manager};

use super::{Answer, blocking};
use crate::shell::Shell;

#[tauri::command]
pub(crate) async fn settings_get(app: AppHandle) -> Answer<Settings> {
    Ok(app.state::<Shell>().settings())
}

#[tauri::command]
pub(crate) async fn settings_update(app: AppHandle, patch: SettingsPatch) -> Answer<Settings> {
    blocking(move || app.state::<Shell>().update_settings(&app, patch)).await
}
