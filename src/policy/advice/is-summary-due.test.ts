import { expect, it } from "vitest";
import { isSummaryDue } from "./is-summary-due.ts";

it.each([
  ["RED", false, true],
  ["RED", true, true],
  ["ORANGE", true, true],
  ["ORANGE", false, false],
  ["YELLOW", true, false],
  ["GREEN", true, false],
] as const)("[R41] at %s with approval %s a summary is due: %s", (level, isApproved, isDue) => {
  expect(isSummaryDue(level, { isApproved })).toBe(isDue);
});
