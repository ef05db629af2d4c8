import { describe, expect, it } from "vitest";
import en from "$/i18n/en.json";
import { KINDS, actionsFor, withAction } from "./actions";

describe("actions by kind", () => {
  it("names every kind once, with words for each", () => {
    expect(new Set(KINDS).size).toBe(KINDS.length);
    const worded = Object.keys(en).filter((key) => /^entity\.[A-Z_]+$/.test(key)).map((key) => key.slice("entity.".length));
    expect([...KINDS].sort()).toEqual(worded.sort());
  });

  it("always offers to keep, to mask and to refuse", () => {
    for (const kind of KINDS) expect(actionsFor(kind)).toEqual(expect.arrayContaining(["keep", "mask", "refuse"]));
  });

  it("leaves a kind to the level again", () => {
    const actions = withAction(withAction({}, "PHONE", "fake"), "ORG", "refuse");
    expect(withAction(actions, "PHONE", null)).toEqual({ ORG: "refuse" });
  });
});
