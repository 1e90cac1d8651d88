/** If red: lint does not report instructions that contradict each other. */
import { describe, expect, it } from "vitest";
import type { InstructionFile } from "../../library/prompt/instructions/instruction-file.ts";
import { checkConflicts } from "./check-instructions.ts";

const file = (path: string, text: string): InstructionFile => ({ scope: "project", path, text });
const nested = (path: string, text: string): InstructionFile => ({ scope: "child", path, text });
const YES = "- Use default exports.";
const NO = "- Never use default exports.";

const findWhat = (always: readonly InstructionFile[], below: readonly InstructionFile[] = []): readonly string[] =>
  checkConflicts(always, below).map(({ what }) => what.replaceAll(/ says "[^"]*"/g, ""));

describe("checkConflicts", () => {
  it("[R111] names rules that cannot both be followed, both in their own words", () => {
    expect(checkConflicts([file("/p/CLAUDE.md", YES), file("/CLAUDE.md", NO)], [])).toMatchObject([
      {
        rule: "conflicting-rules",
        what: 'the rules on "use default exports" differ: /p/CLAUDE.md says "Use default exports.", /CLAUDE.md says "Never use default exports."',
      },
    ]);
  });

  it("[R111] compares a folder's own instructions with every folder's above it", () => {
    expect(findWhat([file("/p/CLAUDE.md", YES)], [nested("/p/api/CLAUDE.md", NO)])).toEqual([
      'the rules on "use default exports" differ: /p/CLAUDE.md, /p/api/CLAUDE.md',
    ]);
    expect(findWhat([], [nested("/p/api/CLAUDE.md", YES), nested("/p/api/v2/deep/CLAUDE.md", NO)])).toHaveLength(1);
    expect(findWhat([], [nested("/p/api/CLAUDE.md", YES), nested("/p/api/CLAUDE.local.md", NO)])).toHaveLength(1);
  });

  it("[R111] does not compare parts of the tree that are never told together", () => {
    const parts = [
      nested("/p/api/CLAUDE.md", YES),
      nested("/p/web/CLAUDE.md", NO),
      nested("/p/api-tests/CLAUDE.md", NO),
    ];
    expect(findWhat([], parts)).toEqual([]);
    // Only those that contradict what stands above them, and not what a sibling says.
    expect(findWhat([file("/p/CLAUDE.md", YES)], parts)).toEqual([
      'the rules on "use default exports" differ: /p/CLAUDE.md, /p/web/CLAUDE.md, /p/api-tests/CLAUDE.md',
    ]);
  });

  it("[R111] finds a conflict below a folder whose text stands in another folder too", () => {
    const same = [nested("/p/api/CLAUDE.md", YES), nested("/p/web/CLAUDE.md", YES), nested("/p/web/ui/CLAUDE.md", NO)];
    expect(findWhat([], same)).toEqual([
      'the rules on "use default exports" differ: /p/web/CLAUDE.md, /p/web/ui/CLAUDE.md',
    ]);
  });
});
