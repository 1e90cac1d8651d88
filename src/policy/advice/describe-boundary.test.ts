import { expect, it } from "vitest";
import { story } from "../../../test/support/story.ts";
import { describeBoundary } from "./describe-boundary.ts";

type Call = readonly [tool: string, input: Readonly<Record<string, string>>, result?: string, isError?: boolean];

function after(...calls: readonly Call[]): string {
  const told = calls.reduce(
    (so, [tool, input, result, isError = false]) => so.calls(tool, input, result, { isError }),
    story(),
  );
  return describeBoundary(told.happened()).text;
}

const EDIT: Call = ["Edit", { file_path: "/p/hull.ts" }, "ok"];
const test = (result: string, isError = false): Call => ["Bash", { command: "npm test" }, result, isError];

it.each<[string, readonly Call[]]>([
  ["end of the task", []],
  ["end of the current file, after its tests pass", [["Edit", { file_path: "/p/hull.ts" }]]],
  ["after the tests of /p/hull.ts pass", [test("3 passed"), EDIT]],
  ["after the tests of /p/hull.ts pass: they fail now", [EDIT, test("1 failed", true)]],
  ["now: /p/hull.ts is written and its tests pass", [EDIT, test("3 passed")]],
  ["now: after the commit", [EDIT, ["Bash", { command: "git commit -m x" }, "ok"]]],
])("[R28] names the next safe place: %s", (text, calls) => {
  expect(after(...calls)).toBe(text);
});
