//! The app itself: what it is, and opening the vault.

use nearside_types::{AppInfo, VaultState};
use tauri::{AppHandle, Manager};

use super::{Answer, blocking};
use crate::shell::{Shell, open_vault};

#[tauri::command]
pub(crate) async fn app_info(app: AppHandle) -> Answer<AppInfo> {
    Ok(app.state::<Shell>().info())
}

/// Waits until the first attempt at the keychain has ended.
#[tauri::command]
pub(crate) async fn vault_state(app: AppHandle) -> Answer<VaultState> {
    blocking(move || Ok(app.state::<Shell>().vault_state())).await
}

#[tauri::command]
pub(crate) async fn vault_unlock(app: AppHandle, passphrase: String) -> Answer<()> {
    blocking(move || open_vault(&app, Some(passphrase))).await
}
