// Loads KaTeX and the highlighter when the first formula or code block appears, so that a plain start is
// quick. Both are in the bundle; nothing comes from the network.
import type { Highlight, Rich } from "./markdown";
import type { Typeset } from "./math";

let typeset = $state.raw<Typeset>(null);
let highlight = $state.raw<Highlight>(null);
let mathAsked = false;
let codeAsked = false;

export const rich = (): Rich => ({ typeset, highlight });

/** Begins loading what this text needs. */
export function wantRich(text: string): void {
  if (!mathAsked && /\$|\\\(|\\\[/.test(text)) {
    mathAsked = true;
    void import("./katex").then((module) => (typeset = module.typeset));
  }
  if (!codeAsked && /```|~~~/.test(text)) {
    codeAsked = true;
    void import("./highlight").then((module) => (highlight = module.highlight));
  }
}
