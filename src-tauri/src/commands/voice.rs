//! Voice: the microphone, recordings, and transcripts that are saved. The window keeps the transcripts.

use std::path::PathBuf;

use nearside_types::{Microphone, Transcript, TranscriptFormat, VoiceEvent};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager};

use super::{Answer, blocking, with_engine};
use crate::notify;
use crate::shell::Shell;

/// The run of the microphone among the jobs: stopping it drops what was heard.
const LISTENING: &str = "voice:listening";
/// Stopping this one ends the listening and has what was heard written down.
const HEARING: &str = "voice:hearing";
const TRANSCRIBING: &str = "voice:transcribing";

#[tauri::command]
pub(crate) async fn voice_devices(app: AppHandle) -> Answer<Vec<Microphone>> {
    with_engine(&app, |engine| engine.headless().microphones()).await
}

/// Resolves when what was heard is written down.
#[tauri::command]
pub(crate) async fn voice_listen(
    app: AppHandle,
    channel: Channel<VoiceEvent>,
) -> Answer<Transcript> {
    let shell = app.clone();
    with_engine(&app, move |engine| {
        let shell = shell.state::<Shell>();
        let listening = shell.jobs.begin(LISTENING)?;
        let hearing = shell.jobs.begin(HEARING)?;
        let mut tell = |event| drop(channel.send(event));
        engine.headless().hear(&hearing.cancel, &listening.cancel, &mut tell)
    })
    .await
}

#[tauri::command]
pub(crate) async fn voice_stop(app: AppHandle) -> Answer<()> {
    app.state::<Shell>().jobs.stop(HEARING);
    Ok(())
}

#[tauri::command]
pub(crate) async fn voice_cancel(app: AppHandle) -> Answer<()> {
    app.state::<Shell>().jobs.stop(LISTENING);
    Ok(())
}

#[tauri::command]
pub(crate) async fn transcribe_file(
    app: AppHandle,
    path: PathBuf,
    channel: Channel<VoiceEvent>,
) -> Answer<Transcript> {
    let (begun, shell) = (std::time::Instant::now(), app.clone());
    let written = with_engine(&app, move |engine| {
        let shell = shell.state::<Shell>();
        let running = shell.jobs.begin(TRANSCRIBING)?;
        let mut tell = |event| drop(channel.send(event));
        engine.headless().transcribe_file(&path, &running.cancel, &mut tell)
    })
    .await;
    if written.is_ok() {
        notify::after(&app, begun, |words| words.transcript_ready);
    }
    written
}

#[tauri::command]
pub(crate) async fn transcribe_stop(app: AppHandle) -> Answer<()> {
    app.state::<Shell>().jobs.stop(TRANSCRIBING);
    Ok(())
}

#[tauri::command]
pub(crate) async fn transcript_save(
    path: PathBuf,
    format: TranscriptFormat,
    transcript: Transcript,
) -> Answer<()> {
    blocking(move || nearside_engine::save_transcript(&path, format, &transcript)).await
}
