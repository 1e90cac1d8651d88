/** If red: a session of Gemini CLI is misread or its cached tokens are billed in full. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GEMINI_SESSION } from "../../../test/support/host-lines.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { followSession } from "../follow-transcript.ts";
import { gemini } from "./host.ts";

const { name } = createTemporaryFolder();

describe("a chat of Gemini CLI", () => {
  it("is a conversation, what was read from the cache apart from the input", () => {
    const file = name(".json");
    writeFileSync(file, JSON.stringify(GEMINI_SESSION));
    const { accounts, recording, tally } = followSession(gemini, file).read();
    expect(accounts.steps.map(({ usage }) => usage)).toEqual([
      { inputTokens: 400, cacheReadTokens: 600, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0, outputTokens: 50 },
    ]);
    expect(recording.steps[0]?.arrivals.map(({ source }) => source)).toEqual(["prompt", "attachment"]);
    expect(recording.waiting.map(({ label }) => label)).toEqual(["run_shell_command"]);
    expect([accounts.title, tally.lines, tally.parsed, tally.ignored]).toEqual(["sail to the harbour", 3, 2, 1]);
  });

  it.each([
    ["read_file", { file_path: "a" }, { kind: "read", path: "a", range: undefined }],
    ["replace", { file_path: "a" }, { kind: "edit", path: "a" }],
    ["run_shell_command", { command: "ls" }, { kind: "run", command: "ls" }],
    ["grep_search", { pattern: "x" }, { kind: "search", pattern: "x", path: "" }],
  ])("calls %s what it means", (tool, input, action) => {
    expect(gemini.vocabulary.interpretCall(tool, input)).toEqual(action);
  });
});
