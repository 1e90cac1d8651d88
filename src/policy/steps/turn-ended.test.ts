/** If red: an audit is suggested where nothing needs one, or never. */
import { describe, expect, it } from "vitest";
import { isAuditDue } from "./turn-ended.ts";

describe("isAuditDue", () => {
  it.each([
    ["GREEN", 0, false],
    ["GREEN", 80, false],
    ["GREEN", 81, true],
    ["YELLOW", 0, true],
    ["ORANGE", 0, true],
    ["RED", 0, true],
  ] as const)("[R85] at %s with %i tools: %s", (level, tools, isDue) => {
    expect(isAuditDue(level, tools)).toBe(isDue);
  });
});
