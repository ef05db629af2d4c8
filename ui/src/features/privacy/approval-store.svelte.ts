// One request that waits for the user. It owns the preview and the choices made so far, and asks the gate
// for a new preview after each. It never sends by itself: only `send` does, with the hash that was shown.
import type { Action, EntityEdit, EntityType, Failure, OwnEntry, Preview } from "$/ipc/bindings";
import { asFailure, type Client } from "$/ipc/client";
import { entities, tally, withEdit, type Entity } from "./approval";

export class ApprovalStore {
  preview = $state.raw<Preview>() as Preview;
  failure = $state.raw<Failure | null>(null);
  /** Sent or cancelled: nothing can be pressed any more. */
  settled = $state(false);
  #waiting = $state(0);
  #edits: EntityEdit[] = [];
  /** What the user hid besides what was found. */
  #more: OwnEntry[] = [];
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
    const first = this.#first.get(entity.key);
    return this.#next(() =>
      first
        ? this.#update(withEdit(this.#edits, first, action, replacement), this.#more)
        : this.#update(this.#edits, action === "keep" ? this.#more.filter((entry) => !holds(entity, entry)) : this.#more),
    );
  }

  /** Hides a piece of the text that was not found. */
  hide(type: EntityType, text: string): Promise<void> {
    if (this.settled) return Promise.resolve();
    return this.#next(() => this.#update(this.#edits, [...this.#more, { type, names: [text] }]));
  }

  /** Whether the user hid it; such a value is hidden or kept, and nothing else. */
  added(entity: Entity): boolean {
    return !this.#first.has(entity.key);
  }

  #next(update: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    this.#last = this.#last.then(update);
    return this.#last;
  }

  async #update(edits: EntityEdit[], more: OwnEntry[]): Promise<void> {
    try {
      this.preview = await this.client.approvalUpdate(this.preview.id, edits, more);
      this.#edits = edits;
      this.#more = more;
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

const flat = (text: string) => text.toLowerCase().split(/\s+/).join(" ");
const holds = (entity: Entity, entry: OwnEntry) => entry.names.some((name) => flat(entity.text).includes(flat(name.trim())));
