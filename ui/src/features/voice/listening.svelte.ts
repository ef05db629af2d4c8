// One run of the microphone at a time, for whoever asked: the voice page, the composer, or the test in the
// settings. It owns the run's state; what becomes of the text is its caller's business.
import type { Failure, Transcript, VoiceEvent } from "$/ipc/bindings";
import { asFailure, type Client } from "$/ipc/client";
import type { Notices } from "$/lib/notices.svelte";

export type Purpose = "page" | "composer" | "test";
export type Phase = "idle" | "opening" | "listening" | "transcribing";

/** Seconds of audio that are written down, of all; some files do not say how long they are. */
export interface Written {
  done: number;
  total: number | null;
}

/** What a run of the microphone gave. */
export interface Heard {
  transcript: Transcript;
  /** Seconds that were kept when the microphone went away in the middle. */
  lost: number | null;
}

/** Quieter than this is a room in which nobody speaks. */
const QUIET_DBFS = -50;
/** Levels of silence, at 15 a second, after which we wonder whether it is the right microphone. */
const LONG_QUIET = 60;

export class Listening {
  phase = $state<Phase>("idle");
  purpose = $state<Purpose | null>(null);
  /** The name of the device that is open. */
  device = $state("");
  /** A new object with each event, so that equal levels also move a meter on. */
  level = $state.raw<{ dbfs: number } | null>(null);
  /** Whether nothing has been heard for some seconds. */
  quiet = $state(false);
  committed = $state("");
  tentative = $state("");
  progress = $state.raw<Written | null>(null);
  lost = $state<number | null>(null);
  /** When the device was opened, in milliseconds. */
  since = $state<number | null>(null);
  /** Why the last run ended without a text. A run that was cancelled is no failure. */
  failure = $state.raw<Failure | null>(null);
  readonly active: boolean = $derived(this.phase !== "idle");

  /** Which run the state is about: events and results of others come late and are nobody's. */
  #run = 0;
  #silent = 0;
  #stopAsked = false;
  /** Ends when the engine has let go of the microphone. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: Client,
    private readonly notices: Notices,
  ) {}

  /** Listens until it is stopped. Null where there is no text: cancelled, failed, or the microphone is taken. */
  async listen(purpose: Purpose): Promise<Heard | null> {
    if (this.active) return null;
    const run = ++this.#run;
    this.#reset();
    this.failure = null;
    this.purpose = purpose;
    this.phase = "opening";
    // The engine refuses a second run until a cancelled one has ended.
    await this.#last;
    if (run !== this.#run) return null;
    try {
      const running = this.client.voiceListen((event) => this.#apply(run, event));
      this.#last = running.catch(() => {});
      const transcript = await running;
      return run === this.#run ? { transcript, lost: this.lost } : null;
    } catch (error) {
      const failure = asFailure(error);
      if (run === this.#run && failure.kind !== "cancelled") this.failure = failure;
      return null;
    } finally {
      if (run === this.#run) this.#reset();
    }
  }

  /** Ends the listening and waits for the text; a test has no text to wait for. */
  async stop(): Promise<void> {
    if (this.purpose === "test") return this.cancel();
    if (this.phase === "opening") this.#stopAsked = true;
    if (this.phase !== "listening") return;
    this.phase = "transcribing";
    await this.notices.guard(() => this.client.voiceStop());
  }

  /** Drops what was heard. */
  async cancel(): Promise<void> {
    if (!this.active) return;
    this.#run += 1;
    this.#reset();
    await this.notices.guard(() => this.client.voiceCancel());
  }

  #reset(): void {
    this.phase = "idle";
    this.purpose = null;
    this.device = "";
    this.level = null;
    this.quiet = false;
    this.committed = "";
    this.tentative = "";
    this.progress = null;
    this.lost = null;
    this.since = null;
    this.#silent = 0;
    this.#stopAsked = false;
  }

  #apply(run: number, event: VoiceEvent): void {
    if (run !== this.#run) {
      // It was cancelled before the device was open, and the engine may not have known it yet.
      if (event.event === "listening") void this.notices.guard(() => this.client.voiceCancel());
      return;
    }
    switch (event.event) {
      case "listening":
        this.device = event.device;
        this.since = Date.now();
        this.phase = "listening";
        if (this.#stopAsked) void this.stop();
        break;
      case "level":
        this.level = { dbfs: event.dbfs };
        this.#silent = event.dbfs < QUIET_DBFS ? this.#silent + 1 : 0;
        this.quiet = this.#silent > LONG_QUIET;
        break;
      case "partial":
        this.committed = event.committed;
        this.tentative = event.tentative;
        break;
      case "lost":
        this.lost = event.kept_seconds;
        this.phase = "transcribing";
        break;
      case "transcribing":
        this.phase = "transcribing";
        this.progress = { done: event.done, total: event.total };
        break;
    }
  }
}
