/** If red: a line of the transcript is misread, or a damaged one stops the reading. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agentProgress,
  answer,
  attachment,
  boundary,
  prompt,
  summary,
  toolResult,
  toolUse,
  transcript,
} from "../../../test/support/transcript-lines.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import type { TranscriptEntry } from "../transcript-entry.ts";
import { type LineContext, parseLine } from "./parse-line.ts";

const context: LineContext = { toolOf: (callId) => `tool of ${callId}`, isRepeated: () => false };

const parse = (text: string) => parseLine(text, context);

function parseEntry(draft: JsonObject): TranscriptEntry {
  const outcome = parse(transcript(draft).join());
  if (!("entry" in outcome)) throw new Error(`the line is ${outcome.fate}`);
  return outcome.entry;
}

const eventsOf = (draft: JsonObject): readonly SessionEvent[] => parseEntry(draft).events;

describe("parseLine on what is no record", () => {
  it.each([
    { line: "", why: "not JSON" },
    { line: '{"type":"user","mess', why: "not JSON" },
    { line: "\u0000\u0001\u0002", why: "not JSON" },
    { line: "[1,2]", why: "not an object" },
    { line: "null", why: "not an object" },
    { line: "5", why: "not an object" },
    { line: '"text"', why: "not an object" },
    { line: "{}", why: "no type" },
    { line: '{"type":5}', why: "no type" },
    { line: '{"type":"user","message":null}', why: "no message" },
    { line: '{"type":"assistant","message":"hello"}', why: "no message" },
    { line: '{"type":"user","message":[]}', why: "no message" },
  ])("calls $line malformed: $why", ({ line }) => {
    expect(parse(line)).toEqual({ fate: "malformed" });
  });

  it.each([
    { what: "a block", line: '{"type":"user","uuid":"u","message":{"content":[{"type":"new","x":DEEP}]}}' },
    {
      what: "a call",
      line: '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"X","input":{"x":DEEP}}]}}',
    },
    { what: "an attachment", line: '{"type":"attachment","attachment":{"type":"task_reminder","content":[DEEP]}}' },
    {
      what: "a subagent's block",
      line: '{"type":"progress","data":{"type":"agent_progress","message":{"type":"assistant","message":{"content":[{"x":DEEP}]}}}}',
    },
  ])("calls a line malformed when $what is nested so deep that a walk through it would fail", ({ line }) => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(parse(line.replace("DEEP", deep))).toEqual({ fate: "malformed" });
  });

  it("never throws, whatever a line holds", () => {
    const type = fc.constantFrom("user", "assistant", "attachment", "system", "progress", "summary", "new");
    const field = fc.constantFrom("message", "attachment", "compactMetadata", "data", "toolUseResult", "rendered", "x");
    const subtype = fc.constantFrom("compact_boundary", "microcompact_boundary", "agent_progress", "");
    const content = fc.array(fc.record({ type: fc.constantFrom("text", "tool_use", "tool_result", "image", "new") }));
    const value = fc.oneof(fc.jsonValue(), fc.record({ content, usage: fc.jsonValue(), type: subtype }));
    const line = fc.tuple(type, subtype, fc.dictionary(field, value));
    fc.assert(
      fc.property(line, ([name, sub, fields]) => {
        const outcome = parse(JSON.stringify({ ...fields, type: name, subtype: sub }));
        expect(["parsed", "ignored", "unknown", "malformed"]).toContain(outcome.fate);
      }),
    );
  });
});

describe("parseLine on where a line stands", () => {
  it("reads ids, parents and what the client says of itself", () => {
    const entry = parseEntry({
      ...prompt("hi"),
      uuid: "u2",
      parentUuid: "u1",
      agentId: "a1",
      isSidechain: true,
      cwd: "/home/dev/demo",
    });
    expect(entry).toMatchObject({
      type: "user",
      uuid: "u2",
      parentUuid: "u1",
      logicalParentUuid: "",
      isSidechain: true,
      agentId: "a1",
      sessionId: "session-1",
      version: "2.1.219",
      cwd: "/home/dev/demo",
    });
  });

  it("keeps the place of lines that it ignores or does not know, and nothing that they say", () => {
    const spoken = { message: { role: "assistant", content: "loud", usage: { input_tokens: 5 } } };
    const ignored = parse(transcript({ type: "system", subtype: "turn_duration", ...spoken }).join());
    const unknown = parse(transcript({ type: "telepathy", ...spoken }).join());
    expect(ignored).toMatchObject({ fate: "ignored", entry: { uuid: "l1", events: [], asides: [] } });
    expect(unknown).toMatchObject({ fate: "unknown", entry: { uuid: "l1", events: [], asides: [] } });
  });

  it("leaves a line alone that was told before", () => {
    const asked: string[] = [];
    const isRepeated = (uuid: string): boolean => asked.push(uuid) > 0;
    expect(parseLine(transcript(prompt("again")).join(), { ...context, isRepeated })).toEqual({ fate: "repeated" });
    expect(parseLine('{"type":"summary","summary":"x"}', { ...context, isRepeated }).fate).toBe("parsed");
    expect(asked).toEqual(["l1"]);
  });

  it.each([
    { type: "custom-title", customTitle: "Mine" },
    { type: "ai-title", aiTitle: "Mine" },
    { type: "summary", summary: "Mine" },
  ])("reads a title from $type", (draft) => {
    expect(parseEntry(draft)).toMatchObject({ title: "Mine", events: [] });
  });
});

describe("parseLine on answers", () => {
  it("reads blocks, usage and model under the message's id", () => {
    const [output] = eventsOf(answer("m1", ["Hello", toolUse("t1", "Bash")], { input_tokens: 7, output_tokens: 5 }));
    expect(output).toMatchObject({
      kind: "output",
      origin: "l1",
      atMs: Date.UTC(2026, 0, 1, 0, 0, 1),
      stepId: "m1",
      model: "claude-opus-4-6",
      usage: { inputTokens: 7, outputTokens: 5 },
      isOutputFinal: true,
      blocks: [
        { kind: "text", author: "model" },
        { kind: "toolCall", tool: "Bash" },
      ],
    });
  });

  it("falls back to the request's id, then to the line's, and has no usage where none is told", () => {
    const message = { role: "assistant", content: [] };
    expect(eventsOf({ type: "assistant", requestId: "r1", message })).toMatchObject([
      { stepId: "r1", usage: undefined },
    ]);
    expect(eventsOf({ type: "assistant", message })).toMatchObject([{ stepId: "l1", usage: undefined }]);
  });

  it.each([
    { what: "<synthetic>", draft: { ...answer("m1", ["oops"]), message: { model: "<synthetic>", content: "oops" } } },
    { what: "an API error", draft: { ...answer("m1", ["oops"]), isApiErrorMessage: true } },
  ])("says nothing for a line of $what: no model was billed", ({ draft }) => {
    expect(parseEntry(draft)).toMatchObject({ isSynthetic: true, events: [] });
  });

  it("has no time where the record has none, or none that can be read", () => {
    expect(eventsOf({ ...answer("m1", []), timestamp: "yesterday" })).toMatchObject([{ atMs: undefined }]);
  });
});

describe("parseLine on what arrives", () => {
  it("reads the person's prompt, bare or in blocks", () => {
    const expected = { source: "prompt", label: "prompt", role: "user", block: { text: "fix it", author: "person" } };
    expect(eventsOf(prompt("fix it"))).toMatchObject([expected]);
    expect(eventsOf(prompt([{ type: "text", text: "fix it" }]))).toMatchObject([expected]);
  });

  it("tells the client's own words in a prompt from the person's, block by block", () => {
    const events = eventsOf(
      prompt([
        { type: "text", text: "<system-reminder>x" },
        { type: "text", text: "go" },
      ]),
    );
    expect(events.map((event) => event.kind === "arrival" && event.block)).toMatchObject([
      { author: "host" },
      { author: "person" },
    ]);
  });

  it("labels a result with its tool and keeps what the client knows beyond the text", () => {
    const draft = { ...toolResult("t1", "a.ts"), toolUseResult: { stdout: "a.ts", interrupted: false } };
    expect(eventsOf(draft)).toMatchObject([
      { source: "toolResult", label: "tool of t1", detail: { stdout: "a.ts", interrupted: false } },
    ]);
  });

  it("knows no more than the text of a result whose details are a bare string", () => {
    const draft = { ...toolResult("t1", "Error: no", { is_error: true }), toolUseResult: "Error: no" };
    expect(eventsOf(draft)).toMatchObject([{ detail: undefined, block: { isError: true } }]);
  });

  it("takes meta lines for reminders by the host", () => {
    expect(eventsOf({ ...prompt("the body of a skill"), isMeta: true })).toMatchObject([
      { source: "reminder", label: "reminder", block: { author: "host" } },
    ]);
  });

  it("takes the summary for what the model is sent, though it is marked as for the person's eyes", () => {
    expect(eventsOf(summary("This session is being continued"))).toMatchObject([{ source: "summary" }]);
    expect(eventsOf({ ...prompt("seen only"), isVisibleInTranscriptOnly: true })).toEqual([]);
  });

  it("reads attachments by kind, and nothing from those that are sent to nobody", () => {
    const skills = attachment({ type: "skill_listing", content: "- a" }, { renderedRole: "system" });
    expect(eventsOf(skills)).toMatchObject([
      { source: "attachment", label: "skill_listing", role: "user", block: { text: "- a", author: "host" } },
    ]);
    expect(eventsOf(attachment({ type: "auto_mode" }))).toEqual([]);
    expect(eventsOf({ type: "attachment" })).toEqual([]);
  });

  it("leaves a queued prompt to the person, but not a queued notification", () => {
    const queued = (text: string) => eventsOf(attachment({ type: "queued_command", prompt: text }));
    expect(queued("and the tests")).toMatchObject([{ block: { author: "person" } }]);
    expect(queued("<task-notification>done")).toMatchObject([{ block: { author: "host" } }]);
  });
});

describe("parseLine on compactions", () => {
  it("reads the boundary's numbers and the lines that were kept", () => {
    const draft = boundary("l0", {
      trigger: "manual",
      preTokens: 170_022,
      postTokens: 662,
      durationMs: 21,
      preservedSegment: { headUuid: "a", tailUuid: "c" },
      preservedMessages: { anchorUuid: "z", uuids: ["a", "c"], allUuids: ["a", "b", "c"] },
    });
    expect(parseEntry(draft)).toMatchObject({ parentUuid: "", logicalParentUuid: "l0" });
    expect(eventsOf(draft)).toMatchObject([
      {
        kind: "compaction",
        trigger: "manual",
        preTokens: 170_022,
        postTokens: 662,
        durationMs: 21,
        preserved: ["a", "b", "c"],
      },
    ]);
  });

  it.each([
    { metadata: { preservedMessages: { uuids: ["a", "c"] } }, preserved: ["a", "c"] },
    { metadata: { preservedSegment: { headUuid: "a", tailUuid: "c" } }, preserved: ["a", "c"] },
    { metadata: {}, preserved: [] },
  ])("knows the kept lines of older clients from $metadata", ({ metadata, preserved }) => {
    expect(eventsOf(boundary("l0", metadata))).toMatchObject([{ preserved }]);
  });

  it("knows a boundary without metadata for what it is", () => {
    expect(eventsOf({ type: "system", subtype: "compact_boundary" })).toMatchObject([
      { kind: "compaction", trigger: "unknown", preTokens: undefined, postTokens: undefined, preserved: [] },
    ]);
  });

  it("reads which results a microcompaction cleared", () => {
    const microcompactMetadata = { preTokens: 60_000, tokensSaved: 25_000, compactedToolIds: ["t1", "t2"] };
    expect(eventsOf({ type: "system", subtype: "microcompact_boundary", microcompactMetadata })).toMatchObject([
      { kind: "microcompaction", preTokens: 60_000, savedTokens: 25_000, clearedCallIds: ["t1", "t2"] },
    ]);
  });
});

describe("parseLine on subagents told in passing", () => {
  it("reads what a subagent answered as an aside, which is no part of the conversation", () => {
    const entry = parseEntry(agentProgress(answer("m9", ["found"], { output_tokens: 9 })));
    expect(entry.events).toEqual([]);
    expect(entry.asides).toMatchObject([{ kind: "output", stepId: "m9", usage: { outputTokens: 9 } }]);
  });

  it.each([
    { what: "a prompt", line: prompt("look") },
    { what: "a made-up answer", line: { ...answer("m9", []), message: { model: "<synthetic>", content: [] } } },
    { what: "nothing", line: {} },
  ])("has no aside for $what", ({ line }) => {
    expect(parseEntry(agentProgress(line)).asides).toEqual([]);
  });
});
