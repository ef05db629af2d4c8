// Branches of invented conversations: what an edit or a second answer replaces is kept and can be shown again.
import type { Conversation, Message } from "../bindings";

export class Branches {
  /** By the id of its first message: the rest of a conversation that is not shown now. */
  readonly #hidden = new Map<string, Message[]>();

  /** Hides everything from the message on, and tells the branches that it stood among. */
  cut(here: Conversation, id: string): string[] {
    const tail = here.messages.splice(here.messages.findIndex((message) => message.id === id));
    this.#hidden.set(id, tail);
    return tail[0]!.branches;
  }

  /** Puts a message at the end, as one more branch beside `others`. */
  add(here: Conversation, message: Message, others: string[]): void {
    message.branches = [...others, message.id];
    for (const other of others) this.#hidden.get(other)![0]!.branches = message.branches;
    here.messages.push(message);
  }

  show(here: Conversation, id: string): void {
    const now = here.messages.find((message) => message.branches.includes(id));
    if (!now || now.id === id) return;
    this.cut(here, now.id);
    here.messages.push(...this.#hidden.get(id)!);
  }
}
