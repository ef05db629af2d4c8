// One request that waits for the user. It owns the preview and the choices made so far, and asks the gate
// for a new preview after each. It never sends by itself: only `send` does, with the hash that was shown.
import type { Action, EntityEdit, Failure, Preview } from "$/ipc/bindings";
import { asFailure, type Client } from "$/ipc/client";
import { entities, tally, withEdit, type Entity } from "./approval";

export class ApprovalStore {
  preview = $state.raw<Preview>() as Preview;
  failure = $state.raw<Failure | null>(null);
  /** Sent or cancelled: nothing can be pressed any more. */
  settled = $state(false);
  #waiting = $state(0);
  #edits: EntityEdit[] = [];
  /** Edits name entities by their places in the first preview, whatever later ones look like. */
  readonly #first: Map<string, Entity>;
  #last: Promise<void> = Promise.resolve();

  readonly rows: Entity[] = $derived(entities(this.preview));
  readonly tally = $derived(tally(this.rows));
  readonly busy: boolean = $derived(this.#waiting > 0);
  readonly sendable: boolean = $derived(!this.busy && !this.settled && this.tally.refusing === 0);

  constructor(
    private readonly client: Client,
    preview: Preview,
  ) {
    this.preview = preview;
    this.#first = new Map(entities(preview).map((entity) => [entity.key, entity]));
  }

  /** One choice for one value. Choices made quickly are answered in order. */
  change(entity: Entity, action: Action, replacement: string | null = null): Promise<void> {
    if (this.settled) return Promise.resolve();
    this.#waiting += 1;
    const first = this.#first.get(entity.key) ?? entity;
    this.#last = this.#last.then(() => this.#update(withEdit(this.#edits, first, action, replacement)));
    return this.#last;
  }

  async #update(edits: EntityEdit[]): Promise<void> {
    try {
      this.preview = await this.client.approvalUpdate(this.preview.id, edits);
      this.#edits = edits;
      this.failure = null;
    } catch (error) {
      this.failure = asFailure(error);
    } finally {
      this.#waiting -= 1;
    }
  }

  async send(): Promise<void> {
    if (!this.sendable) return;
    await this.#settle(() => this.client.approvalSend(this.preview.id, this.preview.sha256));
  }

  /** `keepLocal` answers on this machine; otherwise the question is dropped. */
  async cancel(keepLocal: boolean): Promise<void> {
    if (this.settled) return;
    await this.#settle(() => this.client.approvalCancel(this.preview.id, keepLocal));
  }

  async #settle(act: () => Promise<void>): Promise<void> {
    this.settled = true;
    try {
      await act();
    } catch (error) {
      this.failure = asFailure(error);
      this.settled = false;
    }
  }
}
