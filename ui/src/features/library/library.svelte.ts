// The indexed files, the search over them, and what forgetting one proved.
import type { Forgotten, IndexedFile, SearchHit } from "$/ipc/bindings";
import type { Client } from "$/ipc/client";
import type { Notices } from "$/lib/notices.svelte";

export class Library {
  items = $state.raw<IndexedFile[]>([]);
  loaded = $state(false);
  /** Paths that are being indexed now. */
  adding = $state.raw<string[]>([]);
  query = $state("");
  hits = $state.raw<SearchHit[] | null>(null);
  searching = $state(false);
  proof = $state.raw<{ path: string; figures: Forgotten } | null>(null);

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
    for (const path of fresh) {
      await this.notices.guard(() => this.client.libraryAdd(path));
      this.adding = this.adding.filter((other) => other !== path);
      await this.refresh();
    }
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
