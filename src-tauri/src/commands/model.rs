//! Models and devices. They need no vault: a first run fetches a model before anything else.

use nearside_types::{Adapter, AppEvent, Cancel, DownloadEvent, ModelInfo};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager};

use super::{Answer, blocking};
use crate::notify;
use crate::shell::{Shell, emit};

#[tauri::command]
pub(crate) async fn models_list(app: AppHandle) -> Answer<Vec<ModelInfo>> {
    blocking(move || Ok(app.state::<Shell>().headless().models())).await
}

#[tauri::command]
pub(crate) async fn model_fetch(
    app: AppHandle,
    name: String,
    channel: Channel<DownloadEvent>,
) -> Answer<()> {
    let (begun, shell) = (std::time::Instant::now(), app.clone());
    let fetched = blocking(move || {
        shell.state::<Shell>().fetch(&name, &mut |event| drop(channel.send(event)))
    })
    .await;
    if fetched.is_ok() {
        notify::after(&app, begun, |words| words.download_ready);
    }
    emit(&app, &AppEvent::ModelsChanged);
    fetched
}

#[tauri::command]
pub(crate) async fn model_pause(app: AppHandle, name: String) -> Answer<()> {
    app.state::<Shell>().jobs.stop(&download(&name));
    Ok(())
}

#[tauri::command]
pub(crate) async fn model_verify(app: AppHandle, name: String) -> Answer<ModelInfo> {
    blocking(move || {
        app.state::<Shell>().headless().verify_model(&name, &Cancel::new(), &mut |_, _| {})
    })
    .await
}

#[tauri::command]
pub(crate) async fn model_remove(app: AppHandle, name: String) -> Answer<()> {
    let shell = app.clone();
    blocking(move || shell.state::<Shell>().headless().remove_model(&name)).await?;
    emit(&app, &AppEvent::ModelsChanged);
    Ok(())
}

#[tauri::command]
pub(crate) async fn model_rollback(app: AppHandle, name: String) -> Answer<ModelInfo> {
    let shell = app.clone();
    let info = blocking(move || shell.state::<Shell>().headless().rollback_model(&name)).await?;
    emit(&app, &AppEvent::ModelsChanged);
    Ok(info)
}

#[tauri::command]
pub(crate) async fn devices_list(app: AppHandle) -> Answer<Vec<Adapter>> {
    blocking(move || {
        Ok(app.state::<Shell>().headless().devices(app.state::<Shell>().settings().device))
    })
    .await
}

/// The name of a download among the jobs; no conversation's id has a colon in it.
pub(crate) fn download(name: &str) -> String {
    format!("download:{name}")
}
