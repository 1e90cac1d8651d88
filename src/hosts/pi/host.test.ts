/** If red: a session of pi is misread, or a branch that was left is not billed. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answerOfPi, message, PI_SESSION, toLines } from "../../../test/support/host-lines.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { followSession, type RecordedSession } from "../follow-transcript.ts";
import { pi } from "./host.ts";

const { name } = createTemporaryFolder();

function read(records: readonly object[]): RecordedSession {
  const file = name(".jsonl");
  writeFileSync(file, toLines(records));
  return followSession(pi, file).read();
}

describe("a session of pi", () => {
  it("stands on the branch of its last entry, and pays for all of them", () => {
    const { accounts, recording, tally, transcript } = read(PI_SESSION);
    expect(accounts.steps.length).toBe(3);
    expect(recording.steps.map(({ outputs }) => outputs.length)).toEqual([1, 1]);
    expect([transcript.cwd, accounts.title]).toEqual(["/ship/work", "sail to the harbour"]);
    expect(tally).toMatchObject({ lines: 6, parsed: 6, ignored: 0, malformed: 0 });
    expect(accounts.steps[0]?.usage).toMatchObject({ inputTokens: 900, cacheWrite5mTokens: 5, outputTokens: 10 });
  });

  it("keeps word for word what a compaction says it kept", () => {
    const compaction = {
      type: "compaction",
      id: "c1",
      parentId: "a5",
      summary: "the harbour is near",
      firstKeptEntryId: "a3",
      tokensBefore: 917,
    };
    const { recording, accounts } = read([
      ...PI_SESSION,
      compaction,
      message("b1", "c1", answerOfPi([{ type: "text", text: "aye" }], 100, 0)),
    ]);
    expect(accounts.compactions).toMatchObject([{ preTokens: 917 }]);
    expect(recording.windows[1]?.kept.map(({ origin }) => origin)).toEqual(["a3", "a5"]);
  });

  it("keeps nothing where the entry that a compaction kept first is not in the file", () => {
    const compaction = { type: "compaction", id: "c1", parentId: "a5", summary: "near", firstKeptEntryId: "gone" };
    const next = message("b1", "c1", answerOfPi([{ type: "text", text: "aye" }], 100, 0));
    expect(read([...PI_SESSION, compaction, next]).recording.windows[1]?.kept).toEqual([]);
  });

  it("reads files of the first version, whose entries have no ids", () => {
    const withoutIds = (record: object): object => {
      const { id: _, parentId: __, version: ___, ...rest } = { id: "", parentId: "", version: 0, ...record };
      return rest;
    };
    const compaction = { type: "compaction", summary: "near", firstKeptEntryIndex: 3, tokensBefore: 5 };
    const { recording } = read([
      ...PI_SESSION.map(withoutIds),
      compaction,
      withoutIds(message("", null, answerOfPi([{ type: "text", text: "aye" }], 9, 0))),
    ]);
    expect(recording.windows.length).toBe(2);
    expect(recording.windows[1]?.kept.length).toBe(3);
  });

  it("bills what was broken off where it was counted, and carries nothing of it on", () => {
    const aborted = { ...answerOfPi([{ type: "text", text: "half a" }], 7, 900), stopReason: "aborted" };
    const uncounted = { ...aborted, usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
    const { accounts, recording } = read([...PI_SESSION, message("d1", "a5", aborted), message("d2", "d1", uncounted)]);
    expect([accounts.steps.length, recording.steps.length]).toEqual([4, 3]);
    expect(recording.steps.at(-1)?.outputs).toEqual([]);
  });

  it("counts what it does not know and goes on", () => {
    const kraken = { type: "kraken", id: "k", parentId: "a5" };
    const { tally, recording } = read([...PI_SESSION, kraken, message("z", "k", { role: "albatross" }), { id: "x" }]);
    expect([tally.unknown, tally.malformed, recording.steps.length]).toEqual([2, 1, 2]);
  });

  it("pays for what was asked next to the conversation", () => {
    const usage = { input: 3, output: 1, cacheRead: 50, cacheWrite: 0 };
    const usageEntry = { type: "usage", id: "u1", parentId: "a5", model: "claude-opus-4-5", usage };
    const { accounts, recording } = read([...PI_SESSION, usageEntry]);
    expect([accounts.steps.at(-1)?.isSidechain, accounts.steps.length, recording.steps.length]).toEqual([true, 4, 2]);
  });
});

describe("what the tools of pi mean", () => {
  it.each([
    ["read", { path: "a", offset: 3, limit: 2 }, { kind: "read", path: "a", range: { first: 3, last: 4 } }],
    ["write", { path: "a", content: "b" }, { kind: "write", path: "a", text: "b" }],
    ["edit", { path: "a", edits: [] }, { kind: "edit", path: "a" }],
    ["bash", { command: "ls" }, { kind: "run", command: "ls" }],
    ["grep", { pattern: "x", path: "b" }, { kind: "search", pattern: "x", path: "b" }],
    ["kraken", {}, { kind: "other", tool: "kraken" }],
  ])("%s", (tool, input, action) => {
    expect(pi.vocabulary.interpretCall(tool, input)).toEqual(action);
  });
});
