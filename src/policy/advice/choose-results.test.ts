/** If red: a person who marks results to keep or drop has others chosen. */
import { describe, expect, it } from "vitest";
import { chooseResults, parseChoice, type ResultInWindow } from "./choose-results.ts";

const result = (callId: string, more: Partial<ResultInWindow>): ResultInWindow => ({
  callId,
  tool: "Bash",
  subject: "",
  text: "",
  tokens: 1,
  atMs: undefined,
  ...more,
});

const MINUTE = 60_000;
const RESULTS = [
  result("a", { tool: "Read", subject: "src/hull.ts", text: "export const HULL = 1;", atMs: 0 }),
  result("b", { subject: "npm test", text: "all planks are dry", atMs: 50 * MINUTE }),
  result("c", { tool: "Grep", subject: "plank", text: "src/deck.ts:3", atMs: 58 * MINUTE }),
];

const choose = (words: string): unknown => {
  const choice = parseChoice(words);
  const chosen = choice && chooseResults(RESULTS, choice, 60 * MINUTE);
  return Array.isArray(chosen) ? chosen.map(({ callId }) => callId).join("") : chosen;
};

describe("[R204] what a person chooses among the results of a window", () => {
  it.each([
    ["file:src/hull.ts", "a"],
    ["file: HULL", "a"],
    ["tool:grep", "c"],
    ["search:planks are", "b"],
    ["search:plank", "bc"],
    ["last:30m", "bc"],
    ["last:2 minutes", "c"],
    ["last:2h", "abc"],
    ["search:teak", ""],
    ["tool:Gre", ""],
  ])("%s is %j", (words, ids) => {
    expect(choose(words)).toBe(ids);
  });

  it.each(["last:soon", "last:3 weeks"])("a time that is none gets a sentence: %s", (words) => {
    expect(choose(words)).toContain("such as last:30m");
  });

  it.each(["", "the seam must hold", "file:", "https://x"])("is no choice: %j", (words) => {
    expect(parseChoice(words)).toBeUndefined();
  });
});
