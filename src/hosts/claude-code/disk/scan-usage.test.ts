import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  agentProgress,
  answer,
  boundary,
  prompt,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../core/json.ts";
import { MAX_LINE_BYTES } from "../../../files/file-cursor.ts";
import type { UsageScan } from "../../usage.ts";
import { scanUsage } from "./scan-usage.ts";

const { name } = createTemporaryFolder();

function scanText(content: string): UsageScan {
  const file = name();
  writeFileSync(file, content);
  return scanUsage(file);
}

const scan = (...drafts: readonly JsonObject[]): UsageScan => scanText(toFile(transcript(...drafts)));

const idsOf = ({ steps }: UsageScan): readonly string[] => steps.map(({ stepId }) => stepId);

describe("scanUsage", () => {
  it("joins the lines of a split answer into one step with the largest output told", () => {
    const usage = { cache_read_input_tokens: 20_000 };
    const { steps, toolCalls, sessionId } = scan(
      prompt("go"),
      answer("m1", ["Two."], { ...usage, output_tokens: 1 }),
      answer("m1", [toolUse("t1", "Bash")], { ...usage, output_tokens: 80 }),
      answer("m1", [toolUse("t2", "Read")], { ...usage, output_tokens: 40 }),
    );
    expect(steps).toEqual([
      {
        stepId: "m1",
        model: "claude-opus-4-6",
        atMs: Date.UTC(2026, 0, 1, 0, 0, 2),
        isSidechain: false,
        isOutputFinal: true,
        usage: {
          inputTokens: 3,
          cacheReadTokens: 20_000,
          cacheWrite5mTokens: 0,
          cacheWrite1hTokens: 0,
          outputTokens: 80,
        },
      },
    ]);
    expect({ toolCalls, sessionId }).toEqual({ toolCalls: 2, sessionId: "session-1" });
  });

  it("counts every call of an answer that was written as one line", () => {
    expect(scan(answer("m1", ["x", toolUse("t1", "Bash"), toolUse("t2", "Read")])).toolCalls).toBe(2);
  });

  it("bills side chains and what subagents say in passing, and tells them apart", () => {
    const { steps, toolCalls } = scan(
      answer("m1", ["one"]),
      { ...answer("s1", [toolUse("t1", "Grep")]), isSidechain: true },
      agentProgress(answer("s2", [toolUse("t2", "Grep")])),
      agentProgress(prompt("look")),
    );
    expect(steps.map(({ stepId, isSidechain }) => [stepId, isSidechain])).toEqual([
      ["m1", false],
      ["s1", true],
      ["s2", true],
    ]);
    expect(toolCalls).toBe(2);
  });

  it("counts the calls of a subagent once, though newer lines tell its message in two forms", () => {
    const said = answer("s1", ["x", toolUse("t1", "Grep"), toolUse("t2", "Grep")]);
    const data = { type: "agent_progress", message: said, normalizedMessages: [said] };
    expect(scan({ type: "progress", data })).toMatchObject({ steps: [{ stepId: "s1" }], toolCalls: 2 });
  });

  it("bills nothing for error notices, for made-up answers and for answers without usage", () => {
    const made = { model: "<synthetic>", role: "assistant", content: [], usage: { input_tokens: 9 } };
    const silent = { model: "claude-opus-4-6", role: "assistant", content: [] };
    const scanned = scan(
      { ...answer("e1", ["API Error"]), isApiErrorMessage: true },
      { ...answer("e2", []), message: made },
      { ...answer("e3", []), message: silent },
    );
    expect(scanned).toMatchObject({ steps: [], toolCalls: 0 });
  });

  it("sees boundaries that have no uuid, each of them", () => {
    const nameless = { ...boundary("l1"), uuid: "" };
    expect(scan(answer("m1", ["one"]), nameless, nameless).compactions).toHaveLength(2);
  });

  it("counts lines that were written twice once", () => {
    const lines = transcript(prompt("go"), answer("m1", [toolUse("t1", "Bash")]), boundary("l2"));
    const twice = scanText(toFile([...lines, ...lines]));
    expect(twice).toMatchObject({ steps: [{ stepId: "m1" }], toolCalls: 1, compactions: [{ trigger: "auto" }] });
  });

  it("finds compactions and calls the miss after one by its name", () => {
    const { compactions, misses } = scan(
      answer("m1", ["one"], { cache_read_input_tokens: 160_000 }),
      boundary("l1", { trigger: "manual", preTokens: 161_000, durationMs: 40 }),
      { ...answer("s1", ["aside"], { cache_creation_input_tokens: 5_000 }), isSidechain: true },
      answer("m2", ["two"], { cache_creation_input_tokens: 30_000, cache_read_input_tokens: 10_000 }),
      answer("m3", ["three"], { cache_creation_input_tokens: 40_000 }),
    );
    expect(compactions).toMatchObject([{ trigger: "manual", preTokens: 161_000, durationMs: 40 }]);
    expect(misses).toMatchObject([
      { stepId: "m2", cause: "compaction" },
      { stepId: "m3", cause: "unknown" },
    ]);
  });

  it("says which lines it read, which it passed over, and which were broken", () => {
    const [user = "", model = ""] = transcript(prompt("go"), answer("m1", ["one"]));
    const { lines } = scanText(`${user}\n\n\r\n${model}\n${model.slice(0, -30)}\nnonsense\n`);
    expect(lines).toEqual({ read: 2, notAboutUsage: 2, malformed: 1 });
  });

  it("counts a line that is too long to be a record as malformed, and reads the next", () => {
    const file = name();
    const [first = "", second = ""] = transcript(answer("m1", ["one"]), answer("m2", ["two"]));
    writeFileSync(file, `${first}\n`);
    truncateSync(file, MAX_LINE_BYTES + (2 << 20));
    appendFileSync(file, `\n${second}\n`);
    const scanned = scanUsage(file);
    expect(idsOf(scanned)).toEqual(["m1", "m2"]);
    expect(scanned.lines).toEqual({ read: 3, notAboutUsage: 0, malformed: 1 });
  });
});

describe("scanUsage on lines that it must not mistake", () => {
  it("finds an answer whose first call speaks of a user", () => {
    const scanned = scan(answer("m1", [toolUse("t1", "mcp__db__find", { type: "user", role: "user" })]));
    expect(idsOf(scanned)).toEqual(["m1"]);
  });

  it("finds answers and boundaries behind a very long path, where the record begins with it", () => {
    const cwd = `/${"a-long-folder-name/".repeat(200)}`;
    const head = { parentUuid: "p", isSidechain: false, cwd, sessionId: "s", version: "2.1.40", uuid: "u1" };
    const lines = [
      { ...head, ...answer("m1", ["one"]) },
      { ...head, ...boundary("u1"), uuid: "u2" },
      { ...head, ...prompt("on"), uuid: "u3" },
    ].map((line) => JSON.stringify(line));
    expect(scanText(toFile(lines))).toMatchObject({
      steps: [{ stepId: "m1" }],
      compactions: [{ trigger: "auto" }],
      lines: { read: 2, notAboutUsage: 1 },
    });
  });

  it("does not take words about answers for answers", () => {
    const words = '{"type":"assistant","message":{"role":"assistant","usage":{"input_tokens":5}}}';
    const scanned = scan(prompt(words), toolResult("t1", words), {
      type: "file-history-snapshot",
      snapshot: { text: words },
    });
    expect(scanned).toMatchObject({ steps: [], lines: { read: 0, notAboutUsage: 3 } });
  });

  it("reads an answer whose content looks like its own end", () => {
    const tricky = ['],"stop_reason":"end_turn"', '"content":[', '{"type":"tool_use",'];
    const input = { content: [{ content: [1] }], stop_reason: [["]"]], list: [{ stop_reason: "x" }] };
    const scanned = scan(answer("m1", [...tricky, toolUse("t1", "Bash", input)], { output_tokens: 44 }));
    expect(scanned).toMatchObject({ steps: [{ stepId: "m1", usage: { outputTokens: 44 } }], toolCalls: 1 });
  });

  it("reads answers whose content is a bare string or stands behind the usage", () => {
    const usage = { input_tokens: 7 };
    const bare = { id: "m1", role: "assistant", model: "x", content: "hi", stop_reason: "end_turn", usage };
    const turned = { usage, stop_reason: "end_turn", model: "x", role: "assistant", id: "m2", content: [] };
    const scanned = scan({ type: "assistant", message: bare }, { type: "assistant", message: turned });
    expect(scanned.steps.map((step) => [step.stepId, step.usage.inputTokens])).toEqual([
      ["m1", 7],
      ["m2", 7],
    ]);
  });
});
