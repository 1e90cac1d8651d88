/** If red: a person who lacks a permission sees a system code instead of what to change. */
import { expect, it } from "vitest";
import { isRefused, renderFailure } from "./render-failure.ts";

const withCode = (code: unknown, message: string): Error => Object.assign(new Error(message), { code });

it.each(["EACCES", "EPERM"])("says in words that there is no permission where the system says %s", (code) => {
  const error = withCode(code, `${code}: not permitted, open '/x'`);
  expect(renderFailure(error)).toBe(`no permission: ${code}: not permitted, open '/x'`);
  expect(isRefused(error)).toBe(true);
});

it.each([
  ["another code", withCode("EISDIR", "EISDIR: a folder"), "EISDIR: a folder"],
  ["a code that is no text", withCode(13, "thirteen"), "thirteen"],
  ["an error without a code", new Error("no luck"), "no luck"],
  ["what is no error", "EACCES", "EACCES"],
  ["nothing", undefined, "undefined"],
])("leaves %s as it is", (_, error, words) => {
  expect(renderFailure(error)).toBe(words);
  expect(isRefused(error)).toBe(false);
});
