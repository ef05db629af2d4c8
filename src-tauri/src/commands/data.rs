//! The data folder as a whole: export, restore, move, erase.

use std::path::PathBuf;

use nearside_types::Failure;
use tauri::AppHandle;

use super::{Answer, blocking, with_engine};
use crate::folder;

/// What must be typed before everything is erased; the window shows it.
const CONFIRMATION: &str = "ERASE";

#[tauri::command]
pub(crate) async fn data_export(app: AppHandle, path: PathBuf, passphrase: String) -> Answer<()> {
    with_engine(&app, move |engine| engine.export_data(&path, passphrase)).await
}

/// Replaces the data folder by the archive's content and starts again with it.
#[tauri::command]
pub(crate) async fn data_restore(app: AppHandle, path: PathBuf, passphrase: String) -> Answer<()> {
    let shell = app.clone();
    blocking(move || folder::restore(&shell, &path, passphrase)).await?;
    app.restart()
}

#[tauri::command]
pub(crate) async fn data_move(app: AppHandle, path: PathBuf) -> Answer<()> {
    let shell = app.clone();
    blocking(move || folder::relocate(&shell, &path)).await?;
    app.restart()
}

#[tauri::command]
pub(crate) async fn data_erase(app: AppHandle, confirmation: String) -> Answer<()> {
    if confirmation != CONFIRMATION {
        return Err(Failure::usage(format!("Type {CONFIRMATION} to erase everything.")));
    }
    let shell = app.clone();
    blocking(move || folder::erase(&shell)).await?;
    app.restart()
}
