// Voice as the window has it: the microphones, what this window heard so far, and dictation into the composer.
// Transcripts live in memory only; what is to stay is saved to a file or asked about.
import { t } from "$/i18n/index.svelte";
import type { Microphone, ModelInfo, Transcript } from "$/ipc/bindings";
import type { Client } from "$/ipc/client";
import type { Chats } from "$/features/chat/chats.svelte";
import type { Models } from "$/features/models/models.svelte";
import { duration } from "$/lib/format";
import type { Notices } from "$/lib/notices.svelte";
import { Listening, type Heard } from "./listening.svelte";
import { Recordings } from "./recordings.svelte";

/** The models without which nothing can be written down, by their names in the catalog. */
export const NEEDED: readonly string[] = ["whisper-base", "silero-vad"];

/** A transcript of this session. */
export interface Entry extends Heard {
  id: number;
  /** Null when it came from the microphone. */
  path: string | null;
  /** When it was heard, in milliseconds. */
  at: number;
}

export class Voice {
  devices = $state.raw<Microphone[]>([]);
  devicesKnown = $state(false);
  /** The latest first. */
  items = $state.raw<Entry[]>([]);
  shownId = $state<number | null>(null);
  readonly shown: Entry | null = $derived(this.items.find((item) => item.id === this.shownId) ?? null);
  readonly listening: Listening;
  readonly recordings: Recordings;
  /** Called when a file is written down, for a user who looks elsewhere. */
  onfile: (path: string) => void = () => {};
  #next = 0;

  constructor(
    private readonly client: Client,
    private readonly notices: Notices,
    private readonly chats: Chats,
    private readonly models: Models,
  ) {
    this.listening = new Listening(client, notices);
    this.recordings = new Recordings(client, notices, (path, transcript) => {
      this.#keep(path, { transcript, lost: null });
      this.onfile(path);
    });
  }

  /** What has to be fetched before anything can be written down; empty as long as nobody knows. */
  get missing(): ModelInfo[] {
    return this.models.items.filter((model) => NEEDED.includes(model.name) && model.state !== "installed");
  }

  /** Something is heard or written down. */
  get busy(): boolean {
    return this.listening.active || this.recordings.waiting.length > 0;
  }

  async refreshDevices(): Promise<void> {
    await this.notices.guard(async () => {
      this.devices = await this.client.voiceDevices();
      this.devicesKnown = true;
    });
  }

  /** Listens for the page; the text becomes the entry that is shown. */
  async record(): Promise<void> {
    const heard = await this.listening.listen("page");
    if (heard) this.#keep(null, heard);
    if (heard?.lost || this.listening.failure) await this.refreshDevices();
  }

  /** Listens for the composer of the open conversation; the text goes to its cursor and is never sent. */
  async dictate(): Promise<void> {
    const { view } = this.chats;
    // So that Enter and Esc end it, and the words go where the cursor is.
    this.chats.focusAsked += 1;
    const heard = await this.listening.listen("composer");
    const { failure } = this.listening;
    if (failure) {
      this.listening.failure = null;
      this.notices.fail(failure);
    }
    if (!heard) return;
    if (heard.lost !== null) this.notices.tell(t("voice.lost", { time: duration(heard.lost) }));
    if (heard.transcript.no_speech) this.notices.brief(t("voice.no_speech"));
    else this.chats.insert(view, heard.transcript.text);
  }

  forget(id: number): void {
    this.items = this.items.filter((item) => item.id !== id);
  }

  #keep(path: string | null, heard: { transcript: Transcript; lost: number | null }): void {
    const id = this.#next++;
    this.items = [{ id, path, at: Date.now(), ...heard }, ...this.items];
    this.shownId = id;
  }
}
