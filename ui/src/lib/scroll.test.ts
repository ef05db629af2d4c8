// The page follows a stream only for a reader who is at its end.
import { describe, expect, it } from "vitest";
import { following, type Measure } from "./scroll";

const at = (top: number, height = 1000, view = 400): Measure => ({ top, height, view });

describe("following", () => {
  const cases: [string, boolean, Measure, Measure, boolean][] = [
    ["stays while text grows", true, at(600), at(600, 1100), true],
    ["lets go on the first step up", true, at(600), at(560), false],
    ["stays away while text grows", false, at(300), at(300, 1400), false],
    ["takes hold at the end", false, at(300), at(590), true],
    ["stays away on a step down that is not the end", false, at(100), at(300), false],
    ["keeps hold when content shrinks under it", true, at(600, 1000), at(400, 900), true],
    ["a short page is at its end", false, at(0, 300), at(0, 300), true],
  ];
  it.each(cases)("%s", (_, was, before, now, result) => expect(following(was, before, now)).toBe(result));
});
