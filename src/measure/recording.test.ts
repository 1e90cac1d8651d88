/** If red: what joined a conversation is attributed to the wrong request. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryEvents } from "../../test/support/arbitrary-events.ts";
import { deepFreeze } from "../../test/support/build.ts";
import {
  answer,
  called,
  clearedInPlace,
  compacted,
  injected,
  prompt,
  request,
  result,
  said,
  thought,
  usage,
} from "../../test/support/session-events.ts";
import type { Arrival } from "../core/event.ts";
import type { Block } from "../core/message.ts";
import { createRecording, type Recording } from "./recording.ts";

function nameBlock(block: Block): string {
  if (block.kind === "text" || block.kind === "thinking") return block.text;
  return block.kind === "toolCall" || block.kind === "toolResult" ? `${block.kind} ${block.callId}` : block.kind;
}

function nameArrivals(arrivals: readonly Arrival[]): string {
  return arrivals.map(({ block }) => nameBlock(block)).join(", ");
}

/** One line per request: what joined before it, what it was answered, and what still waits. */
function renderSteps({ steps, waiting }: Recording): readonly string[] {
  return [
    ...steps.map(
      ({ id, window, arrivals, outputs }) =>
        `${id} in window ${window}: ${nameArrivals(arrivals)} -> ${outputs.map(nameBlock).join(", ")}`,
    ),
    `waiting: ${nameArrivals(waiting)}`,
  ];
}

describe("an answer", () => {
  it("is one step, however many lines it was split over", () => {
    const counted = usage({ input: 3, read: 1000, write5m: 200, output: 50 });
    const recording = createRecording([
      prompt("fix it"),
      answer("s1", counted, [thought("hm")], { atMs: 5 }),
      answer("s1", counted, [said("I look")], { atMs: 6 }),
      answer("s1", counted, [called("Read", "1")], { atMs: 7 }),
    ]);
    expect(renderSteps(recording)).toEqual(["s1 in window 0: fix it -> hm, I look, toolCall 1", "waiting: "]);
    expect(recording.steps[0]).toMatchObject({ contextTokens: 1203, atMs: 5, usage: counted });
  });

  it("counts with its last line's usage, but never with fewer output tokens than an earlier line told", () => {
    const { steps } = createRecording([
      answer("s1", usage({ read: 10, output: 90 }), [], { isOutputFinal: false }),
      answer("s1", usage({ read: 1000, output: 7 }), [], { isOutputFinal: true }),
    ]);
    expect(steps).toMatchObject([{ contextTokens: 1000, isOutputFinal: true, usage: { outputTokens: 90 } }]);
  });

  it("keeps its usage when a later line tells none", () => {
    const { steps } = createRecording([
      answer("s1", usage({ read: 1000, output: 90 }), [said("one")]),
      answer("s1", undefined, [said("two")], { isOutputFinal: false }),
    ]);
    expect(steps).toMatchObject([{ contextTokens: 1000, isOutputFinal: true, usage: { outputTokens: 90 } }]);
    expect(steps[0]?.outputs.map(nameBlock)).toEqual(["one", "two"]);
  });

  it("is a step without usage where no line tells any", () => {
    const { steps } = createRecording([prompt("hello"), answer("s1", undefined, [said("hi")])]);
    expect(steps).toMatchObject([{ id: "s1", usage: undefined, contextTokens: 0 }]);
  });
});

describe("what joins the conversation", () => {
  it("stands before the request that carried it, and waits where there is none yet", () => {
    const recording = createRecording([
      prompt("fix it"),
      answer("s1", usage({ read: 1 }), [called("Bash", "1")]),
      result("Bash", "1", "done"),
      injected("reminder", "be brief"),
      answer("s2", usage({ read: 2 }), [said("fixed")]),
      prompt("thanks"),
    ]);
    expect(renderSteps(recording)).toEqual([
      "s1 in window 0: fix it -> toolCall 1",
      "s2 in window 0: toolResult 1, be brief -> fixed",
      "waiting: thanks",
    ]);
  });

  it("[R76] keeps the results of parallel calls together before one request, also when the answer was split around them", () => {
    const counted = usage({ read: 1 });
    const recording = createRecording([
      answer("s1", counted, [called("Read", "1")]),
      result("Read", "1", "a"),
      answer("s1", counted, [called("Read", "2")]),
      result("Read", "2", "b"),
      answer("s2", counted, [said("both read")]),
    ]);
    expect(renderSteps(recording)).toEqual([
      "s1 in window 0:  -> toolCall 1, toolCall 2",
      "s2 in window 0: toolResult 1, toolResult 2 -> both read",
      "waiting: ",
    ]);
  });

  it("is put before its carrier when it was recorded late", () => {
    const recording = createRecording([
      answer("s1", usage({ read: 1 }), [called("Bash", "1"), called("Bash", "2")]),
      result("Bash", "1", "in time"),
      answer("s2", usage({ read: 2 }), [called("Bash", "3")]),
      result("Bash", "2", "late"),
      result("Bash", "3", "in time"),
    ]);
    expect(renderSteps(recording)).toEqual([
      "s1 in window 0:  -> toolCall 1, toolCall 2",
      "s2 in window 0: toolResult 1, toolResult 2 -> toolCall 3",
      "waiting: toolResult 3",
    ]);
  });

  it("is put behind its own call when it was recorded before it", () => {
    const recording = createRecording([
      result("Bash", "1", "early"),
      answer("s1", usage({ read: 1 }), [called("Bash", "1")]),
      answer("s2", usage({ read: 2 }), [said("done")]),
    ]);
    expect(renderSteps(recording)).toEqual([
      "s1 in window 0:  -> toolCall 1",
      "s2 in window 0: toolResult 1 -> done",
      "waiting: ",
    ]);
  });

  it("waits like anything else when nobody recorded the call it answers", () => {
    const recording = createRecording([request("s1", 1), result("Bash", "lost", "x"), request("s2", 2)]);
    expect(renderSteps(recording)[1]).toBe("s2 in window 0: toolResult lost -> ");
  });
});

describe("a compaction", () => {
  it("[R130] opens a window whose history is the summary, and what waited for the old one is gone", () => {
    const boundary = compacted({ trigger: "auto", preTokens: 167_000 });
    const recording = createRecording([
      request("s1", 160_000),
      prompt("never sent"),
      boundary,
      injected("summary", "what happened"),
      request("s2", 40_000),
    ]);
    expect(renderSteps(recording)).toEqual(["s1 in window 0:  -> ", "s2 in window 1: what happened -> ", "waiting: "]);
    expect(recording.windows).toEqual([
      { compaction: undefined, firstStep: 0, kept: [] },
      { compaction: boundary, firstStep: 1, kept: [] },
    ]);
  });

  it("brings along what it kept word for word, though it was told before the boundary", () => {
    const asked = prompt("and again", { origin: "u1" });
    const ran = answer("s2", usage({ read: 2 }), [said("I run it"), called("Bash", "1")], { origin: "a2" });
    const done = result("Bash", "1", "done", { origin: "u2" });
    const { windows } = createRecording([
      prompt("fix it", { origin: "u0" }),
      answer("s1", usage({ read: 1 }), [said("gone")], { origin: "a1" }),
      asked,
      ran,
      done,
      compacted({ origin: "b1", preserved: ["u1", "a2", "u2", "b1", "not recorded"] }),
    ]);
    expect(windows[1]?.kept).toEqual([asked, ran, done]);
  });

  it("is implied by the summary of old clients, which wrote no boundary", () => {
    const { windows, steps } = createRecording([
      request("s1", 150_000),
      injected("summary", "first half", { origin: "u9", atMs: 9 }),
      injected("summary", "second half"),
      request("s2", 30_000),
    ]);
    expect(windows.map(({ compaction }) => compaction)).toEqual([
      undefined,
      compacted({ origin: "u9", atMs: 9, trigger: "unknown" }),
    ]);
    expect(steps.map(({ window }) => window)).toEqual([0, 1]);
    expect(steps[1]?.arrivals.length).toBe(2);
  });

  it("is not implied again by the summary that follows its boundary", () => {
    const { windows } = createRecording([request("s1", 1), compacted(), prompt("/compact"), injected("summary", "x")]);
    expect(windows.length).toBe(2);
  });

  it("leaves the late line of an answer in the window in which it was given", () => {
    const { steps } = createRecording([
      answer("s1", usage({ read: 150_000 }), [said("one")]),
      compacted(),
      answer("s1", usage({ read: 150_000 }), [said("two")]),
      request("s2", 40_000),
    ]);
    expect(steps.map(({ id, window }) => [id, window])).toEqual([
      ["s1", 0],
      ["s2", 1],
    ]);
  });
});

it("remembers before which step results were cleared in place", () => {
  const cleared = clearedInPlace(20_000);
  const { microcompactions } = createRecording([request("s1", 1), cleared, request("s2", 2)]);
  expect(microcompactions).toEqual([{ beforeStep: 1, event: cleared }]);
});

it("has nothing to tell of nothing", () => {
  expect(createRecording([])).toEqual({
    steps: [],
    windows: [{ compaction: undefined, firstStep: 0, kept: [] }],
    waiting: [],
    microcompactions: [],
  });
});

it("loses no block of a window, invents none, and changes nothing it was given", () => {
  fc.assert(
    fc.property(arbitraryEvents(), (events) => {
      const { steps, waiting } = createRecording(deepFreeze(events));
      const outputs = events.flatMap((event) => (event.kind === "output" ? event.blocks : []));
      expect(steps.flatMap((step) => step.outputs)).toEqual(outputs);
      const arrivals = events.filter((event) => event.kind === "arrival");
      const kept = [...steps.flatMap((step) => step.arrivals), ...waiting];
      expect(new Set(kept).size).toBe(kept.length);
      for (const arrival of kept) expect(arrivals).toContain(arrival);
      if (
        !events.some((event) => event.kind === "compaction" || (event.kind === "arrival" && event.source === "summary"))
      )
        expect(kept.length).toBe(arrivals.length);
    }),
  );
});

it("numbers windows without gaps, each beginning at its first step", () => {
  fc.assert(
    fc.property(arbitraryEvents(), (events) => {
      const { steps, windows } = createRecording(events);
      for (const [index, step] of steps.entries()) {
        expect(index).toBeGreaterThanOrEqual(windows[step.window]?.firstStep ?? Number.POSITIVE_INFINITY);
        expect(step.window).toBeGreaterThanOrEqual(steps[index - 1]?.window ?? 0);
      }
    }),
  );
});

it("is tried on sessions that hold what they promise", () => {
  const sessions = fc.sample(arbitraryEvents(), { numRuns: 300, seed: 1 }).map(createRecording);
  const having = (isSo: (recording: Recording) => boolean): number => sessions.filter(isSo).length;
  expect(having(({ windows }) => windows.length > 1)).toBeGreaterThan(50);
  expect(having(({ windows }) => windows.some(({ kept }) => kept.length > 0))).toBeGreaterThan(10);
  expect(having(({ steps }) => steps.some(({ usage }) => !usage))).toBeGreaterThan(50);
  expect(having(({ steps }) => steps.some(({ outputs }) => outputs.length > 2))).toBeGreaterThan(50);
  expect(having(({ microcompactions }) => microcompactions.length > 0)).toBeGreaterThan(10);
});
