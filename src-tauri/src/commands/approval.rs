//! What the user says to a preview. The engine waits as long as it takes.

use nearside_engine::Verdict;
use nearside_types::{EntityEdit, OwnEntry, Preview};
use tauri::{AppHandle, Manager};

use super::{Answer, blocking};
use crate::jobs::not_waiting;
use crate::shell::Shell;

#[tauri::command]
pub(crate) async fn approval_update(
    app: AppHandle,
    id: String,
    edits: Vec<EntityEdit>,
    more: Vec<OwnEntry>,
) -> Answer<Preview> {
    let (shown, receive) = std::sync::mpsc::channel();
    app.state::<Shell>().jobs.say(&id, Verdict::Edit { edits, more, shown })?;
    blocking(move || receive.recv().map_err(|_| not_waiting())?).await
}

#[tauri::command]
pub(crate) async fn approval_send(app: AppHandle, id: String, sha256: String) -> Answer<()> {
    app.state::<Shell>().jobs.say(&id, Verdict::Send { sha256 })
}

#[tauri::command]
pub(crate) async fn approval_cancel(app: AppHandle, id: String, keep_local: bool) -> Answer<()> {
    let verdict = if keep_local { Verdict::KeepLocal } else { Verdict::Cancel };
    app.state::<Shell>().jobs.say(&id, verdict)
}
