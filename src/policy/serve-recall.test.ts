import { expect, it } from "vitest";
import { mayServeRecall } from "./serve-recall.ts";

it.each([
  [true, "", true],
  [true, "auto", true],
  [true, "any", true],
  [true, "tool", false],
  [true, "none", false],
  [true, "of the future", false],
  [false, "", false],
])("recall is served where tools are offered (%s) with the choice '%s': %s", (hasTools, toolChoice, isServed) => {
  expect(mayServeRecall({ hasTools, toolChoice })).toBe(isServed);
});
