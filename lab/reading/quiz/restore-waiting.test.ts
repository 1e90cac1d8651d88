/** If red: the built-in summary is judged without what the client puts back after it. */
import { describe, expect, it } from "vitest";
import { type Arrival, type SessionEvent, unreportedCompaction } from "../../../src/core/event.ts";
import { createRecording } from "../../../src/measure/recording.ts";
import { restoreWaiting } from "./restore-waiting.ts";

const common = { origin: "", atMs: undefined };

function output(stepId: string): SessionEvent {
  const call = { kind: "toolCall", id: stepId, callId: `call-${stepId}`, tool: "Read", input: {} } as const;
  return { kind: "output", ...common, stepId, model: "m", usage: undefined, isOutputFinal: true, blocks: [call] };
}

function arrival(source: Arrival["source"], words: string, callId = ""): Arrival {
  const block =
    source === "toolResult"
      ? ({ kind: "toolResult", id: words, callId, parts: [{ kind: "text", text: words }], isError: false } as const)
      : ({ kind: "text", id: words, text: words, author: "host" } as const);
  return { kind: "arrival", ...common, source, label: source, role: "user", block, detail: undefined };
}

describe("what had arrived when the client compacted", () => {
  const result = arrival("toolResult", "sails", "call-a");
  const typed = arrival("prompt", "and the keel");
  const events = [
    arrival("prompt", "look at the ship"),
    output("a"),
    result,
    typed,
    arrival("attachment", "tools"),
    unreportedCompaction("b", undefined),
    arrival("summary", "a ship"),
    output("b"),
    arrival("toolResult", "hull", "call-b"),
    output("c"),
  ];

  it("joins the request after the compaction, before what was put back there", () => {
    const recording = createRecording(events);
    expect(recording.steps[1]?.arrivals.map(({ source }) => source)).toEqual(["summary"]);
    const restored = restoreWaiting(recording, events);
    expect(restored.recording.steps.map(({ arrivals }) => arrivals.map(({ block }) => block.id))).toEqual([
      ["look at the ship"],
      ["sails", "and the keel", "a ship"],
      ["hull"],
    ]);
    expect([...restored.waiting]).toEqual([result, typed]);
  });

  it("is nothing where nobody compacted", () => {
    const plain = events.filter(({ kind }) => kind !== "compaction").filter((event) => event !== events[6]);
    const recording = createRecording(plain);
    const restored = restoreWaiting(recording, plain);
    expect(restored.waiting.size).toBe(0);
    expect(restored.recording.steps).toEqual(recording.steps);
  });
});
