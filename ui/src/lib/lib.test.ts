// Batches, formats, keys, search and shortcuts: small rules, each as data.
import { describe, expect, it } from "vitest";
import { accelerator, readable } from "$/features/settings/shortcut";
import { zoomStep } from "$/features/settings/settings.svelte";
import { TextBatch } from "./batch";
import { baseName, bytes, duration, period, secondsLeft, shortHash } from "./format";
import { fuzzyScore, rank } from "./fuzzy";
import { keysText, shortcutOf } from "./keys";

describe("TextBatch", () => {
  it("delivers once a frame, in order, and at once on flush", () => {
    const frames: (() => void)[] = [];
    const got: string[] = [];
    const batch = new TextBatch((text) => got.push(text), (run) => frames.push(run));
    batch.push("a");
    batch.push("b");
    expect(frames).toHaveLength(1);
    frames.shift()!();
    batch.push("c");
    batch.flush();
    frames.shift()!();
    expect(got).toEqual(["ab", "c"]);
  });
});

describe("format", () => {
  it.each([[0, "0 B"], [999, "999 B"], [1200, "1.2 KB"], [491_400_032, "491 MB"], [1_117_320_736, "1.1 GB"]])("bytes %d", (n, text) => expect(bytes(n)).toBe(text));
  it.each([[8, "8 s"], [200, "3:20"], [3725, "1:02:05"], [-3, "0 s"]])("duration %d", (n, text) => expect(duration(n)).toBe(text));
  it("guesses no time without a speed", () => {
    expect(secondsLeft(10, 100, 0)).toBeNull();
    expect(secondsLeft(10, 110, 10)).toBe(10);
  });
  it.each([["C:\\Users\\you\\文件 1.pdf", "文件 1.pdf"], ["/a/b/", "b"], ["x.md", "x.md"]])("baseName %s", (path, name) => expect(baseName(path)).toBe(name));
  it("shortens only long hashes", () => {
    expect(shortHash("a".repeat(64))).toBe("aaaaaaaa…aaaaaa");
    expect(shortHash("abc")).toBe("abc");
  });
  it("puts days under their headings", () => {
    const noon = new Date(2026, 4, 14, 12).getTime();
    const hour = 3_600_000;
    const ago = (hours: number) => period(noon - hours * hour, noon);
    expect([1, 14, 40, 100, 300, 2000].map(ago)).toEqual(["today", "yesterday", "week", "week", "month", "older"]);
  });
});

describe("palette search", () => {
  it("needs the letters in order", () => {
    expect(fuzzyScore("mdl", "Models")).not.toBeNull();
    expect(fuzzyScore("ldm", "Models")).toBeNull();
  });
  it("prefers whole words and beginnings", () => {
    expect(rank("set", ["Reset the list", "Settings"], String)).toEqual(["Settings", "Reset the list"]);
    expect(rank("租", ["设置", "续租，三份报价"], String)).toEqual(["续租，三份报价"]);
  });
});

describe("keys", () => {
  const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) =>
    shortcutOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });
  it.each([["k", "palette"], [",", "settings"], ["b", "sidebar"], ["n", "new"], ["=", "zoom_in"], ["+", "zoom_in"], ["-", "zoom_out"], ["0", "zoom_reset"], ["x", null]])("Ctrl+%s", (key, name) => expect(press(key, { ctrlKey: true })).toBe(name));
  it("knows F1, Esc and Command", () => {
    expect(press("F1")).toBe("shortcuts");
    expect(press("Escape")).toBe("stop");
    expect(press("K", { metaKey: true })).toBe("palette");
    expect(press("k")).toBeNull();
    expect(press("k", { ctrlKey: true, altKey: true })).toBeNull();
  });
  it("writes them as the platform does", () => {
    expect(keysText("Mod+Shift+K", false)).toBe("Ctrl+Shift+K");
    expect(keysText("Mod+K", true)).toBe("⌘K");
  });
});

describe("global shortcut", () => {
  const press = (key: string, code: string, held = {}) =>
    accelerator({ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held });
  it("takes combinations and no plain letters", () => {
    expect(press(" ", "Space", { ctrlKey: true, shiftKey: true })).toBe("CommandOrControl+Shift+Space");
    expect(press("j", "KeyJ", { altKey: true })).toBe("Alt+J");
    expect(press("j", "KeyJ")).toBeNull();
    expect(press("J", "KeyJ", { shiftKey: true })).toBeNull();
    expect(press("Control", "ControlLeft", { ctrlKey: true })).toBeNull();
    expect(press("F8", "F8")).toBe("F8");
  });
  it("is readable", () => expect(readable("CommandOrControl+Shift+Space", false)).toBe("Ctrl+Shift+Space"));
});

describe("zoom", () => {
  it("steps and stops at its ends", () => {
    expect([zoomStep(100, true), zoomStep(100, false), zoomStep(200, true), zoomStep(50, false), zoomStep(103, false)]).toEqual([110, 90, 200, 50, 100]);
  });
});
