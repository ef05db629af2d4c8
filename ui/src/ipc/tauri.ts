// The real client: Tauri commands, channels and window events. It translates names and nothing else.
import { Channel, invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import { getCurrentWebview } from "@tauri-apps/api/webview";
import { open, save } from "@tauri-apps/plugin-dialog";
import type { AppEvent } from "./bindings";
import { AUDIO, type Client } from "./client";

/** A channel whose messages go to `handler`, in order. */
function channel<T>(handler: (event: T) => void): Channel<T> {
  const made = new Channel<T>();
  made.onmessage = handler;
  return made;
}

export function tauriClient(): Client {
  return {
    appInfo: () => invoke("app_info"),
    vaultState: () => invoke("vault_state"),
    vaultUnlock: (passphrase) => invoke("vault_unlock", { passphrase }),

    conversationsList: () => invoke("conversations_list"),
    conversationOpen: (id) => invoke("conversation_open", { id }),
    conversationNew: () => invoke("conversation_new"),
    conversationRename: (id, title) => invoke("conversation_rename", { id, title }),
    conversationPin: (id, pinned) => invoke("conversation_pin", { id, pinned }),
    conversationDelete: (id) => invoke("conversation_delete", { id }),
    conversationSearch: (query) => invoke("conversation_search", { query }),
    conversationFork: (id, message) => invoke("conversation_fork", { id, message }),
    conversationShow: (id, message) => invoke("conversation_show", { id, message }),

    messageSend: (request, onEvent) => invoke("message_send", { request, channel: channel(onEvent) }),
    messageStop: (conversation) => invoke("message_stop", { conversation }),
    approvalUpdate: (id, edits, more) => invoke("approval_update", { id, edits, more }),
    approvalSend: (id, sha256) => invoke("approval_send", { id, sha256 }),
    approvalCancel: (id, keepLocal) => invoke("approval_cancel", { id, keepLocal }),

    filesInspect: (paths) => invoke("files_inspect", { paths }),

    modelsList: () => invoke("models_list"),
    modelFetch: (name, onEvent) => invoke("model_fetch", { name, channel: channel(onEvent) }),
    modelPause: (name) => invoke("model_pause", { name }),
    modelVerify: (name) => invoke("model_verify", { name }),
    modelRemove: (name) => invoke("model_remove", { name }),
    modelRollback: (name) => invoke("model_rollback", { name }),
    devicesList: () => invoke("devices_list"),

    settingsGet: () => invoke("settings_get"),
    settingsUpdate: (patch) => invoke("settings_update", { patch }),
    cloudKeySet: (key) => invoke("cloud_key_set", { key }),
    cloudKeyClear: () => invoke("cloud_key_clear"),
    cloudCheck: () => invoke("cloud_check"),

    ownListGet: () => invoke("own_list_get"),
    ownListSet: (list) => invoke("own_list_set", { list }),
    ledgerList: () => invoke("ledger_list"),
    ledgerVerify: () => invoke("ledger_verify"),
    ledgerExport: (path) => invoke("ledger_export", { path }),

    libraryAdd: (path, onProgress) => invoke("library_add", { path, channel: channel(onProgress) }),
    libraryStop: () => invoke("library_stop"),
    libraryList: () => invoke("library_list"),
    libraryRemove: (path) => invoke("library_remove", { path }),
    libraryForget: (path) => invoke("library_forget", { path }),
    librarySearch: (query) => invoke("library_search", { query }),

    voiceDevices: () => invoke("voice_devices"),
    voiceListen: (onEvent) => invoke("voice_listen", { channel: channel(onEvent) }),
    voiceStop: () => invoke("voice_stop"),
    voiceCancel: () => invoke("voice_cancel"),
    transcribeFile: (path, onEvent) => invoke("transcribe_file", { path, channel: channel(onEvent) }),
    transcribeStop: () => invoke("transcribe_stop"),
    transcriptSave: (path, format, transcript) => invoke("transcript_save", { path, format, transcript }),

    dataExport: (path, passphrase) => invoke("data_export", { path, passphrase }),
    dataRestore: (path, passphrase) => invoke("data_restore", { path, passphrase }),
    dataMove: (path) => invoke("data_move", { path }),
    dataErase: (confirmation) => invoke("data_erase", { confirmation }),

    openPath: (path, page) => invoke("open_path", { path, page }),
    openLink: (url) => invoke("open_link", { url }),

    pickFiles: async () => (await open({ multiple: true })) ?? [],
    pickAudio: async () => (await open({ multiple: true, filters: [{ name: AUDIO.join(", "), extensions: [...AUDIO] }] })) ?? [],
    pickFolder: () => open({ directory: true }),
    pickFile: (extension) => open({ filters: [{ name: extension, extensions: [extension] }] }),
    pickSavePath: (name, extension) =>
      save({ defaultPath: name, filters: [{ name: extension, extensions: [extension] }] }),

    onAppEvent: (handler) => listen<AppEvent>("app", ({ payload }) => handler(payload)),
    onFileDrag: (handler) =>
      getCurrentWebview().onDragDropEvent(({ payload }) => {
        if (payload.type === "drop") handler({ phase: "drop", paths: payload.paths });
        else if (payload.type === "leave") handler({ phase: "leave" });
        else handler({ phase: "over" });
      }),
  };
}
