/** If red: a session of Copilot CLI is misread, or shown with a cost that was never recorded. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COPILOT_SESSION, toLines } from "../../../test/support/host-lines.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { followSession, type RecordedSession } from "../follow-transcript.ts";
import { copilot } from "./host.ts";

const { name } = createTemporaryFolder();

function read(records: readonly object[]): RecordedSession {
  const file = name(".jsonl");
  writeFileSync(file, toLines(records));
  return followSession(copilot, file).read();
}

describe("the events of Copilot CLI", () => {
  it("tell what was said and done, and of no request what it cost", () => {
    const { recording, accounts, tally, transcript } = read(COPILOT_SESSION);
    expect(recording.steps.map(({ model, usage, outputs }) => [model, usage, outputs.length])).toEqual([
      ["gpt-5.6-sol", undefined, 1],
      ["gpt-5.6-sol", undefined, 1],
    ]);
    expect(recording.steps[1]?.arrivals.map(({ label }) => label)).toEqual(["bash"]);
    expect([accounts.steps, accounts.title, transcript.cwd]).toEqual([[], "sail to the harbour", "/ship/work"]);
    expect(tally).toMatchObject({ lines: 6, parsed: 5, ignored: 1, unknown: 0 });
  });

  it("take a skill's text, which the client puts in, for nobody's words", () => {
    const skill = { content: "You must sail.", source: "skill-sailing" };
    const { recording, accounts } = read([{ type: "user.message", data: skill, id: "s" }, ...COPILOT_SESSION]);
    const [reported] = recording.steps[0]?.arrivals ?? [];
    expect([reported?.source, reported?.label, accounts.title]).toEqual([
      "reminder",
      "skill-sailing",
      "sail to the harbour",
    ]);
  });

  it("count what they do not know and go on", () => {
    const { tally, recording } = read([...COPILOT_SESSION, { type: "kraken", data: {} }, { data: {} }]);
    expect([tally.unknown, tally.malformed, recording.steps.length]).toEqual([1, 1, 2]);
  });

  it.each([
    ["view", { path: "a", view_range: [3, 5] }, { kind: "read", path: "a", range: { first: 3, last: 5 } }],
    ["create", { path: "a", file_text: "b" }, { kind: "write", path: "a", text: "b" }],
    ["bash", { command: "ls" }, { kind: "run", command: "ls" }],
    ["apply_patch", { input: "*** Update File: a.ts\n" }, { kind: "edit", path: "a.ts" }],
  ])("call %s what it means", (tool, input, action) => {
    expect(copilot.vocabulary.interpretCall(tool, input)).toEqual(action);
  });
});
