//! Conversations: list, open, make, name, pin, delete, search, fork, show another branch.

use nearside_types::{
    AppEvent, Conversation, ConversationId, ConversationSummary, MessageId, UserText,
};
use tauri::AppHandle;

use super::{Answer, with_engine};
use crate::shell::emit;

#[tauri::command]
pub(crate) async fn conversations_list(app: AppHandle) -> Answer<Vec<ConversationSummary>> {
    with_engine(&app, |engine| engine.conversations()).await
}

#[tauri::command]
pub(crate) async fn conversation_open(app: AppHandle, id: ConversationId) -> Answer<Conversation> {
    with_engine(&app, move |engine| engine.conversation(&id)).await
}

#[tauri::command]
pub(crate) async fn conversation_new(app: AppHandle) -> Answer<Conversation> {
    with_engine(&app, |engine| engine.new_conversation()).await
}

#[tauri::command]
pub(crate) async fn conversation_rename(
    app: AppHandle,
    id: ConversationId,
    title: UserText,
) -> Answer<()> {
    with_engine(&app, move |engine| engine.rename_conversation(&id, &title)).await?;
    emit(&app, &AppEvent::ConversationsChanged);
    Ok(())
}

#[tauri::command]
pub(crate) async fn conversation_pin(
    app: AppHandle,
    id: ConversationId,
    pinned: bool,
) -> Answer<()> {
    with_engine(&app, move |engine| engine.pin_conversation(&id, pinned)).await?;
    emit(&app, &AppEvent::ConversationsChanged);
    Ok(())
}

#[tauri::command]
pub(crate) async fn conversation_delete(app: AppHandle, id: ConversationId) -> Answer<()> {
    with_engine(&app, move |engine| engine.delete_conversation(&id)).await?;
    emit(&app, &AppEvent::ConversationsChanged);
    Ok(())
}

#[tauri::command]
pub(crate) async fn conversation_search(
    app: AppHandle,
    query: UserText,
) -> Answer<Vec<ConversationSummary>> {
    with_engine(&app, move |engine| engine.search_conversations(&query)).await
}

/// A new conversation that begins as this branch up to `message`.
#[tauri::command]
pub(crate) async fn conversation_fork(
    app: AppHandle,
    id: ConversationId,
    message: MessageId,
) -> Answer<Conversation> {
    let copy = with_engine(&app, move |engine| engine.fork_conversation(&id, &message)).await?;
    emit(&app, &AppEvent::ConversationsChanged);
    Ok(copy)
}

/// Shows the branch through `message` from now on.
#[tauri::command]
pub(crate) async fn conversation_show(
    app: AppHandle,
    id: ConversationId,
    message: MessageId,
) -> Answer<Conversation> {
    with_engine(&app, move |engine| engine.show_branch(&id, &message)).await
}
