//! The commands of the window: each parses nothing more than its arguments, calls the engine, and returns a
//! typed value or a `Failure`. Blocking work runs on its own thread, never on the window's.

mod app;
mod approval;
mod cloud;
mod conversation;
mod data;
mod files;
mod ledger;
mod library;
mod message;
mod model;
mod open;
mod own_list;
mod settings;
mod voice;

use std::sync::Arc;

use nearside_engine::Engine;
use nearside_types::Failure;
use tauri::{AppHandle, Manager, Wry};

use crate::shell::Shell;

pub(crate) use model::download;

pub(crate) type Answer<T> = Result<T, Failure>;

/// Runs blocking work with the open engine.
pub(crate) async fn with_engine<T: Send + 'static>(
    app: &AppHandle,
    work: impl FnOnce(&Arc<Engine>) -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let engine = app.state::<Shell>().engine()?;
    blocking(move || work(&engine)).await
}

/// Runs blocking work on a thread of its own.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    let broke = |_| Failure::internal("A task of Nearside ended unexpectedly; please try again.");
    tauri::async_runtime::spawn_blocking(work).await.map_err(broke)?
}

/// Every command by its name, as ui/src/ipc/tauri.ts calls it.
pub(crate) fn handler() -> impl Fn(tauri::ipc::Invoke<Wry>) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        app::app_info,
        app::vault_state,
        app::vault_unlock,
        approval::approval_cancel,
        approval::approval_send,
        approval::approval_update,
        cloud::cloud_check,
        cloud::cloud_key_clear,
        cloud::cloud_key_set,
        conversation::conversation_delete,
        conversation::conversation_fork,
        conversation::conversation_new,
        conversation::conversation_open,
        conversation::conversation_pin,
        conversation::conversation_rename,
        conversation::conversation_search,
        conversation::conversation_show,
        conversation::conversations_list,
        data::data_erase,
        data::data_export,
        data::data_move,
        data::data_restore,
        files::files_inspect,
        ledger::ledger_export,
        ledger::ledger_list,
        ledger::ledger_verify,
        library::library_add,
        library::library_forget,
        library::library_list,
        library::library_remove,
        library::library_search,
        library::library_stop,
        message::message_send,
        message::message_stop,
        model::devices_list,
        model::model_fetch,
        model::model_pause,
        model::model_remove,
        model::model_rollback,
        model::model_verify,
        model::models_list,
        open::open_link,
        open::open_path,
        own_list::own_list_get,
        own_list::own_list_set,
        settings::settings_get,
        settings::settings_update,
        voice::transcribe_file,
        voice::transcribe_stop,
        voice::transcript_save,
        voice::voice_cancel,
        voice::voice_devices,
        voice::voice_listen,
        voice::voice_stop,
    ]
}
