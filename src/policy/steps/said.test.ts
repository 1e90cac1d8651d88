/** If red: a person who names unrelated work is not advised to start fresh, or is advised that for nothing. */
import { describe, expect, it } from "vitest";
import type { Level } from "../../measure/level.ts";
import { LEAVING, type OperationFacts, recommendOperations } from "./said.ts";

describe("what the person says of what comes next", () => {
  it.each([
    "Clear context, we do something else now.",
    "How full is the context window? The next task is the importer.",
    "compact or clear context for an unrelated bug?",
    "Context is full; I want a fresh start.",
  ])("[R11] %s leaves what fills the window", (prompt) => {
    expect(prompt).toMatch(LEAVING);
  });

  it.each([
    "How much context is left?",
    "compact now",
    "clear context of the old logs",
    "the newest task list is short",
  ])("%s does not", (prompt) => {
    expect(prompt).not.toMatch(LEAVING);
  });
});

const light: OperationFacts = {
  level: "GREEN",
  compactions: 0,
  unsavedDecisions: 0,
  hasLargeFiles: false,
  isNextUnrelated: false,
};
const name = (facts: Partial<OperationFacts>): readonly string[] =>
  recommendOperations({ ...light, ...facts }).map((text) => text.slice(0, text.indexOf(":")));

describe("what is recommended", () => {
  it("[R25] is nothing while the window is light and of use", () => {
    expect(name({})).toEqual([]);
    expect(name({ unsavedDecisions: 2, hasLargeFiles: true })).toEqual([]);
  });

  it("[R11] is to write, compress, select and isolate, as far as each helps", () => {
    expect(name({ level: "YELLOW" })).toEqual(["Select"]);
    expect(name({ level: "ORANGE" })).toEqual(["Compress", "Select"]);
    expect(name({ level: "RED", unsavedDecisions: 1, hasLargeFiles: true })).toEqual([
      "Write",
      "Compress",
      "Select",
      "Isolate",
    ]);
  });

  it.each([
    ["GREEN", 3, false, false],
    ["ORANGE", 2, false, false],
    ["ORANGE", 3, false, true],
    ["RED", 3, false, true],
    ["GREEN", 0, true, true],
  ] as const)(
    "[R11] at %s after %i compactions, next unrelated %s: fresh start %s",
    (level, compactions, isNextUnrelated, isFresh) => {
      expect(name({ level, compactions, isNextUnrelated }).includes("Fresh start")).toBe(isFresh);
    },
  );

  it("[R11] says what to do in a sentence, and saves before it leaves", () => {
    const advice = recommendOperations({ ...light, level: "RED", unsavedDecisions: 2, isNextUnrelated: true });
    expect(advice.slice(0, 2)).toEqual([
      "Write: put 2 unsaved decisions into .plimsoll/ before they can be lost.",
      "Fresh start: save the state and begin a new session, because the next work needs nothing that is in the window.",
    ]);
  });

  it("[R11] names no operation twice", () => {
    for (const level of ["GREEN", "YELLOW", "ORANGE", "RED"] satisfies readonly Level[]) {
      const names = name({ level, compactions: 5, unsavedDecisions: 1, hasLargeFiles: true, isNextUnrelated: true });
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
