/** If red: a search looks for filler words instead of the names in the task. */
import { expect, it } from "vitest";
import { listNamedFiles, listTaskKeywords } from "./task-keywords.ts";

it.each([
  ["Please fix the flickering of the login button", ["flicker", "login", "button"]],
  ["parseReply loses max_retries in v2", ["parseReply", "parse", "reply", "lose", "max_retries", "max", "retry"]],
  ["cache and caches", ["cache"]],
  ["add a new file", []],
  ["修复登录按钮", ["修复登录按钮"]],
  ["", []],
])("[R37] searches %j by %j", (task, keywords) => {
  expect(listTaskKeywords(task)).toEqual(keywords);
});

it("takes no more words than a search can bear", () => {
  const task = Array.from({ length: 100 }, (_, index) => `word${String.fromCharCode(97 + (index % 26))}x`).join(" ");
  expect(listTaskKeywords(task).length).toBeLessThanOrEqual(12);
});

it("[R37] takes of a long text the words that it comes back to, and names that are written like code", () => {
  const words = Array.from({ length: 30 }, (_, index) => `filler${String.fromCharCode(97 + index)}x`).join(" ");
  const keywords = listTaskKeywords(`${words}. The anchor drags. Hold the anchor with holdFast.`);
  expect(keywords).toContain("anchor");
  expect(keywords).toContain("holdFast");
});

it.each([
  ["Make `evaluate` the default in ./src/cli/index.ts and retry.test.ts.", ["src/cli/index.ts", "retry.test.ts"]],
  ["In C:\\ship\\hull.go, e.g. version 2.1", ["ship/hull.go"]],
  ["Paint the hull.", []],
])("[R37] hears the files that %j names: %j", (task, files) => {
  expect(listNamedFiles(task)).toEqual(files);
});
