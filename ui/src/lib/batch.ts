// Gathers pieces of text and hands them over once a frame, so that a fast model does not repaint per token.
/** Asks for one later call, as requestAnimationFrame does. */
export type Schedule = (run: () => void) => void;

/** The next frame, or soon where frames stand still because the window is hidden. */
export const nextFrame: Schedule = (run) => {
  if (typeof document !== "undefined" && document.visibilityState === "visible") {
    requestAnimationFrame(run);
  } else {
    setTimeout(run, 100);
  }
};

export class TextBatch {
  #waiting = "";
  #asked = false;

  constructor(
    private readonly deliver: (text: string) => void,
    private readonly schedule: Schedule = nextFrame,
  ) {}

  push(text: string): void {
    this.#waiting += text;
    if (this.#asked) return;
    this.#asked = true;
    this.schedule(() => this.flush());
  }

  /** Hands over what waits now; call it before the end of the stream is shown. */
  flush(): void {
    this.#asked = false;
    if (this.#waiting === "") return;
    const text = this.#waiting;
    this.#waiting = "";
    this.deliver(text);
  }
}
