// Both languages say everything, numbers and plurals follow the language, and unknown codes keep their words.
import { afterEach, describe, expect, it } from "vitest";
import en from "./en.json";
import { coded, plural, resolveLocale, setLocale, t } from "./index.svelte";
import { noticeWords, reasonWords, warningWords } from "./told";
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
  it("keeps the engine's words for a failure's code that it does not know", () => {
    expect(coded("failure", "nonesuch", "Because.")).toBe("Because.");
    expect(coded("failure", "disk_full", "The disk is full.")).toBe("The disk is full.");
    setLocale("zh-CN");
    expect(coded("failure", "nonesuch", "Because.")).toBe("Because.");
    expect(coded("failure", "unreachable", "", { host: "api.example.com" })).toBe("连不上 api.example.com，请检查网络或代理。");
  });
  it("words reasons, notices and warnings with their figures", () => {
    setLocale("zh-CN");
    expect(reasonWords({ code: "too_long_for_local", needed: 9000, model: "qwen", holds: 8192, text: "" })).toBe(
      "需要 9,000 个词元，而 qwen 最多容纳 8,192 个。",
    );
    expect(reasonWords({ code: "sensitive", entity: "PHONE", text: "" })).toContain(zh["entity.PHONE"]);
    expect(noticeWords({ code: "turns_left_out", turns: 3, text: "" })).toContain("3 轮");
    const inner = { code: "first_text" as const, bytes: 64_000_000, text: "" };
    expect(warningWords({ code: "attachment", name: "a.pdf", inner, text: "" })).toBe("附件 a.pdf：只保留了前 64.0 MB 的文字。");
  });
});
