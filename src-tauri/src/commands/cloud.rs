//! The far side's key and whether it answers. The key goes to the keychain and never comes back.

use nearside_types::{AppEvent, ProviderCheck};
use tauri::AppHandle;

use super::{Answer, with_engine};
use crate::shell::emit;

#[tauri::command]
pub(crate) async fn cloud_key_set(app: AppHandle, key: String) -> Answer<()> {
    with_engine(&app, move |engine| engine.set_cloud_key(key)).await?;
    emit(&app, &AppEvent::SettingsChanged);
    Ok(())
}

#[tauri::command]
pub(crate) async fn cloud_key_clear(app: AppHandle) -> Answer<()> {
    with_engine(&app, |engine| engine.clear_cloud_key()).await?;
    emit(&app, &AppEvent::SettingsChanged);
    Ok(())
}

#[tauri::command]
pub(crate) async fn cloud_check(app: AppHandle) -> Answer<ProviderCheck> {
    with_engine(&app, |engine| engine.check_cloud()).await
}
