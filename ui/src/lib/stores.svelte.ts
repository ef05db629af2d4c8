// Puts the stores together once and hands them to components through the context. It also answers the
// shell's events. It owns which page, overlay and drawer is open; each store owns the rest.
import { getContext, setContext } from "svelte";
import type { AppEvent, AppInfo, VaultState } from "$/ipc/bindings";
import type { Client } from "$/ipc/client";
import { Chats } from "$/features/chat/chats.svelte";
import type { ChatView } from "$/features/chat/live.svelte";
import { Attachments } from "$/features/files/attachments.svelte";
import { Ledger } from "$/features/ledger/ledger.svelte";
import { Library } from "$/features/library/library.svelte";
import { Models } from "$/features/models/models.svelte";
import { SettingsStore } from "$/features/settings/settings.svelte";
import type { Purpose } from "$/features/voice/listening.svelte";
import { Voice } from "$/features/voice/voice.svelte";
import { coded, t } from "$/i18n/index.svelte";
import { baseName } from "./format";
import { Notices } from "./notices.svelte";

export const PAGES = ["chat", "library", "voice", "models", "ledger", "settings"] as const;
export type Page = (typeof PAGES)[number];
/** The page on which one sees what the microphone is open for. */
const HEARD_ON: Record<Purpose, Page> = { page: "voice", composer: "chat", test: "settings" };
export type DetailSection = "route" | "coverage" | "sources" | "sent";

export class Stores {
  info = $state.raw<AppInfo | null>(null);
  vault = $state.raw<VaultState | null>(null);
  page = $state<Page>("chat");
  /** Whether the list of conversations stands beside the page; where there is no room, it only peeks. */
  sidebar = $state(true);
  narrow = $state(false);
  peek = $state(false);
  overlay = $state<"palette" | "shortcuts" | null>(null);
  /** The answer whose details the drawer shows. */
  details = $state.raw<{ message: string; section: DetailSection } | null>(null);
  /** The welcome can be opened again from the settings. */
  welcome = $state(false);

  readonly notices = new Notices();
  readonly settings: SettingsStore;
  readonly attachments: Attachments;
  readonly chats: Chats;
  readonly models: Models;
  readonly ledger: Ledger;
  readonly library: Library;
  readonly voice: Voice;

  #listens = false;

  constructor(readonly client: Client) {
    this.settings = new SettingsStore(client, this.notices);
    this.attachments = new Attachments(client);
    this.chats = new Chats(client, this.notices, this.attachments);
    this.chats.localOnly = () => this.settings.value.local_only;
    this.chats.onwait = (view) => this.#tellWaiting(view);
    this.models = new Models(client, this.notices);
    this.ledger = new Ledger(client, this.notices);
    this.library = new Library(client, this.notices);
    this.voice = new Voice(client, this.notices, this.chats, this.models);
    this.voice.onfile = (path) => {
      if (this.page === "voice") return;
      this.notices.tell(t("voice.file_done", { name: baseName(path) }), { label: t("notice.open"), run: () => this.go("voice") });
    };
  }

  /** What the first paint needs; the rest follows once the vault is open. Safe to call again. */
  async start(): Promise<void> {
    await this.notices.guard(async () => {
      if (!this.#listens) await this.client.onAppEvent((event) => this.#heard(event));
      const again = this.#listens;
      this.#listens = true;
      this.info = await this.client.appInfo();
      // What the shell could not have at its start, such as the global shortcut.
      if (!again) for (const text of this.info.notices) this.notices.tell(text);
      // This one may wait for the keychain to be unlocked.
      this.vault = await this.client.vaultState();
    });
    if (this.vault?.state === "open") await this.opened();
  }

  async opened(): Promise<void> {
    await this.settings.refresh();
    this.chats.route = this.settings.value.default_route;
    this.welcome = this.settings.loaded && !this.settings.value.welcome_done;
    await Promise.all([this.chats.refresh(), this.models.refresh(), this.models.refreshDevices()]);
  }

  get listShown(): boolean {
    return this.narrow ? this.peek : this.sidebar;
  }

  toggleList(): void {
    if (this.narrow) this.peek = !this.peek;
    else this.sidebar = !this.sidebar;
  }

  go(page: Page): void {
    this.page = page;
    this.peek = false;
    this.overlay = null;
    this.details = null;
    if (page === "ledger") void this.ledger.refresh();
    if (page === "library") void this.library.refresh();
    if (page === "models" || page === "voice") void this.models.refresh();
    if (page === "voice") void this.voice.refreshDevices();
  }

  /** Whether the microphone is open, or writes down, for what is on this page. */
  get hearsHere(): boolean {
    const { purpose } = this.voice.listening;
    return purpose !== null && HEARD_ON[purpose] === this.page;
  }

  /** Where the microphone is open elsewhere: the page that shows it. */
  get hearsElsewhere(): Page | null {
    const { purpose } = this.voice.listening;
    return purpose === null || this.hearsHere ? null : HEARD_ON[purpose];
  }

  /** Dictates into the composer, or records on the voice page; while something is heard, ends that. */
  toggleVoice(): void {
    const { listening, missing } = this.voice;
    if (listening.active) void listening.stop();
    else if (missing.length > 0) this.go("voice");
    else if (this.page === "voice") void this.voice.record();
    else {
      if (this.page !== "chat") this.go("chat");
      void this.voice.dictate();
    }
  }

  /** A new conversation with this text in the composer, and the cursor before it for the question. */
  askAbout(text: string): void {
    this.newConversation();
    const draft = this.chats.draft.trimEnd();
    this.chats.draft = `${draft}\n\n${text}`;
    this.chats.caretAsked = draft.length;
    this.chats.focusAsked += 1;
  }

  newConversation(): void {
    this.go("chat");
    this.chats.startNew();
  }

  async openConversation(id: string): Promise<void> {
    this.go("chat");
    await this.chats.open(id);
  }

  /** An approval that the user cannot see is announced; it waits all the same. */
  #tellWaiting(view: ChatView): void {
    const id = view.id;
    if (id === null || (this.page === "chat" && this.chats.view === view)) return;
    const words = t("notice.waits", { title: view.summary?.title || t("chat.new") });
    this.notices.tell(words, { label: t("notice.open"), run: () => void this.openConversation(id) });
  }

  #heard(event: AppEvent): void {
    switch (event.event) {
      case "conversations_changed":
        void this.chats.refresh();
        break;
      case "settings_changed":
        void this.settings.refresh();
        break;
      case "models_changed":
        void this.models.refresh();
        break;
      case "ledger_changed":
        if (this.page === "ledger") void this.ledger.refresh();
        break;
      case "library_changed":
        if (this.page === "library") void this.library.refresh();
        break;
      case "navigate": {
        const page = PAGES.find((name) => name === event.page);
        if (page) this.go(page);
        break;
      }
      case "voice_toggle":
        if (this.vault?.state === "open" && !this.welcome) this.toggleVoice();
        break;
      case "new_conversation":
        this.newConversation();
        break;
      case "notice":
        this.notices.tell(coded("notice", event.code, event.text));
        break;
    }
  }
}

const KEY = Symbol("stores");

export const provideStores = (stores: Stores): Stores => setContext(KEY, stores);
export const useStores = (): Stores => getContext<Stores>(KEY);
