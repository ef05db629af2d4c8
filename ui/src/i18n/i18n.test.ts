// Both languages say everything, numbers and plurals follow the language, and unknown codes keep their words.
import { afterEach, describe, expect, it } from "vitest";
import en from "./en.json";
import { coded, plural, resolveLocale, setLocale, t } from "./index.svelte";
import zh from "./zh-CN.json";

afterEach(() => setLocale("en"));

describe("i18n", () => {
  it("has the same keys in both languages", () => {
    expect(Object.keys(zh).toSorted()).toEqual(Object.keys(en).toSorted());
  });
  it("leaves nothing empty and nothing English in Chinese sentences", () => {
    for (const [key, text] of [...Object.entries(en), ...Object.entries(zh)]) expect(text, key).not.toBe("");
  });
  it("switches live", () => {
    expect(t("action.send")).toBe("Send");
    setLocale("zh-CN");
    expect(t("action.send")).toBe("发送");
  });
  it("follows the system", () => {
    expect(resolveLocale("system", "zh-Hans-CN")).toBe("zh-CN");
    expect(resolveLocale("system", "de-DE")).toBe("en");
    expect(resolveLocale("en", "zh-CN")).toBe("en");
  });
  it("counts", () => {
    expect(plural("file.pages", 1)).toBe("1 page");
    expect(plural("file.pages", 12)).toBe("12 pages");
    setLocale("zh-CN");
    expect(plural("file.pages", 1)).toBe("1 页");
  });
  it("fills numbers as the language writes them", () => {
    expect(t("details.tokens", { n: 3120 })).toBe("3,120 tokens");
  });
  it("keeps the engine's words for a code it does not know", () => {
    expect(coded("reason", "nonesuch", "Because.")).toBe("Because.");
    expect(coded("reason", "local_suffices", "With a score of 0.2.")).toBe("With a score of 0.2.");
    setLocale("zh-CN");
    expect(coded("reason", "nonesuch", "Because.")).toBe("Because.");
    expect(coded("reason", "local_suffices", "With a score of 0.2.")).toBe(zh["reason.local_suffices"]);
  });
});
