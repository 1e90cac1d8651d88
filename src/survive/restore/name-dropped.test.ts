/** If red: a skill or file that a compaction dropped is not named to the model. */
import { describe, expect, it } from "vitest";
import { type Instrument, nameDropped } from "./name-dropped.ts";

const memory = (path: string): Instrument => ({ kind: "instructions", path, isWhole: true });
const skill = (path: string, isWhole = true): Instrument => ({ kind: "skill", path, isWhole });
const same = (path: string): string => path;

describe("nameDropped", () => {
  it("names what was loaded before the boundary and is not after it, once, with its path", () => {
    const before = [memory("pkg/CLAUDE.md"), memory("pkg/CLAUDE.md"), memory("CLAUDE.md"), skill("s/SKILL.md")];
    expect(nameDropped(before, [memory("CLAUDE.md")], same)).toEqual([
      "- Instructions no longer in the window: read pkg/CLAUDE.md again before working where they apply",
      "- Skill no longer in the window: read s/SKILL.md again before following it further",
    ]);
  });

  it("tells a skill whose tail was cut from one that is gone", () => {
    const [line] = nameDropped([skill("s/SKILL.md")], [skill("s/SKILL.md", false)], same);
    expect(line).toContain("cut short by the compaction: read s/SKILL.md again");
  });

  it("says nothing where all is still there", () => {
    expect(nameDropped([memory("a"), skill("b")], [memory("a"), skill("b")], same)).toEqual([]);
  });
});
