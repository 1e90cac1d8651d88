import { expect, it } from "vitest";
import { classifyRemaining } from "./advice-state.ts";

it.each([
  [100, "SAFE"],
  [36, "SAFE"],
  [35.1, "SAFE"],
  [35, "WARNING"],
  [30, "WARNING"],
  [25, "WARNING"],
  [24.9, "CRITICAL"],
  [24, "CRITICAL"],
  [0, "CRITICAL"],
] as const)("[R21] %f %% left are %s", (percentLeft, level) => {
  expect(classifyRemaining(percentLeft)).toBe(level);
});
