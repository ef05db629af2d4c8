// The indexed files, the search over them, and what forgetting one proved.
import { t } from "$/i18n/index.svelte";
import type { Forgotten, IndexedFile, IndexProgress, SearchHit } from "$/ipc/bindings";
import { asFailure, type Client } from "$/ipc/client";
import type { Notices } from "$/lib/notices.svelte";

export class Library {
  items = $state.raw<IndexedFile[]>([]);
  loaded = $state(false);
  /** Paths that are being indexed, the first of them now. */
  adding = $state.raw<string[]>([]);
  /** Of the first. */
  progress = $state.raw<IndexProgress | null>(null);
  query = $state("");
  hits = $state.raw<SearchHit[] | null>(null);
  searching = $state(false);
  proof = $state.raw<{ path: string; figures: Forgotten } | null>(null);

  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: Client,
    private readonly notices: Notices,
  ) {}

  async refresh(): Promise<void> {
    await this.notices.guard(async () => {
      this.items = await this.client.libraryList();
      this.loaded = true;
    });
  }

  async add(paths: string[]): Promise<void> {
    const fresh = paths.filter((path) => !this.adding.includes(path));
    this.adding = [...this.adding, ...fresh];
    // One at a time, also those of a second call.
    this.#last = this.#last.then(() => this.#addAll(fresh));
    await this.#last;
  }

  async #addAll(paths: string[]): Promise<void> {
    for (const path of paths) {
      if (!this.adding.includes(path)) continue;
      try {
        await this.client.libraryAdd(path, (progress) => {
          // The files are all read: they can be seen and searched while their vectors are worked out.
          if (progress.vectors_total > 0 && !this.progress?.vectors_total) void this.refresh();
          this.progress = progress;
        });
      } catch (error) {
        if (asFailure(error).kind === "cancelled") this.notices.brief(t("library.stopped"));
        else this.notices.fail(error);
      }
      this.progress = null;
      this.adding = this.adding.filter((other) => other !== path);
      await this.refresh();
    }
  }

  /** Stops the one that is read and drops those that wait; what was indexed is kept. */
  async stop(): Promise<void> {
    this.adding = this.adding.slice(0, 1);
    await this.notices.guard(() => this.client.libraryStop());
  }

  async search(query: string): Promise<void> {
    this.query = query;
    if (query.trim() === "") {
      this.hits = null;
      return;
    }
    this.searching = true;
    await this.notices.guard(async () => {
      const hits = await this.client.librarySearch(query.trim());
      if (this.query === query) this.hits = hits;
    });
    this.searching = false;
  }

  /** Takes the file out of the index; the file itself stays. */
  async remove(path: string): Promise<void> {
    await this.notices.guard(() => this.client.libraryRemove(path));
    await this.refresh();
  }

  /** Removes every trace of the file and keeps the figures that prove it. */
  async forget(path: string): Promise<void> {
    await this.notices.guard(async () => {
      this.proof = { path, figures: await this.client.libraryForget(path) };
    });
    await this.refresh();
  }
}
