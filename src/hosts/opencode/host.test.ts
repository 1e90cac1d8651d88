/** If red: a session of OpenCode is misread, or its compaction is not paid for. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OPENCODE_SESSION, openCodeMessage } from "../../../test/support/host-lines.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { isObject } from "../../core/json.ts";
import { followSession, type RecordedSession } from "../follow-transcript.ts";
import { openCode } from "./host.ts";

const { name } = createTemporaryFolder();

function read(exported: object): RecordedSession {
  const file = name(".json");
  writeFileSync(file, JSON.stringify(exported));
  return followSession(openCode, file).read();
}

describe("an export of OpenCode", () => {
  it("is a conversation, its reasoning counted as the output that it is billed as", () => {
    const { accounts, recording, tally, transcript } = read(OPENCODE_SESSION);
    expect(accounts.steps.map(({ usage }) => [usage.inputTokens, usage.cacheReadTokens, usage.outputTokens])).toEqual([
      [100, 800, 15],
      [100, 800, 15],
    ]);
    expect([accounts.title, accounts.toolCalls, transcript.cwd]).toEqual(["To the harbour", 1, "/ship/work"]);
    expect(recording.steps[1]?.arrivals.map(({ label }) => label)).toEqual(["bash"]);
    // The session, three messages, their five parts; two of these are marks of the client's own.
    expect(tally).toMatchObject({ lines: 9, parsed: 7, ignored: 2, malformed: 0, unknown: 0 });
  });

  it("opens a window at a compaction, whose request is paid for and stands in no later one", () => {
    const { messages } = OPENCODE_SESSION;
    const { accounts, recording } = read({
      ...OPENCODE_SESSION,
      messages: [
        ...messages,
        openCodeMessage("msg_4", "user", [{ type: "compaction", auto: true }]),
        openCodeMessage("msg_5", "assistant", [{ type: "text", text: "the harbour is near" }], { summary: true }),
        openCodeMessage("msg_6", "user", [{ type: "text", text: "Continue.", synthetic: true }]),
        openCodeMessage("msg_7", "assistant", [{ type: "text", text: "aye" }]),
      ],
    });
    expect(accounts.compactions).toMatchObject([{ trigger: "auto", preTokens: 915 }]);
    expect([accounts.steps.length, recording.steps.length, recording.windows.length]).toEqual([4, 3, 2]);
    expect(recording.steps.at(-1)?.arrivals.map(({ source }) => source)).toEqual(["summary", "reminder"]);
  });

  it.each(["", "[redacted]"])("counts each answer whose id was blanked: %j", (id) => {
    const messages = OPENCODE_SESSION.messages.map((message) => {
      return "info" in message && isObject(message.info) ? { ...message, info: { ...message.info, id } } : message;
    });
    const { accounts, recording } = read({ ...OPENCODE_SESSION, messages });
    expect([accounts.steps.length, recording.steps.length]).toEqual([2, 2]);
  });

  it("is told again where it has changed, and the same object where it has not", () => {
    const file = name(".json");
    writeFileSync(file, JSON.stringify(OPENCODE_SESSION));
    const followed = followSession(openCode, file);
    expect(followed.read()).toBe(followed.read());
    writeFileSync(file, JSON.stringify({ ...OPENCODE_SESSION, messages: OPENCODE_SESSION.messages.slice(0, 2) }));
    expect(followed.read().accounts.steps.length).toBe(1);
  });

  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["empty", ""],
    ["other JSON", '{"messages": [1, {}, {"info": 3}]}'],
  ])("holds nothing where it is %s", (_, text) => {
    const file = name(".json");
    writeFileSync(file, text);
    expect(followSession(openCode, file).read().accounts.steps).toEqual([]);
  });

  it("counts parts that it does not know", () => {
    const { tally } = read({
      ...OPENCODE_SESSION,
      messages: [openCodeMessage("m", "assistant", [{ type: "kraken" }])],
    });
    expect(tally.unknown).toBe(1);
  });
});

describe("what the tools of OpenCode mean", () => {
  it.each([
    ["read", { filePath: "a" }, { kind: "read", path: "a", range: undefined }],
    ["edit", { filePath: "a" }, { kind: "edit", path: "a" }],
    ["bash", { command: "ls" }, { kind: "run", command: "ls" }],
    ["webfetch", { url: "https://a" }, { kind: "fetch", url: "https://a" }],
    ["apply_patch", { patchText: "*** Update File: a.ts\n" }, { kind: "edit", path: "a.ts" }],
    [
      "todowrite",
      { todos: [{ content: "sail", status: "completed" }] },
      { kind: "replaceTodos", todos: [{ subject: "sail", status: "done" }] },
    ],
    ["task", { description: "look", subagent_type: "scout" }, { kind: "delegate", prompt: "look", agent: "scout" }],
  ])("%s", (tool, input, action) => {
    expect(openCode.vocabulary.interpretCall(tool, input)).toEqual(action);
  });
});
