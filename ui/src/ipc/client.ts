// The window's only door to the engine: an interface with one function per command, and the choice of who
// stands behind it. Everything else in the window gets a `Client` handed to it and knows no Tauri.
import type {
  Adapter, AppEvent, AppInfo, ChatEvent, Conversation, ConversationSummary, DownloadEvent, EntityEdit, Failure,
  FileChip, Forgotten, IndexedFile, IndexProgress, LedgerItem, LedgerVerdict, Microphone, ModelInfo, OwnEntry, OwnList, Preview,
  ProviderCheck, SearchHit, SendRequest, Settings, SettingsPatch, Transcript, TranscriptFormat, VaultState, VoiceEvent, VoicePatch,
} from "./bindings";

export type Stop = () => void;

/** One change of settings: what it names, and of the voice's settings again only what it names. */
export type SettingsChange = Partial<Omit<SettingsPatch, "voice">> & { voice?: Partial<VoicePatch> };

/** A native drag over the window. Paths are known only on the drop. */
export type FileDrag = { phase: "over" } | { phase: "leave" } | { phase: "drop"; paths: string[] };

export interface Client {
  appInfo(): Promise<AppInfo>;
  vaultState(): Promise<VaultState>;
  vaultUnlock(passphrase: string): Promise<void>;

  conversationsList(): Promise<ConversationSummary[]>;
  conversationOpen(id: string): Promise<Conversation>;
  conversationNew(): Promise<Conversation>;
  conversationRename(id: string, title: string): Promise<void>;
  conversationPin(id: string, pinned: boolean): Promise<void>;
  conversationDelete(id: string): Promise<void>;
  conversationSearch(query: string): Promise<ConversationSummary[]>;
  /** A new conversation that copies the branch up to `message`. */
  conversationFork(id: string, message: string): Promise<Conversation>;
  /** Shows the branch through `message`, to its latest end. */
  conversationShow(id: string, message: string): Promise<Conversation>;

  /** Resolves when the answer has ended, however it ended. */
  messageSend(request: SendRequest, onEvent: (event: ChatEvent) => void): Promise<void>;
  messageStop(conversation: string): Promise<void>;
  /** `more` is what is to be hidden besides. */
  approvalUpdate(id: string, edits: EntityEdit[], more: OwnEntry[]): Promise<Preview>;
  approvalSend(id: string, sha256: string): Promise<void>;
  /** `keepLocal` answers on this machine instead. */
  approvalCancel(id: string, keepLocal: boolean): Promise<void>;

  filesInspect(paths: string[]): Promise<FileChip[]>;

  modelsList(): Promise<ModelInfo[]>;
  modelFetch(name: string, onEvent: (event: DownloadEvent) => void): Promise<void>;
  modelPause(name: string): Promise<void>;
  modelVerify(name: string): Promise<ModelInfo>;
  modelRemove(name: string): Promise<void>;
  modelRollback(name: string): Promise<ModelInfo>;
  devicesList(): Promise<Adapter[]>;

  settingsGet(): Promise<Settings>;
  settingsUpdate(patch: SettingsChange): Promise<Settings>;
  /** What is always hidden from a cloud, and what never is. */
  ownListGet(): Promise<OwnList>;
  ownListSet(list: OwnList): Promise<OwnList>;
  cloudKeySet(key: string): Promise<void>;
  cloudKeyClear(): Promise<void>;
  cloudCheck(): Promise<ProviderCheck>;

  ledgerList(): Promise<LedgerItem[]>;
  ledgerVerify(): Promise<LedgerVerdict>;
  ledgerExport(path: string): Promise<void>;

  libraryAdd(path: string, onProgress: (progress: IndexProgress) => void): Promise<void>;
  libraryStop(): Promise<void>;
  libraryList(): Promise<IndexedFile[]>;
  libraryRemove(path: string): Promise<void>;
  libraryForget(path: string): Promise<Forgotten>;
  librarySearch(query: string): Promise<SearchHit[]>;

  voiceDevices(): Promise<Microphone[]>;
  /** Opens the microphone; resolves after `voiceStop`, or when the microphone is lost, once the text is there. */
  voiceListen(onEvent: (event: VoiceEvent) => void): Promise<Transcript>;
  /** Ends the listening and has what was heard written down. */
  voiceStop(): Promise<void>;
  /** Drops what was heard; the run rejects with kind `cancelled`. */
  voiceCancel(): Promise<void>;
  transcribeFile(path: string, onEvent: (event: VoiceEvent) => void): Promise<Transcript>;
  transcribeStop(): Promise<void>;
  transcriptSave(path: string, format: TranscriptFormat, transcript: Transcript): Promise<void>;

  dataExport(path: string, passphrase: string): Promise<void>;
  dataRestore(path: string, passphrase: string): Promise<void>;
  dataMove(path: string): Promise<void>;
  dataErase(confirmation: string): Promise<void>;

  /** Opens a file in its own program, at a page where that program can. */
  openPath(path: string, page: number | null): Promise<void>;
  /** Hands a link to the system's browser. */
  openLink(url: string): Promise<void>;

  pickFiles(): Promise<string[]>;
  /** Sound files only. */
  pickAudio(): Promise<string[]>;
  pickFolder(): Promise<string | null>;
  pickFile(extension: string): Promise<string | null>;
  pickSavePath(name: string, extension: string): Promise<string | null>;

  onAppEvent(handler: (event: AppEvent) => void): Promise<Stop>;
  onFileDrag(handler: (drag: FileDrag) => void): Promise<Stop>;
}

/** The client for where the page runs: the shell, or invented data in a plain browser during development. */
export async function connect(): Promise<Client | null> {
  if ("__TAURI_INTERNALS__" in window) return (await import("./tauri")).tauriClient();
  if (__DEMO__) return (await import("./fake/fake")).fakeClient({ pace: 1 });
  return null;
}

/** How the names of sound files end that the engine reads. */
export const AUDIO: readonly string[] = ["wav", "mp3", "m4a", "ogg", "flac"];

const KINDS: readonly string[] = [
  "usage", "not_found", "nothing_readable", "refused", "model_missing", "network", "cancelled", "internal",
];

/** Whatever a command rejected with, as a `Failure`. */
export function asFailure(error: unknown): Failure {
  if (typeof error === "object" && error !== null && "kind" in error && "message" in error) {
    const { kind, message } = error;
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    if (typeof kind === "string" && KINDS.includes(kind) && typeof message === "string") {
      const values = "values" in error && typeof error.values === "object" ? (error.values as Failure["values"]) : {};
      return { kind: kind as Failure["kind"], code, message, values };
    }
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "internal", code: "", message, values: {} };
}
