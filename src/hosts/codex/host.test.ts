/** If red: a Codex session is misread, and its usage, failures or compactions are wrong. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answered, CODEX_SESSION, called, counted, rollout, said, toLines } from "../../../test/support/host-lines.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { SessionEvent } from "../../core/event.ts";
import { assessHealth } from "../../measure/health.ts";
import { followSession, type RecordedSession } from "../follow-transcript.ts";
import { codex } from "./host.ts";

const { name } = createTemporaryFolder();

function read(records: readonly object[]): RecordedSession {
  const file = name(".jsonl");
  writeFileSync(file, toLines(records));
  return followSession(codex, file).read();
}

/** One word an event. */
function shape(events: readonly SessionEvent[]): readonly string[] {
  return events.map((event) => {
    if (event.kind === "arrival") return `${event.source} ${event.label}`;
    return event.kind === "output" ? `output ${event.blocks.map(({ kind }) => kind).join("+")}` : event.kind;
  });
}

describe("a rollout", () => {
  it("is a conversation: each answer with its usage, then its results", () => {
    const { events, accounts, tally } = read(CODEX_SESSION);
    expect(shape(events)).toEqual([
      "attachment permissions",
      "reminder instructions",
      "prompt prompt",
      "output thinking+toolCall",
      "toolResult exec_command",
      "output text",
    ]);
    expect(accounts.steps.map(({ model, usage }) => [model, usage.inputTokens, usage.cacheReadTokens])).toEqual([
      ["gpt-5.5", 900, 0],
      ["gpt-5.5", 304, 896],
    ]);
    expect([accounts.title, accounts.toolCalls, accounts.sessionId]).toEqual(["sail to the harbour", 1, "0199-codex"]);
    expect(tally).toMatchObject({ lines: 12, parsed: 11, ignored: 1, repeated: 1, malformed: 0 });
  });

  it("tells the window that the client works with, and where it compacts", () => {
    const { host, transcript } = read(CODEX_SESSION);
    const settings = host.readCompactionSettings({}, "");
    const { windowTokens, compactionPointTokens } = assessHealth(transcript.meter, { settings });
    expect([windowTokens, compactionPointTokens]).toEqual([272_000, 244_800]);
    const wider = JSON.parse(JSON.stringify(CODEX_SESSION).replaceAll("258400", "380000"));
    expect(assessHealth(read(wider).transcript.meter).windowTokens).toBe(400_000);
  });

  it("keeps its own id where it is a fork, which repeats the first record of the session that it came from", () => {
    const [first = {}, ...others] = CODEX_SESSION;
    const parent = rollout("session_meta", { id: "0198-parent", cli_version: "0.118.0", cwd: "/p" });
    expect(read([first, parent, ...others]).accounts.sessionId).toBe("0199-codex");
  });

  it("says that a command failed, and how", () => {
    const result = read(CODEX_SESSION).events.find(
      (event) => event.kind === "arrival" && event.source === "toolResult",
    );
    const block = result?.kind === "arrival" && result.block.kind === "toolResult" ? result.block : undefined;
    expect(block?.isError).toBe(true);
    const run = codex.vocabulary.interpretCall("exec_command", { cmd: "ls" });
    expect(block && codex.vocabulary.interpretResult(run, block, undefined).exitCode).toBe(2);
  });

  it("counts what it does not know and goes on", () => {
    const { tally, accounts } = read([
      ...CODEX_SESSION,
      rollout("event_msg", { type: "sea_monster" }),
      { type: "response_item" },
      rollout("kraken", {}),
    ]);
    expect([tally.unknown, tally.malformed, accounts.steps.length]).toEqual([2, 1, 2]);
  });

  it("takes one record of usage a request, next to which the totals say nothing new", () => {
    const usage = { input_tokens: 100, cached_input_tokens: 60, cache_write_input_tokens: 30, output_tokens: 5 };
    const { accounts } = read([
      said("user", "go"),
      said("assistant", "aye"),
      rollout("token_usage_record", { usage }),
      counted(105, { input: 100, cached: 60, output: 5 }),
      said("assistant", "on"),
      counted(205, { input: 95, cached: 60, output: 5 }),
      rollout("token_usage_record", { usage }),
    ]);
    const [first] = accounts.steps;
    expect(accounts.steps.length).toBe(2);
    expect(first?.usage).toMatchObject({ inputTokens: 10, cacheReadTokens: 60, cacheWrite5mTokens: 30 });
  });

  it("takes as thoughts what the model reasoned, which is part of its answer", () => {
    const think = (reasoning_output_tokens: number): object => ({
      input_tokens: 9,
      output_tokens: 50,
      reasoning_output_tokens,
    });
    const { accounts } = read([
      said("assistant", "aye"),
      rollout("token_usage_record", { usage: think(40) }),
      said("assistant", "on"),
      rollout("token_usage_record", { usage: think(60) }),
    ]);
    expect(accounts.steps.map(({ usage }) => [usage.outputTokens, usage.thoughtTokens])).toEqual([
      [50, 40],
      [50, 50],
    ]);
  });

  it("does not count the first request twice where its total comes before its record", () => {
    const usage = { input_tokens: 100, cached_input_tokens: 60, output_tokens: 5 };
    const { accounts } = read([
      said("assistant", "aye"),
      counted(105, { input: 100, cached: 60, output: 5 }),
      rollout("token_usage_record", { usage }),
    ]);
    expect(accounts.steps.length).toBe(1);
  });

  it("opens a window at a compaction, with what stands in the place of the history", () => {
    const kept = { type: "message", role: "user", content: [{ type: "input_text", text: "sail to the harbour" }] };
    const sealed = { type: "compaction", encrypted_content: "sealed" };
    const { accounts, recording, events } = read([
      ...CODEX_SESSION,
      rollout("compacted", { message: "", replacement_history: [kept, sealed] }),
      said("assistant", "Where was I?"),
      counted(2900, { input: 500, cached: 0, output: 100 }),
    ]);
    expect(accounts.compactions).toMatchObject([{ trigger: "unknown", preTokens: 1200 }]);
    expect(recording.windows.length).toBe(2);
    expect(shape(events).slice(-4)).toEqual(["compaction", "attachment kept", "summary summary", "output text"]);
  });

  it("leaves out the turns that the person took back", () => {
    const { events } = read([
      said("user", "one"),
      said("assistant", "first"),
      counted(10, { input: 5, cached: 0, output: 5 }),
      said("user", "two"),
      said("assistant", "second"),
      counted(20, { input: 5, cached: 0, output: 5 }),
      rollout("event_msg", { type: "thread_rolled_back", num_turns: 1 }),
      said("user", "three"),
    ]);
    const texts = events.flatMap((event) =>
      event.kind === "arrival" ? [event.block] : event.kind === "output" ? event.blocks : [],
    );
    expect(texts.map((block) => (block.kind === "text" ? block.text : ""))).toEqual(["one", "first", "three"]);
  });

  it("leaves out all turns that the person took back at once", () => {
    const { events } = read([
      ...["one", "two", "three"].map((words) => said("user", words)),
      rollout("event_msg", { type: "thread_rolled_back", num_turns: 2 }),
      said("user", "four"),
    ]);
    const texts = events.flatMap((event) => (event.kind === "arrival" ? [event.block] : []));
    expect(texts.map((block) => (block.kind === "text" ? block.text : ""))).toEqual(["one", "four"]);
  });

  it("tells an answer whose end is not there yet, and tells it again with its end", () => {
    const file = name(".jsonl");
    const all = toLines(CODEX_SESSION).split("\n");
    const followed = followSession(codex, file);
    for (let lines = 1; lines <= CODEX_SESSION.length; lines++) {
      writeFileSync(file, `${all.slice(0, lines).join("\n")}\n`);
      const whole = read(CODEX_SESSION.slice(0, lines));
      const { transcript, accounts, recording } = followed.read();
      expect([transcript, accounts, recording]).toEqual([whole.transcript, whole.accounts, whole.recording]);
    }
    writeFileSync(file, toLines(CODEX_SESSION.slice(0, 7)));
    expect(shape(followed.read().events).at(-1)).toBe("output thinking+toolCall");
  });

  it("counts an answer that was broken off to the request before it", () => {
    const { accounts, recording } = read([
      ...CODEX_SESSION,
      said("user", "turn about"),
      called("call_2", "exec_command", { cmd: "tack" }),
      rollout("event_msg", { type: "turn_aborted" }),
      answered("call_2", "aborted by user"),
    ]);
    expect([accounts.steps.length, recording.steps.length]).toEqual([2, 2]);
    expect(recording.steps.at(-1)?.outputs.length).toBe(2);
  });
});

describe("what the tools of Codex mean", () => {
  const { interpretCall } = codex.vocabulary;

  it.each([
    ["exec_command", { cmd: "npm test" }, { kind: "run", command: "npm test" }],
    ["shell", { command: ["bash", "-lc", "npm test"] }, { kind: "run", command: "npm test" }],
    ["shell_command", { command: "npm test" }, { kind: "run", command: "npm test" }],
    ["view_image", { path: "a.png" }, { kind: "read", path: "a.png", range: undefined }],
    ["kraken", {}, { kind: "other", tool: "kraken" }],
    [
      "update_plan",
      { plan: [{ step: "sail", status: "in_progress" }] },
      { kind: "replaceTodos", todos: [{ subject: "sail", status: "active" }] },
    ],
    [
      "apply_patch",
      { input: "*** Begin Patch\n*** Add File: log.md\n+day one\n+day two\n*** End Patch" },
      { kind: "write", path: "log.md", text: "day one\nday two\n" },
    ],
    [
      "apply_patch",
      { input: "*** Begin Patch\n*** Update File: log.md\n@@\n-a\n+b\n*** End Patch" },
      { kind: "edit", path: "log.md", lines: { added: 1, removed: 1 } },
    ],
  ])("%s", (tool, input, action) => {
    expect(interpretCall(tool, input)).toEqual(action);
  });
});
