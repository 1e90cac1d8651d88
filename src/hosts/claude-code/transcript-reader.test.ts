/** If red: lines of a transcript are counted twice, or results lose the name of their tool. */
import { describe, expect, it } from "vitest";
import {
  answer,
  boundary,
  createWriter,
  prompt,
  toolResult,
  toolUse,
  transcript,
} from "../../../test/support/transcript-lines.ts";
import type { TranscriptEntry } from "../transcript-entry.ts";
import { createTranscriptReader, type ReaderState } from "./transcript-reader.ts";

const readAll = (lines: readonly string[], saved?: ReaderState) => {
  const reader = createTranscriptReader(saved);
  return { entries: lines.map((line) => reader.read(line)), tally: reader.save().tally, saved: reader.save() };
};

const labelOf = (entry: TranscriptEntry | undefined): string | undefined => {
  const [event] = entry?.events ?? [];
  return event?.kind === "arrival" ? event.label : undefined;
};

describe("createTranscriptReader", () => {
  it("counts every line once: parsed, ignored or malformed, and blank ones not at all", () => {
    const { tally } = readAll([
      ...transcript(prompt("hi"), { type: "system", subtype: "turn_duration" }, { type: "telepathy" }),
      "",
      "  \r",
      "{broken",
      "null",
    ]);
    expect(tally).toEqual({ lines: 5, parsed: 1, ignored: 2, malformed: 2, unknown: 1, repeated: 0 });
  });

  it("counts a line that was too long to be read as malformed", () => {
    const reader = createTranscriptReader();
    reader.skip();
    expect(reader.save().tally).toMatchObject({ lines: 1, malformed: 1 });
  });

  it("reads past a byte order mark and a carriage return", () => {
    const [line = ""] = transcript(prompt("hi"));
    expect(readAll([`\uFEFF${line}`, `${line.replace("l1", "l2")}\r`]).tally).toMatchObject({
      parsed: 2,
      malformed: 0,
    });
  });

  it("labels results with the tool behind their call, whatever their order", () => {
    const lines = transcript(
      answer("m1", [toolUse("t1", "Bash"), toolUse("t2", "Read")]),
      toolResult("t2", "text"),
      toolResult("t1", "a.ts"),
      toolResult("t3", "whose?"),
    );
    expect(readAll(lines).entries.slice(1).map(labelOf)).toEqual(["Read", "Bash", "unknown"]);
  });

  it("goes on from a saved state, calls that wait for their result included", () => {
    const write = createWriter();
    const first = readAll(write(prompt("go"), answer("m1", [toolUse("t1", "Bash")])));
    const state: ReaderState = JSON.parse(JSON.stringify(first.saved));
    const second = readAll(write(toolResult("t1", "a.ts")), state);
    expect(second.entries.map(labelOf)).toEqual(["Bash"]);
    expect(second.tally).toMatchObject({ lines: 3, parsed: 3 });
    expect(second.saved.openCalls).toEqual([]);
  });

  it("does not share its counts with who asked for them", () => {
    const reader = createTranscriptReader();
    const before = reader.save().tally;
    reader.read(transcript(prompt("hi")).join());
    expect([before.lines, reader.save().tally.lines]).toEqual([0, 1]);
  });

  it("forgets the oldest of too many calls that nobody answered", () => {
    const calls = Array.from({ length: 1001 }, (_, index) => toolUse(`t${index}`, "Bash"));
    const { saved } = readAll(transcript(...calls.map((call, index) => answer(`m${index}`, [call]))));
    expect(saved.openCalls).toHaveLength(1000);
    expect(saved.openCalls[0]).toEqual(["t1", "Bash"]);
  });
});

describe("createTranscriptReader on lines written twice", () => {
  const write = createWriter();
  const reported = write(prompt("sound"), answer("m1", [toolUse("t1", "Bash")]), toolResult("t1", "9 fathoms"));
  const again = reported.slice(1);

  it("tells of them once and counts them as repeated", () => {
    const { entries, tally } = readAll([...reported, ...again, ...write(boundary("l3"))]);
    expect(entries.map((entry) => entry?.uuid)).toEqual(["l1", "l2", "l3", undefined, undefined, "l4"]);
    expect(tally).toMatchObject({ lines: 6, parsed: 4, ignored: 2, repeated: 2, malformed: 0 });
  });

  it("knows them across a saved state", () => {
    const state: ReaderState = JSON.parse(JSON.stringify(readAll(reported).saved));
    expect(readAll(again, state).entries).toEqual([undefined, undefined]);
  });

  it("does not take lines without a uuid for each other", () => {
    const title = JSON.stringify({ type: "ai-title", aiTitle: "Soundings" });
    expect(readAll([title, title]).tally).toMatchObject({ parsed: 2, repeated: 0 });
  });
});
