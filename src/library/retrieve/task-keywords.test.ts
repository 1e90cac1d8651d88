import { expect, it } from "vitest";
import { listTaskKeywords } from "./task-keywords.ts";

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
