// Sound files that are written down, one after another, whoever brings them.
import type { Failure, Transcript } from "$/ipc/bindings";
import { asFailure, AUDIO, type Client } from "$/ipc/client";
import type { Notices } from "$/lib/notices.svelte";
import type { Written } from "./listening.svelte";

/** Whether a file's name says that it holds sound. */
export const isAudio = (path: string): boolean => AUDIO.includes(path.toLowerCase().split(".").at(-1) ?? "");

export class Recordings {
  /** Paths that are written down, the first of them now. */
  waiting = $state.raw<string[]>([]);
  /** Seconds of the first. */
  progress = $state.raw<Written | null>(null);
  stopping = $state(false);
  failed = $state.raw<{ path: string; failure: Failure }[]>([]);

  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: Client,
    private readonly notices: Notices,
    private readonly ondone: (path: string, transcript: Transcript) => void,
  ) {}

  async add(paths: readonly string[]): Promise<void> {
    const fresh = [...new Set(paths)].filter((path) => !this.waiting.includes(path));
    this.failed = this.failed.filter((one) => !fresh.includes(one.path));
    this.waiting = [...this.waiting, ...fresh];
    this.#last = this.#last.then(() => this.#all(fresh));
    await this.#last;
  }

  async #all(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      if (!this.waiting.includes(path)) continue;
      try {
        const transcript = await this.client.transcribeFile(path, (event) => {
          if (event.event === "transcribing") this.progress = { done: event.done, total: event.total };
        });
        this.ondone(path, transcript);
      } catch (error) {
        const failure = asFailure(error);
        if (failure.kind !== "cancelled") this.failed = [...this.failed, { path, failure }];
      }
      this.progress = null;
      this.stopping = false;
      this.waiting = this.waiting.filter((other) => other !== path);
    }
  }

  /** Stops the one that is written down, or drops one that waits. */
  async stop(path: string): Promise<void> {
    if (path !== this.waiting[0]) {
      this.waiting = this.waiting.filter((other) => other !== path);
      return;
    }
    this.stopping = true;
    await this.notices.guard(() => this.client.transcribeStop());
  }

  forget(path: string): void {
    this.failed = this.failed.filter((one) => one.path !== path);
  }
}
