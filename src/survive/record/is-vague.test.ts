import { expect, it } from "vitest";
import { isVague } from "./is-vague.ts";

it.each([
  "",
  "continue",
  "Continue working.",
  "keep going",
  "please proceed",
  "yes",
  "go on with the work",
  "continue from where we left off",
  "next step",
])("[R46] calls %j vague", (action) => {
  expect(isVague(action)).toBe(true);
});

it.each([
  "implement the validation in src/auth/validate.ts:47",
  "continue with parseLine in src/parse.ts",
  "make `npm test` pass",
  "yes, but rename it to Reader",
])("[R46] takes %j for an action", (action) => {
  expect(isVague(action)).toBe(false);
});
