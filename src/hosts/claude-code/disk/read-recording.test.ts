/** If red: a recorded session is replayed with other messages than were sent. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  answer,
  boundary,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../test/support/transcript-lines.ts";
import type { Arrival } from "../../../core/event.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Block } from "../../../core/message.ts";
import type { RecordedSession } from "../../follow-transcript.ts";
import { readRecording } from "./read-meter.ts";

const { name } = createTemporaryFolder();

function record(...drafts: readonly JsonObject[]): RecordedSession {
  const file = name();
  writeFileSync(file, toFile(transcript(...drafts)));
  return readRecording(file);
}

const childOf = (parentUuid: string, draft: JsonObject): JsonObject => ({ ...draft, parentUuid });

const nameBlock = (block: Block): string =>
  block.kind === "text" ? block.text : "callId" in block ? block.callId : block.kind;
const nameArrivals = (arrivals: readonly Arrival[]): string => arrivals.map(({ block }) => nameBlock(block)).join("+");

/** One line per request: what joined before it, and what it was answered with. */
const shapeOf = ({ recording: { steps, waiting } }: RecordedSession): readonly string[] => [
  ...steps.map(
    ({ id, arrivals, outputs, window }) =>
      `${window}: ${nameArrivals(arrivals)} > ${id}: ${outputs.map(nameBlock).join("+")}`,
  ),
  `waiting: ${nameArrivals(waiting)}`,
];

describe("readRecording", () => {
  it("puts every result before the request that carried it", () => {
    const session = record(
      prompt("go"),
      answer("m1", ["Two."]),
      answer("m1", [toolUse("t1", "Bash")]),
      answer("m1", [toolUse("t2", "Read")]),
      childOf("l3", toolResult("t1", "a.ts")),
      answer("m2", ["late?"]),
      childOf("l4", toolResult("t2", "text")),
      childOf("l6", prompt("on")),
    );
    expect(shapeOf(session)).toEqual(["0: go > m1: Two.+t1+t2", "0: t1+t2 > m2: late?", "waiting: on"]);
  });

  it("puts a result that is written before its own call before the next request", () => {
    const session = record(
      prompt("go"),
      answer("m1", ["hm"]),
      childOf("l4", toolResult("t1", "a.ts")),
      childOf("l2", answer("m2", [toolUse("t1", "Bash")])),
      childOf("l3", answer("m3", ["done"])),
    );
    expect(shapeOf(session)).toEqual(["0: go > m1: hm", "0:  > m2: t1", "0: t1 > m3: done", "waiting: "]);
  });

  it("leaves rewound branches and side chains out, and keeps all entries at hand", () => {
    const session = record(
      prompt("go"),
      answer("m1", ["where?"]),
      prompt("left"),
      { ...answer("s1", ["aside"]), isSidechain: true },
      answer("m2", ["went left"]),
      childOf("l2", prompt("right")),
      answer("m3", ["went right"]),
    );
    expect(shapeOf(session)).toEqual(["0: go > m1: where?", "0: right > m3: went right", "waiting: "]);
    expect(session.entries).toHaveLength(7);
  });

  it("opens a window at each compaction, with what was kept word for word", () => {
    const session = record(
      prompt("go"),
      answer("m1", [toolUse("t1", "Bash")]),
      toolResult("t1", "9 fathoms"),
      boundary("l3", { preservedMessages: { allUuids: ["l2", "l3"] } }),
      summary("so far"),
      answer("m2", ["shallow"]),
    );
    expect(shapeOf(session)).toEqual(["0: go > m1: t1", "1: so far > m2: shallow", "waiting: "]);
    const windows = session.recording.windows.map(({ compaction, firstStep, kept }) => {
      return [compaction?.trigger, firstStep, kept.map((event) => event.origin)];
    });
    expect(windows).toEqual([
      [undefined, 0, []],
      ["auto", 1, ["l2", "l3"]],
    ]);
  });

  it("sees the windows of old clients, which write a summary and no boundary", () => {
    const session = record(prompt("go"), answer("m1", ["one"]), childOf("", summary("so far")), answer("m2", ["two"]));
    expect(shapeOf(session)).toEqual(["0: go > m1: one", "1: so far > m2: two", "waiting: "]);
  });

  it("keeps nothing twice of lines that were written twice", () => {
    const lines = transcript(
      prompt("go"),
      answer("m1", [toolUse("t1", "Bash")]),
      toolResult("t1", "9 fathoms"),
      boundary("l3", { preservedMessages: { allUuids: ["l2", "l3"] } }),
    );
    const file = name();
    writeFileSync(file, toFile([...lines.slice(0, 3), ...lines.slice(1, 3), ...lines.slice(3)]));
    const { recording, tally } = readRecording(file);
    expect(recording.windows[1]?.kept).toHaveLength(2);
    expect(recording.steps.map(({ outputs }) => outputs.length)).toEqual([1]);
    expect(tally).toMatchObject({ lines: 6, repeated: 2 });
  });

  it("counts what it could not read", () => {
    const file = name();
    const [line = ""] = transcript(prompt("go"));
    writeFileSync(file, `${line}\n{broken\n{"type":"us`);
    expect(readRecording(file)).toMatchObject({ tally: { lines: 2, parsed: 1, malformed: 1 }, unfinishedBytes: 11 });
  });
});
