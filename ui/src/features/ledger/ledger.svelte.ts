// The ledger's rows and the verdict on its chain. It only reads; entries are written where bytes leave.
import type { LedgerItem, LedgerVerdict } from "$/ipc/bindings";
import type { Client } from "$/ipc/client";
import type { Notices } from "$/lib/notices.svelte";

export class Ledger {
  items = $state.raw<LedgerItem[]>([]);
  loaded = $state(false);
  verdict = $state.raw<LedgerVerdict | null>(null);
  verifying = $state(false);

  constructor(
    private readonly client: Client,
    private readonly notices: Notices,
  ) {}

  async refresh(): Promise<void> {
    await this.notices.guard(async () => {
      const items = await this.client.ledgerList();
      this.items = items.toSorted((a, b) => b.sequence - a.sequence);
      this.loaded = true;
    });
  }

  async verify(): Promise<void> {
    this.verifying = true;
    await this.notices.guard(async () => {
      this.verdict = await this.client.ledgerVerify();
    });
    this.verifying = false;
  }

  async export(): Promise<boolean> {
    const path = await this.client.pickSavePath("nearside-ledger.jsonl", "jsonl");
    return path !== null && (await this.notices.guard(() => this.client.ledgerExport(path)));
  }
}
