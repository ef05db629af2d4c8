// The models of this machine and their downloads. It owns the download figures; the catalog owns the states.
import { SvelteMap } from "svelte/reactivity";
import type { Adapter, DownloadEvent, ModelInfo } from "$/ipc/bindings";
import type { Client } from "$/ipc/client";
import type { Notices } from "$/lib/notices.svelte";

export interface Download {
  phase: "loading" | "verifying" | "converting" | "pausing";
  done: number;
  total: number;
  bytesPerSecond: number;
}

export class Models {
  items = $state.raw<ModelInfo[]>([]);
  devices = $state.raw<Adapter[]>([]);
  loaded = $state(false);
  readonly downloads = new SvelteMap<string, Download>();
  /** Models whose file is being checked now. */
  readonly checking = new SvelteMap<string, true>();

  readonly chat: ModelInfo[] = $derived(this.items.filter((model) => model.purpose === "chat"));
  readonly installedChat: ModelInfo[] = $derived(this.chat.filter((model) => model.state === "installed"));
  readonly recommended: ModelInfo | null = $derived(
    this.chat.find((model) => model.recommended) ?? this.chat.find((model) => model.fit === "good") ?? null,
  );

  constructor(
    private readonly client: Client,
    private readonly notices: Notices,
  ) {}

  title(name: string): string {
    return this.items.find((model) => model.name === name)?.title ?? name;
  }

  async refresh(): Promise<void> {
    await this.notices.guard(async () => {
      this.items = await this.client.modelsList();
      this.loaded = true;
    });
  }

  /** Asks anew what this machine computes on. Adapters are probed, so this is not for every change. */
  async refreshDevices(): Promise<void> {
    await this.notices.guard(async () => {
      this.devices = await this.client.devicesList();
    });
  }

  async fetch(model: ModelInfo): Promise<void> {
    if (this.downloads.has(model.name)) return;
    this.downloads.set(model.name, { phase: "loading", done: model.done, total: model.size, bytesPerSecond: 0 });
    await this.notices.guard(() => this.client.modelFetch(model.name, (event) => this.#apply(event)));
    this.downloads.delete(model.name);
    await this.refresh();
  }

  #apply(event: DownloadEvent): void {
    const now = this.downloads.get(event.name);
    if (!now) return;
    const set = (change: Partial<Download>) => this.downloads.set(event.name, { ...now, ...change });
    switch (event.event) {
      case "started":
        set({ done: event.done, total: event.total });
        break;
      case "progress":
        set({ done: event.done, total: event.total, bytesPerSecond: event.bytes_per_s });
        break;
      case "verifying":
      case "converting":
        set({ phase: event.event, done: now.total });
        break;
      case "failed":
        if (event.failure.kind !== "cancelled") this.notices.fail(event.failure);
        break;
      case "done":
      case "paused":
        break;
    }
  }

  async pause(name: string): Promise<void> {
    const now = this.downloads.get(name);
    if (now) this.downloads.set(name, { ...now, phase: "pausing" });
    await this.notices.guard(() => this.client.modelPause(name));
    if (!now) await this.refresh();
  }

  /** Whether the file on disk is what the catalog says. */
  async verify(name: string): Promise<ModelInfo | null> {
    this.checking.set(name, true);
    let result: ModelInfo | null = null;
    await this.notices.guard(async () => {
      result = await this.client.modelVerify(name);
    });
    this.checking.delete(name);
    await this.refresh();
    return result;
  }

  async remove(name: string): Promise<void> {
    await this.notices.guard(() => this.client.modelRemove(name));
    await this.refresh();
  }

  async rollback(name: string): Promise<void> {
    await this.notices.guard(() => this.client.modelRollback(name));
    await this.refresh();
  }
}
