import { describe, expect, it } from "vitest";
import { hiding, keeping, namesIn, without } from "./own-list";

const EMPTY = { hide: [], keep: [] };

describe("the own list", () => {
  it("takes several names in one line, in both languages", () => {
    expect(namesIn("张伟、Zhang Wei, 张总；")).toEqual(["张伟", "Zhang Wei", "张总"]);
  });

  it("lets the last wish for a name hold", () => {
    const list = keeping(hiding(EMPTY, "PERSON", ["张伟", "Zhang Wei"]), ["zhang wei"]);
    expect(list).toEqual({ hide: [{ type: "PERSON", names: ["张伟"] }], keep: ["zhang wei"] });
    expect(hiding(list, "ORG", ["Zhang Wei"]).keep).toEqual([]);
  });

  it("drops an entry with its last name", () => {
    expect(without(hiding(EMPTY, "ORG", ["Halcyon"]), ["HALCYON "])).toEqual(EMPTY);
  });
});
