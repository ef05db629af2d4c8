//! The ledger: what left, whether it is intact, and a copy of it.

use std::path::PathBuf;

use nearside_types::{LedgerItem, LedgerVerdict};
use tauri::AppHandle;

use super::{Answer, with_engine};

#[tauri::command]
pub(crate) async fn ledger_list(app: AppHandle) -> Answer<Vec<LedgerItem>> {
    with_engine(&app, |engine| engine.ledger()).await
}

#[tauri::command]
pub(crate) async fn ledger_verify(app: AppHandle) -> Answer<LedgerVerdict> {
    with_engine(&app, |engine| engine.verify_ledger()).await
}

#[tauri::command]
pub(crate) async fn ledger_export(app: AppHandle, path: PathBuf) -> Answer<()> {
    with_engine(&app, move |engine| engine.export_ledger(&path)).await
}
