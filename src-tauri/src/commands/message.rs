//! Sending a message and stopping the answer.

use nearside_types::{AppEvent, ChatEvent, SendRequest};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager};

use super::{Answer, with_engine};
use crate::notify;
use crate::shell::{Shell, emit};

/// Resolves when the answer has ended. A window that is gone only misses the events: the answer is stored.
#[tauri::command]
pub(crate) async fn message_send(
    app: AppHandle,
    request: SendRequest,
    channel: Channel<ChatEvent>,
) -> Answer<()> {
    let (begun, shell) = (std::time::Instant::now(), app.clone());
    let sent = with_engine(&app, move |engine| {
        let shell = shell.state::<Shell>();
        let running = shell.jobs.begin(&request.conversation.0)?;
        engine.send(request, &running.cancel, &mut &shell.jobs, &mut |event| {
            drop(channel.send(event))
        })
    })
    .await;
    notify::after(
        &app,
        begun,
        |words| if sent.is_ok() { words.answer_ready } else { words.answer_failed },
    );
    emit(&app, &AppEvent::ConversationsChanged);
    sent
}

#[tauri::command]
pub(crate) async fn message_stop(app: AppHandle, conversation: String) -> Answer<()> {
    app.state::<Shell>().jobs.stop(&conversation);
    Ok(())
}
