// What the space bar does on the record button: a tap switches the microphone on or off as a click does, and a
// key that stays down listens until it is let go.
export type Act = "start" | "stop" | null;

/** Longer than a tap. */
const HOLD_MS = 400;

export class PushToTalk {
  #since: number | null = null;
  #began = false;

  /** The key went down; a key that repeats is still the same press. */
  down(now: number, listening: boolean): Act {
    if (this.#since !== null) return null;
    this.#since = now;
    this.#began = !listening;
    return this.#began ? "start" : null;
  }

  up(now: number): Act {
    if (this.#since === null) return null;
    const held = now - this.#since >= HOLD_MS;
    this.#since = null;
    return held || !this.#began ? "stop" : null;
  }

  /** The button lost the focus with the key down: nobody would hear it let go. */
  left(): Act {
    if (this.#since === null) return null;
    this.#since = null;
    return this.#began ? "stop" : null;
  }
}
