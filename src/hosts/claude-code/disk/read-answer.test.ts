import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../../test/support/depth.ts";
import { agentProgress, answer, prompt, toolUse, transcript } from "../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json-fields.ts";
import type { AnswerBill } from "../../usage.ts";
import { parseUsage } from "../parse-usage.ts";
import { readAnswer } from "./read-answer.ts";

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
    timestamp: "2026-01-01T00:00:01.000Z",
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
    expect(read(writeOldOrder(draft))).toEqual({ ...bill, isOutputFinal: false });
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
    const told = picked.filter((one) => one !== undefined);
    for (const { stepId, usage } of told) expect({ stepId, usage }).toEqual({ stepId: bill.stepId, usage: bill.usage });
    expect(told.length).toBeLessThan(5);
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
          timestamp: rest.timestamp,
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
