// The files beside the composer, kept per conversation, before anything is asked about them: each is being
// read, or has a state. It keeps paths only; the engine reads the files.
import type { Failure, FileChip, FileStatus } from "$/ipc/bindings";
import { asFailure, type Client } from "$/ipc/client";
import { baseName } from "$/lib/format";

export interface Attachment {
  path: string;
  name: string;
  /** Null while it is being read. */
  chip: FileChip | null;
  /** Why it could not even be looked at. */
  failure: Failure | null;
}

/** Statuses of which at least some text can be used. */
const USABLE: readonly FileStatus[] = ["ok", "partial"];

/** An empty folder has no files to show. */
const NOTHING_THERE: Failure = { kind: "not_found", code: "", message: "", values: {} };

export class Attachments {
  /** By conversation; the one that has no id yet is "". */
  #lists = $state<Record<string, Attachment[]>>({});
  #shown = $state("");
  /** Whether there is a file that a question can be asked about. */
  readonly usable: boolean = $derived(
    this.items.some((item) => item.chip !== null && USABLE.includes(item.chip.status)),
  );
  readonly reading: boolean = $derived(this.items.some((item) => !item.chip && !item.failure));

  constructor(private readonly client: Client) {}

  /** The files beside the composer now. */
  get items(): Attachment[] {
    return this.#lists[this.#shown] ?? [];
  }

  /** Shows the files of a conversation; null is the one that has no id yet. */
  show(conversation: string | null): void {
    this.#shown = conversation ?? "";
  }

  forget(conversation: string): void {
    delete this.#lists[conversation];
  }

  async add(paths: string[]): Promise<void> {
    this.#lists[this.#shown] ??= [];
    // Read back: what is assigned is not yet what is watched.
    const list = this.items;
    const known = new Set(list.map((item) => item.path));
    const fresh = [...new Set(paths)].filter((path) => !known.has(path));
    for (const path of fresh) list.push({ path, name: baseName(path), chip: null, failure: null });
    // One call a file: a slow scan must not hold up the others' chips. The user may look at another
    // conversation when it answers.
    const shown = this.#shown;
    await Promise.all(fresh.map((path) => this.#inspect(path, shown)));
  }

  async #inspect(path: string, conversation: string): Promise<void> {
    let chips: FileChip[] = [];
    let failure: Failure | null = null;
    try {
      chips = await this.client.filesInspect([path]);
    } catch (error) {
      failure = asFailure(error);
    }
    const list = this.#lists[conversation] ?? [];
    const at = list.findIndex((item) => item.path === path);
    if (at < 0) return;
    const made = chips.map((chip) => ({ path: chip.path, name: chip.name, chip, failure: null }));
    // A folder comes back as its files.
    if (failure === null && made.length > 0) list.splice(at, 1, ...made);
    else list[at] = { ...list[at]!, failure: failure ?? NOTHING_THERE };
  }

  remove(path: string): void {
    this.#lists[this.#shown] = this.items.filter((item) => item.path !== path);
  }

  clear(): void {
    delete this.#lists[this.#shown];
  }

  /**
   * The files that go with a question: also those of which nothing can be read, since the answer then says so.
   * Left out is only what could not be found at all.
   */
  paths(): string[] {
    return this.items.filter((item) => item.chip !== null).map((item) => item.path);
  }
}
