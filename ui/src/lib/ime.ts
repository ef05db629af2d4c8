// Decides whether an Enter means "send" while an input method may be composing. WebKit fires the Enter that
// confirms a word after compositionend, with isComposing already false and keyCode 229 or 13; so for half a
// second after the end of a composition a 229 is not ours. A bare 229 at other times must still send.
const AFTER_COMPOSITION_MS = 500;
const PROCESS_KEY = 229;

export interface EnterKey {
  key: string;
  keyCode: number;
  isComposing: boolean;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

export class EnterGuard {
  #composing = false;
  #endedAt = Number.NEGATIVE_INFINITY;

  compositionStart(): void {
    this.#composing = true;
  }

  compositionEnd(now: number): void {
    this.#composing = false;
    this.#endedAt = now;
  }

  /** Whether this key press should send the message. */
  sends(event: EnterKey, now: number): boolean {
    if (event.key !== "Enter" || event.shiftKey || event.altKey) return false;
    if (event.isComposing || this.#composing) return false;
    return !(event.keyCode === PROCESS_KEY && now - this.#endedAt < AFTER_COMPOSITION_MS);
  }
}
