/** If red: requests of a transcript are billed twice or not at all in the person's totals. */
import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../../test/support/depth.ts";
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
import { isObject, type JsonObject } from "../../../core/json.ts";
import { MAX_LINE_BYTES } from "../../../files/file-cursor.ts";
import { parseUsage } from "../../../wire/anthropic/parse-usage.ts";
import type { AnswerBill, UsageScan } from "../../usage.ts";
import { createByteFinder, readAnswer, scanUsage } from "./scan-usage.ts";

const { name } = createTemporaryFolder();

function scanText(content: string): UsageScan {
  const file = name();
  writeFileSync(file, content);
  return scanUsage(file);
}

const scan = (...drafts: readonly JsonObject[]): UsageScan => scanText(toFile(transcript(...drafts)));

const idsOf = ({ steps }: UsageScan): readonly string[] => steps.map(({ stepId }) => stepId);

describe("scanUsage", () => {
  it.each([
    [
      "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the mast</command-args>",
      "/review the mast",
    ],
    ["<command-message>progress</command-message>\n<command-name>/progress</command-name>", "/progress"],
    ["<command-name>/clear</command-name>\n<command-args></command-args>", ""],
    ["<system_instruction>You run in an app.</system_instruction>\n\nPaint the mast", "Paint the mast"],
  ])("names a session that begins with %j: %j", (text, title) => {
    expect(scan(prompt(text), answer("m1", ["Done."])).title).toBe(title);
  });

  it("prefers words to a command that has nothing behind it", () => {
    const command = prompt("<command-message>go</command-message><command-name>/go</command-name>");
    expect(scan(command, prompt("Paint the mast"), answer("m1", ["Done."])).title).toBe("Paint the mast");
  });

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
    expect(lines).toEqual({ read: 3, notAboutUsage: 1, malformed: 2 });
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

/** Reads a line out of the middle of other bytes, as it lies in a chunk of a file. */
function read(line: string): AnswerBill | undefined {
  const before = '"content":[],"stop_reason":null}\n';
  const behind =
    '\n{"type":"assistant","message":{"id":"other","content":[],"stop_reason":null,"usage":{"input_tokens":1}}}';
  const bytes = Buffer.from(before + line + behind);
  const from = Buffer.byteLength(before);
  return readAnswer({ bytes, from, to: from + Buffer.byteLength(line) });
}

const readDraft = (draft: JsonObject): AnswerBill | undefined => read(transcript(draft).join());

/** Keys in the order in which clients up to 2.1.81 wrote them. */
const writeOldOrder = (draft: JsonObject): string =>
  JSON.stringify({
    parentUuid: "l0",
    isSidechain: false,
    userType: "external",
    cwd: "/home/dev/größe",
    sessionId: "session-1",
    version: "2.1.40",
    gitBranch: "main",
    message: draft.message,
    requestId: "req_1",
    type: "assistant",
    uuid: "l1",
    timestamp: "2026-01-01T00:00:01.000Z",
  });

describe("readAnswer", () => {
  const draft = answer("m1", ["Two.", toolUse("t1", "Bash")], {
    cache_read_input_tokens: 20_000,
    cache_creation_input_tokens: 900,
    cache_creation: { ephemeral_1h_input_tokens: 600, ephemeral_5m_input_tokens: 300 },
    output_tokens: 80,
  });
  const bill = {
    stepId: "m1",
    model: "claude-opus-4-6",
    uuid: "l1",
    sessionId: "session-1",
    cwd: "",
    atMs: Date.parse("2026-01-01T00:00:01.000Z"),
    isSidechain: false,
    isOutputFinal: true,
    usage: {
      inputTokens: 3,
      cacheReadTokens: 20_000,
      cacheWrite5mTokens: 300,
      cacheWrite1hTokens: 600,
      outputTokens: 80,
    },
  };

  it("picks the bill out of an answer, in the orders that clients write", () => {
    expect(readDraft(draft)).toEqual(bill);
    expect(read(writeOldOrder(draft))).toEqual({ ...bill, cwd: "/home/dev/größe", isOutputFinal: false });
  });

  it.each([
    ["2.1.58", "end_turn", false],
    ["2.1.59", "end_turn", true],
    ["2.1.92", null, false],
    ["2.1.93", null, true],
  ])("knows whether the output of client %s with stop reason %s is final: %s", (version, reason, isFinal) => {
    const stopped = { ...withMessage(draft, { stop_reason: reason }), version };
    expect(readDraft(stopped)?.isOutputFinal).toBe(isFinal);
  });

  it("knows an answer in fast mode, wherever in its usage that stands, and takes no word of its text for it", () => {
    const used = { input_tokens: 1, cache_creation_input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 4 };
    expect(readDraft(withMessage(draft, { usage: { ...used, speed: "fast" } }))?.usage.speed).toBe("fast");
    expect(readDraft(withMessage(draft, { usage: { speed: "fast", ...used } }))?.usage.speed).toBe("fast");
    expect(readDraft(withMessage(draft, { usage: { ...used, speed: "standard" } }))?.usage.speed).toBeUndefined();
    const said = answer("m1", [toolUse("t1", "Write", { text: '"speed":"fast"', speed: "fast" })], used);
    expect(readDraft(said)?.usage.speed).toBeUndefined();
  });

  it("knows a side chain, and a subagent that is told of in passing", () => {
    expect(readDraft({ ...draft, isSidechain: true })).toMatchObject({ stepId: "m1", isSidechain: true });
    expect(readDraft(agentProgress({ ...draft, uuid: "inner", timestamp: "2026-01-01T00:00:00.000Z" }))).toMatchObject({
      stepId: "m1",
      isSidechain: true,
    });
  });

  it.each([
    { what: "a prompt", draft: prompt([{ type: "text", text: "x" }]) },
    {
      what: "a result that holds an answer of some other model",
      draft: { ...prompt("x"), toolUseResult: draft.message ?? null },
    },
    { what: "an error notice", draft: { ...draft, isApiErrorMessage: true } },
    { what: "what the client made up", draft: withMessage(draft, { model: "<synthetic>" }) },
    { what: "an answer without usage", draft: withMessage(draft, { usage: null }) },
    { what: "an answer without id", draft: withMessage(draft, { id: null }) },
    { what: "an answer whose content is a string", draft: withMessage(draft, { content: "x" }) },
    { what: "an answer without time", draft: { ...draft, timestamp: null } },
    { what: "a usage with braces in its words", draft: withMessage(draft, { usage: { service_tier: "}" } }) },
    {
      what: "an answer that holds a second content",
      draft: answer("m1", [toolUse("t1", "X", { content: [1], stop_reason: "x" })]),
    },
  ])("leaves $what to be parsed", ({ draft: strange }) => {
    expect(readDraft(strange)).toBeUndefined();
  });

  it("leaves a line that holds the beginning of another record before its own", () => {
    const whole = transcript(answer("m2", ["whole"], { output_tokens: 99 })).join();
    const other = transcript(answer("m1", ["a text"], { output_tokens: 11 })).join();
    for (let kept = 0; kept < other.length; kept++) {
      const picked = read(other.slice(0, kept) + whole);
      // Nothing, or what is whole; never the id of one with the usage of the other.
      expect([undefined, "m2 99"]).toContain(picked && `${picked.stepId} ${picked.usage.outputTokens}`);
    }
  });

  it("tells nothing wrong of a line that is cut, wherever it is cut", () => {
    const line = transcript(draft).join();
    const picked = Array.from({ length: line.length }, (_, length) => read(line.slice(0, length)));
    const reported = picked.filter((one) => one !== undefined);
    for (const { stepId, usage } of reported)
      expect({ stepId, usage }).toEqual({ stepId: bill.stepId, usage: bill.usage });
    expect(reported.length).toBeLessThan(5);
  });

  it("never tells another bill than parsing does", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom('],"stop_reason":', '"content":[', '"usage":{"output_tokens":7}', '"id":"x"', "}", '"uuid":"x"'),
    );
    const value = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }));
    const input = fc.dictionary(
      fc.constantFrom("content", "stop_reason", "usage", "id", "uuid", "model", "type"),
      value,
    );
    const block = fc.oneof(
      text.map((words): JsonObject => ({ type: "text", text: words })),
      input.map((fields): JsonObject => JSON.parse(JSON.stringify(toolUse("t1", "Bash", fields as JsonObject)))),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), fc.nat(), fc.boolean(), (content, output, isOld) => {
        const said = answer("m1", content, { output_tokens: output });
        const line = isOld ? writeOldOrder(said) : transcript(said).join();
        const picked = read(line);
        if (picked === undefined) return;
        const { message, ...rest } = JSON.parse(line);
        expect(picked).toEqual({
          stepId: message.id,
          model: message.model,
          usage: parseUsage(message.usage),
          uuid: rest.uuid,
          sessionId: rest.sessionId,
          cwd: rest.cwd ?? "",
          atMs: Date.parse(rest.timestamp),
          isSidechain: false,
          isOutputFinal: !isOld,
        });
      }),
      { numRuns: tries(40, 300) },
    );
  });
});

function withMessage(draft: JsonObject, fields: JsonObject): JsonObject {
  return { ...draft, message: { ...(isObject(draft.message) ? draft.message : {}), ...fields } };
}

it("finds what a plain search finds, in whatever order it is asked", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b", "ab"), { maxLength: 40 }),
      fc.array(fc.nat(60), { maxLength: 30 }),
      (parts, places) => {
        const bytes = Buffer.from(parts.join(""));
        const finder = createByteFinder(Buffer.from("ab"));
        for (const place of places) expect(finder.find(bytes, place)).toBe(bytes.indexOf("ab", place));
      },
    ),
  );
});

it("looks anew once it was told that the buffer holds something else", () => {
  const bytes = Buffer.from("..ab..");
  const finder = createByteFinder(Buffer.from("ab"));
  expect(finder.find(bytes, 0)).toBe(2);
  bytes.write("ab....");
  finder.forget();
  expect(finder.find(bytes, 0)).toBe(0);
});

it("keeps two buffers apart", () => {
  const finder = createByteFinder(Buffer.from("ab"));
  expect(finder.find(Buffer.from("...ab"), 0)).toBe(3);
  expect(finder.find(Buffer.from("ab..."), 0)).toBe(0);
});
