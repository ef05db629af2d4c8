//! Dropped files, before anything is asked about them.

use nearside_types::FileChip;
use tauri::{AppHandle, Manager};

use super::{Answer, blocking};
use crate::shell::Shell;

#[tauri::command]
pub(crate) async fn files_inspect(app: AppHandle, paths: Vec<String>) -> Answer<Vec<FileChip>> {
    blocking(move || Ok(app.state::<Shell>().inspect(&paths))).await
}
