//! The library: add, list, remove, forget, search.

use std::path::PathBuf;

use nearside_types::{AppEvent, Forgotten, IndexProgress, IndexedFile, SearchHit, UserText};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager};

use super::{Answer, blocking, with_engine};
use crate::shell::{INDEXING, Shell, emit};

/// How many hits a page shows.
const HITS: usize = 20;

#[tauri::command]
pub(crate) async fn library_add(
    app: AppHandle,
    path: PathBuf,
    channel: Channel<IndexProgress>,
) -> Answer<()> {
    let shell = app.clone();
    let mut tell = move |progress| drop(channel.send(progress));
    let added = blocking(move || shell.state::<Shell>().index(&path, &mut tell)).await;
    emit(&app, &AppEvent::LibraryChanged);
    added
}

#[tauri::command]
pub(crate) async fn library_stop(app: AppHandle) -> Answer<()> {
    app.state::<Shell>().jobs.stop(INDEXING);
    Ok(())
}

#[tauri::command]
pub(crate) async fn library_list(app: AppHandle) -> Answer<Vec<IndexedFile>> {
    with_engine(&app, |engine| engine.library_status()).await
}

#[tauri::command]
pub(crate) async fn library_remove(app: AppHandle, path: PathBuf) -> Answer<()> {
    with_engine(&app, move |engine| engine.library_remove(&path)).await?;
    emit(&app, &AppEvent::LibraryChanged);
    Ok(())
}

#[tauri::command]
pub(crate) async fn library_forget(app: AppHandle, path: PathBuf) -> Answer<Forgotten> {
    let forgotten = with_engine(&app, move |engine| engine.library_forget(&path)).await?;
    emit(&app, &AppEvent::LibraryChanged);
    Ok(forgotten)
}

#[tauri::command]
pub(crate) async fn library_search(app: AppHandle, query: UserText) -> Answer<Vec<SearchHit>> {
    with_engine(&app, move |engine| engine.library_search(&query, HITS)).await
}
