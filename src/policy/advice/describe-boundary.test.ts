import { expect, it } from "vitest";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { createSession } from "../../session/session.ts";
import { describeBoundary } from "./describe-boundary.ts";

type Call = readonly [tool: string, input: Readonly<Record<string, string>>, result?: string, isError?: boolean];

function after(...calls: readonly Call[]): string {
  const session = createSession(claudeCodeVocabulary);
  const common = { origin: "", atMs: 0 };
  for (const [index, [tool, input, result, isError = false]] of calls.entries()) {
    const callId = `c${index}`;
    const call = { kind: "toolCall", id: callId, callId, tool, input } as const;
    session.feed({
      kind: "output",
      ...common,
      stepId: callId,
      model: "",
      usage: undefined,
      isOutputFinal: true,
      blocks: [call],
    });
    if (result === undefined) continue;
    const block = {
      kind: "toolResult",
      id: `r${index}`,
      callId,
      parts: [{ kind: "text", text: result }],
      isError,
    } as const;
    session.feed({
      kind: "arrival",
      ...common,
      source: "toolResult",
      label: tool,
      role: "user",
      block,
      detail: undefined,
    });
  }
  return describeBoundary(session.state()).text;
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
