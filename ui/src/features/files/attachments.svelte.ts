// The files beside the composer, before anything is asked about them: each is being read, or has a state.
// It keeps paths only; the engine reads the files.
import type { FileChip, FileStatus } from "$/ipc/bindings";
import { asFailure, type Client } from "$/ipc/client";
import { baseName } from "$/lib/format";

export interface Attachment {
  path: string;
  name: string;
  /** Null while it is being read. */
  chip: FileChip | null;
  /** Why it could not even be looked at. */
  failure: string | null;
}

/** Statuses of which at least some text can be used. */
const USABLE: readonly FileStatus[] = ["ok", "partial"];

export class Attachments {
  items = $state<Attachment[]>([]);
  /** Whether there is a file that a question can be asked about. */
  readonly usable: boolean = $derived(
    this.items.some((item) => item.chip !== null && USABLE.includes(item.chip.status)),
  );
  readonly reading: boolean = $derived(this.items.some((item) => !item.chip && !item.failure));

  constructor(private readonly client: Client) {}

  async add(paths: string[]): Promise<void> {
    const known = new Set(this.items.map((item) => item.path));
    const fresh = [...new Set(paths)].filter((path) => !known.has(path));
    for (const path of fresh) this.items.push({ path, name: baseName(path), chip: null, failure: null });
    // One call a file: a slow scan must not hold up the others' chips.
    await Promise.all(fresh.map((path) => this.#inspect(path)));
  }

  async #inspect(path: string): Promise<void> {
    let chips: FileChip[] = [];
    let failure: string | null = null;
    try {
      chips = await this.client.filesInspect([path]);
    } catch (error) {
      failure = asFailure(error).message;
    }
    const at = this.items.findIndex((item) => item.path === path);
    if (at < 0) return;
    const made = chips.map((chip) => ({ path: chip.path, name: chip.name, chip, failure: null }));
    // A folder comes back as its files.
    if (failure === null && made.length > 0) this.items.splice(at, 1, ...made);
    else this.items[at] = { ...this.items[at]!, failure: failure ?? "" };
  }

  remove(path: string): void {
    this.items = this.items.filter((item) => item.path !== path);
  }

  clear(): void {
    this.items = [];
  }

  /**
   * The files that go with a question: also those of which nothing can be read, since the answer then says so.
   * Left out is only what could not be found at all.
   */
  paths(): string[] {
    return this.items.filter((item) => item.chip !== null).map((item) => item.path);
  }
}
