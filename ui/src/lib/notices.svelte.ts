// Bars at the foot of the window: what went wrong and what to do, or that something worked. An error stays
// until it is closed; good news leaves by itself.
import type { Failure } from "$/ipc/bindings";
import { asFailure } from "$/ipc/client";

export interface Notice {
  id: number;
  tone: "bad" | "good" | "info";
  /** Ready words, or a failure that is worded when it is shown. */
  text: string;
  failure: Failure | null;
  action: { label: string; run: () => void } | null;
}

const GOOD_NEWS_MS = 4000;

export class Notices {
  items = $state.raw<Notice[]>([]);
  #next = 0;

  #add(notice: Omit<Notice, "id">): number {
    const id = this.#next++;
    const same = (other: Notice) => other.text === notice.text && other.failure?.message === notice.failure?.message;
    this.items = [...this.items.filter((other) => !same(other)), { id, ...notice }].slice(-3);
    return id;
  }

  fail(error: unknown): void {
    this.#add({ tone: "bad", text: "", failure: asFailure(error), action: null });
  }

  tell(text: string, action: Notice["action"] = null): void {
    this.#add({ tone: "info", text, failure: null, action });
  }

  /** Like `tell`, for what need not stay: it answers a press, and lies over the composer meanwhile. */
  brief(text: string, action: Notice["action"] = null): void {
    const id = this.#add({ tone: "info", text, failure: null, action });
    setTimeout(() => this.close(id), GOOD_NEWS_MS);
  }

  good(text: string): void {
    const id = this.#add({ tone: "good", text, failure: null, action: null });
    setTimeout(() => this.close(id), GOOD_NEWS_MS);
  }

  close(id: number): void {
    this.items = this.items.filter((notice) => notice.id !== id);
  }

  /** Runs `work`; a failure becomes a notice. Tells whether it went well. */
  async guard(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }
}
