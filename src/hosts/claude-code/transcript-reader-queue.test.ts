/** If red: a prompt typed while the model worked is lost, counted twice, or kept though it was taken back. */
import { describe, expect, it } from "vitest";
import {
  answer,
  attachment,
  createWriter,
  prompt,
  toolResult,
  toolUse,
} from "../../../test/support/transcript-lines.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { createTranscriptReader, type ReaderState } from "./transcript-reader.ts";

const TASK = '{"task_id":"b1","description":"npm test"}';
const NOTICE = "<task-notification>\n<task-id>b1</task-id>";

/** As in the client: no uuid, no parent. */
function queue(operation: string, content?: Json): JsonObject {
  const line = { type: "queue-operation", operation, timestamp: "2026-01-01T00:00:30.000Z", uuid: "" };
  return content === undefined ? line : { ...line, content };
}

const works = (id: string): readonly JsonObject[] => [answer(id, [toolUse(`call-${id}`, "Bash")])];
const results = (id: string): readonly JsonObject[] => [toolResult(`call-${id}`, "ok")];

function name(event: SessionEvent): string {
  if (event.kind === "output") return event.stepId;
  if (event.kind !== "arrival") return event.kind;
  if (event.block.kind !== "text") return event.label;
  return `${event.block.author}${event.label === "queued_command" ? " meanwhile" : ""}: ${event.block.text}`;
}

function readLines(...drafts: readonly JsonObject[]): readonly string[] {
  const reader = createTranscriptReader();
  return createWriter({ version: "2.1.49" })(...drafts).flatMap((line) => reader.read(line)?.events.map(name) ?? []);
}

describe("prompts typed while the model works", () => {
  const opening = [prompt("build it"), ...works("m1")];

  it("are told after the result they were delivered with, whichever line comes first", () => {
    const reported = ["person: build it", "m1", "Bash", "person meanwhile: without tests", "m2"];
    const [typed, taken] = [queue("enqueue", "without tests"), queue("remove")];
    expect(readLines(...opening, typed, ...results("m1"), taken, ...works("m2"))).toEqual(reported);
    expect(readLines(...opening, typed, taken, ...results("m1"), ...works("m2"))).toEqual(reported);
  });

  it("carry the time of their delivery and no origin, for no line of the conversation holds them", () => {
    const reader = createTranscriptReader();
    const lines = createWriter()(queue("enqueue", "without tests"), queue("remove"), ...works("m1"));
    const [event] = lines.flatMap((line) => reader.read(line)?.events ?? []);
    expect(event).toMatchObject({
      kind: "arrival",
      origin: "",
      atMs: Date.parse("2026-01-01T00:00:30.000Z"),
      source: "attachment",
      label: "queued_command",
      role: "user",
    });
  });

  it("are not told while they wait, nor when they were taken back", () => {
    expect(readLines(...opening, queue("enqueue", "without tests"), ...results("m1"), ...works("m2"))).toEqual([
      "person: build it",
      "m1",
      "Bash",
      "m2",
    ]);
    const back = [queue("enqueue", "withou"), queue("popAll", "withou"), queue("remove")];
    expect(readLines(...opening, ...back, ...results("m1")).join()).not.toContain("meanwhile");
  });

  it("are told once where they are sent as a prompt when the turn is over", () => {
    const later = [queue("enqueue", "then ship it"), queue("dequeue"), prompt("then ship it"), ...works("m2")];
    expect(readLines(...opening, ...results("m1"), ...later)).toEqual([
      "person: build it",
      "m1",
      "Bash",
      "person: then ship it",
      "m2",
    ]);
  });

  it("are told once where the client writes an attachment, before or after, plain or in a frame", () => {
    const typed = queue("enqueue", "without tests");
    const plain = attachment({ type: "queued_command", prompt: "without tests" });
    const framed = attachment(
      { type: "queued_command" },
      { rendered: [{ content: "Meanwhile:\nwithout tests\nGo on." }] },
    );
    for (const [first, second] of [
      [plain, queue("remove", "without tests")],
      [queue("remove", "without tests"), plain],
      [queue("remove"), framed],
    ]) {
      const reported = readLines(...opening, typed, ...results("m1"), first ?? {}, second ?? {}, ...works("m2"));
      expect(reported.filter((event) => event.includes("without tests"))).toHaveLength(1);
    }
  });

  it("leave the queue before the client's own notices, which nobody is told", () => {
    const queued = [queue("enqueue", TASK), queue("enqueue", NOTICE), queue("enqueue", "without tests")];
    const reported = readLines(
      ...opening,
      ...queued,
      queue("remove"),
      ...results("m1"),
      ...works("m2"),
      queue("remove"),
    );
    expect(reported.filter((event) => event.includes("meanwhile"))).toEqual(["person meanwhile: without tests"]);
  });

  it("are not taken for delivered when the client clears its notices at the end of the turn", () => {
    const late = [queue("enqueue", TASK), queue("enqueue", "one"), queue("enqueue", "two"), queue("remove")];
    const sent = [queue("remove"), queue("dequeue"), prompt("one"), ...works("m2"), queue("remove"), ...results("m2")];
    expect(readLines(...opening, ...results("m1"), ...late, ...sent)).toEqual([
      "person: build it",
      "m1",
      "Bash",
      "person: one",
      "m2",
      "Bash",
      "person meanwhile: two",
    ]);
  });

  it("are no commands, which are the client's to carry out", () => {
    const commands = [queue("enqueue", "/model"), queue("remove"), ...results("m1")];
    expect(readLines(...opening, ...commands).join()).not.toContain("/model");
  });

  it("may come as blocks, with what an editor adds left out, or without their words", () => {
    const blocks = [
      { type: "text", text: "<ide_selection>line 9</ide_selection>" },
      { type: "text", text: "make it shorter" },
    ];
    const reported = readLines(...opening, queue("enqueue", blocks), queue("remove"), ...results("m1"));
    expect(reported.at(-1)).toBe("person meanwhile: make it shorter");
    const wordless = [queue("enqueue"), queue("enqueue", "then two"), queue("remove"), ...results("m1")];
    expect(readLines(...opening, ...wordless).at(-1)).toBe("Bash");
  });

  it("wait for a line of the conversation: not for a subagent's, nor for one that is nobody's", () => {
    const aside = { ...answer("s1", ["hm"]), isSidechain: true };
    const unsent = { ...prompt("/x"), isVisibleInTranscriptOnly: true };
    expect(
      readLines(...opening, queue("enqueue", "shorter"), queue("remove"), aside, unsent, ...results("m1")),
    ).toEqual(["person: build it", "m1", "s1", "Bash", "person meanwhile: shorter"]);
  });

  it("are the same however the reading is split", () => {
    const lines = createWriter({ version: "2.1.49" })(
      ...opening,
      queue("enqueue", TASK),
      queue("enqueue", "one"),
      queue("enqueue", "two"),
      queue("remove"),
      ...results("m1"),
      ...works("m2"),
      queue("popAll", "two"),
      queue("enqueue", "three"),
      queue("remove"),
      queue("dequeue"),
      prompt("three"),
    );
    const read = (part: readonly string[], saved?: ReaderState) => {
      const reader = createTranscriptReader(saved);
      const events = part.flatMap((line) => reader.read(line)?.events ?? []);
      const state: ReaderState = JSON.parse(JSON.stringify(reader.save()));
      return { events, state };
    };
    const whole = read(lines);
    expect(whole.events.map(name).filter((event) => event.includes("person"))).toEqual([
      "person: build it",
      "person meanwhile: one",
      "person: three",
    ]);
    for (let cut = 0; cut <= lines.length; cut++) {
      const first = read(lines.slice(0, cut));
      const second = read(lines.slice(cut), first.state);
      expect([...first.events, ...second.events]).toEqual(whole.events);
      expect(second.state).toEqual(whole.state);
    }
  });
});
