import { describe, expect, it } from "vitest";
import { isAboutLeaving } from "./is-about-leaving.ts";

describe("what the person says of what comes next", () => {
  it.each([
    "Clear context, we do something else now.",
    "How full is the context window? The next task is the importer.",
    "compact or clear context for an unrelated bug?",
    "Context is full; I want a fresh start.",
  ])("[R11] %s leaves what fills the window", (prompt) => {
    expect(isAboutLeaving(prompt)).toBe(true);
  });

  it.each([
    "How much context is left?",
    "compact now",
    "clear context of the old logs",
    "the newest task list is short",
  ])("%s does not", (prompt) => {
    expect(isAboutLeaving(prompt)).toBe(false);
  });
});
