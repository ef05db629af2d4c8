// Puts dictated words into a text. Pure; the composer owns text and cursor.
/** Scripts that write no space between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{P}\s]/u;
/** After these a word follows without a space. */
const OPENS = /[\s([{"'“‘«（【《「『]/u;
const SENTENCE_MARK = /[.,;:!?%)\]}…]/;

/** Whether a space belongs between what ends with `before` and what begins with `after`. */
function spaced(before: string, after: string): boolean {
  if (before === "" || after === "" || OPENS.test(before) || /^[\s.,;:!?%)\]}]/u.test(after)) return false;
  return (SENTENCE_MARK.test(before) || !UNSPACED.test(before)) && !UNSPACED.test(after);
}

/** The draft with `said` in place of what is selected from `start` to `end`, and the cursor behind it. */
export function inserted(draft: string, start: number, end: number, said: string): { text: string; caret: number } {
  const before = draft.slice(0, start);
  const after = draft.slice(end);
  const words = said.trim();
  const first = [...words].at(0) ?? "";
  const last = [...words].at(-1) ?? "";
  const lead = spaced([...before].at(-1) ?? "", first) ? " " : "";
  const tail = spaced(last, [...after].at(0) ?? "") ? " " : "";
  const placed = before + lead + words;
  return { text: placed + tail + after, caret: placed.length };
}
