/** If red: a good moment to compact is not recognised, or the middle of an edit is taken for one. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { story } from "../../../test/support/story.ts";
import { describeBoundary, findBoundary, type WorkFacts } from "./find-boundary.ts";

const working: WorkFacts = {
  file: "src/auth/validate.ts",
  isMidEdit: false,
  doTestsPass: undefined,
  isTaskDone: false,
  isCommitted: false,
  isAwaitingPerson: false,
};

it.each([
  ["an edit under way", { isMidEdit: true }, "end of src/auth/validate.ts, after its tests pass"],
  ["an edit of a file nobody named", { isMidEdit: true, file: "" }, "end of the current file, after its tests pass"],
  ["tests not run", {}, "after the tests of src/auth/validate.ts pass"],
  ["tests that fail", { doTestsPass: false }, "once the tests of src/auth/validate.ts pass (they fail now)"],
  ["no file at all", { file: "" }, "end of the task"],
])("[R28] with %s the next boundary is ahead", (_what, facts, text) => {
  expect(findBoundary({ ...working, ...facts })).toBe(text);
});

it.each([
  [{ doTestsPass: true }, "now: src/auth/validate.ts is written and its tests pass"],
  [{ isTaskDone: true }, "now: end of the task"],
  [{ isCommitted: true, isTaskDone: true }, "now: after the commit"],
  [{ isAwaitingPerson: true }, "now: before the next request"],
])("[R28] a boundary is reached with %j", (facts, text) => {
  expect(findBoundary({ ...working, ...facts })).toBe(text);
});

it("[R28] nothing is a boundary in the middle of an edit", () => {
  const anyFacts = fc.record({
    file: fc.constantFrom("", "a.ts"),
    isMidEdit: fc.constant(true),
    doTestsPass: fc.constantFrom(true, false, undefined),
    isTaskDone: fc.boolean(),
    isCommitted: fc.boolean(),
    isAwaitingPerson: fc.boolean(),
  });
  fc.assert(
    fc.property(anyFacts, (facts) => {
      expect(findBoundary(facts)).not.toMatch(/^now: /);
    }),
  );
});

type Call = readonly [tool: string, input: Readonly<Record<string, string>>, result?: string, isError?: boolean];

function after(...calls: readonly Call[]): string {
  const reported = calls.reduce(
    (so, [tool, input, result, isError = false]) => so.calls(tool, input, result, { isError }),
    story(),
  );
  return describeBoundary(reported.happened());
}

const EDIT: Call = ["Edit", { file_path: "/p/hull.ts" }, "ok"];
const test = (result: string, isError = false): Call => ["Bash", { command: "npm test" }, result, isError];

it.each<[string, readonly Call[]]>([
  ["end of the task", []],
  ["end of /p/hull.ts, after its tests pass", [["Edit", { file_path: "/p/hull.ts" }]]],
  ["after the tests of /p/hull.ts pass", [test("3 passed"), EDIT]],
  ["once the tests of /p/hull.ts pass (they fail now)", [EDIT, test("1 failed", true)]],
  ["now: /p/hull.ts is written and its tests pass", [EDIT, test("3 passed")]],
  ["now: after the commit", [EDIT, ["Bash", { command: "git commit -m x" }, "ok"]]],
  ["after the tests of /p/hull.ts pass", [EDIT]],
  [
    "end of the task",
    [test("3 passed"), EDIT, ["Bash", { command: "git commit -m x" }, "ok"], ["Bash", { command: "ls" }, "a"]],
  ],
  ["end of /p/hull.desktop", [["Edit", { file_path: "/p/hull.desktop" }]]],
])("[R28] names the next safe place: %s", (text, calls) => {
  expect(after(...calls)).toBe(text);
});

it("[R195] names the item of the list, its place, and the file under edit", () => {
  const todos = ["Plank", "Caulk", "Paint", "Rig", "Launch"].map((content, index) => ({
    content,
    status: index === 0 ? "completed" : index === 1 ? "in_progress" : "pending",
  }));
  const list: Call = ["TodoWrite", { todos } as never, "ok"];
  expect(after(list)).toBe('end of "Caulk (2 of 5)"');
  expect(after(list, EDIT)).toBe('after the tests of /p/hull.ts pass, at the latest the end of "Caulk (2 of 5)"');
  expect(after(list, ["Edit", { file_path: "/p/hull.md" }, "ok"])).toBe('end of "Caulk (2 of 5)"');
});
