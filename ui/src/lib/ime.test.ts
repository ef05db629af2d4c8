// Enter sends, except where an input method still needs it.
import { describe, expect, it } from "vitest";
import { EnterGuard, type EnterKey } from "./ime";

const ENTER: EnterKey = { key: "Enter", keyCode: 13, isComposing: false, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

describe("EnterGuard", () => {
  const cases: [string, Partial<EnterKey>, boolean][] = [
    ["plain Enter", {}, true],
    ["Shift+Enter is a new line", { shiftKey: true }, false],
    ["another key", { key: "a" }, false],
    ["while composing", { isComposing: true, keyCode: 229 }, false],
    ["a 229 long after a composition", { keyCode: 229 }, true],
  ];
  it.each(cases)("%s", (_, change, sends) => {
    expect(new EnterGuard().sends({ ...ENTER, ...change }, 10_000)).toBe(sends);
  });

  it("knows that a composition runs even where the event does not say so", () => {
    const guard = new EnterGuard();
    guard.compositionStart();
    expect(guard.sends(ENTER, 5)).toBe(false);
  });

  it("refuses WebKit's late Enter, and only that", () => {
    const guard = new EnterGuard();
    guard.compositionStart();
    guard.compositionEnd(1000);
    expect(guard.sends({ ...ENTER, keyCode: 229 }, 1002)).toBe(false);
    expect(guard.sends({ ...ENTER, keyCode: 229 }, 1499)).toBe(false);
    expect(guard.sends({ ...ENTER, keyCode: 229 }, 1501)).toBe(true);
    expect(guard.sends(ENTER, 1100)).toBe(true);
  });
});
