//! The user's own list: what is always hidden from a cloud, and what never is.

use nearside_types::OwnList;
use tauri::AppHandle;

use super::{Answer, with_engine};

#[tauri::command]
pub(crate) async fn own_list_get(app: AppHandle) -> Answer<OwnList> {
    with_engine(&app, |engine| engine.own_list()).await
}

#[tauri::command]
pub(crate) async fn own_list_set(app: AppHandle, list: OwnList) -> Answer<OwnList> {
    with_engine(&app, move |engine| engine.set_own_list(list)).await
}
