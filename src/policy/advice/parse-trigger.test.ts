/** If red: a caller who asks for a report is misunderstood, or a broken request throws. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assessHealth } from "../../measure/health.ts";
import { emptyMeter } from "../../measure/meter.ts";
import { isCaller, parseTrigger, runOnTrigger } from "./parse-trigger.ts";

describe("a caller", () => {
  it.each([
    ["cook", "phase-boundary"],
    ["cook", "tool-count"],
    ["team", "before-dispatch"],
    ["team", "after-merge"],
    ["rescue", "between-sessions"],
    ["context-pack", "handoff"],
    ["session-bridge", "compaction-timing"],
    ["adversary", "oracle-preview"],
  ])("[R9] %s may ask on the occasion %s", (caller, occasion) => {
    expect(isCaller(caller)).toBe(true);
    const trigger = parseTrigger({ event: "context.boundary", caller, occasion });
    expect(trigger).toEqual({ kind: "boundary", caller, occasion });
  });

  it("[R9] who names no occasion is given the usual one", () => {
    expect(parseTrigger({ event: "context.boundary", caller: "team" })).toMatchObject({ occasion: "before-dispatch" });
  });

  it.each([
    [{ event: "context.boundary", caller: "nobody" }],
    [{ event: "context.boundary", caller: "constructor" }],
    [{ event: "context.boundary", caller: "team", occasion: "phase-boundary" }],
    [{ event: "context.boundary" }],
  ])("[R9] is refused in %j", (payload) => {
    expect(parseTrigger(payload)).toBeUndefined();
  });
});

describe("a payload", () => {
  it("of a threshold needs a level that was crossed", () => {
    expect(parseTrigger({ event: "context.threshold", from: "GREEN", to: "YELLOW" })).toBeDefined();
    expect(parseTrigger({ event: "context.threshold", from: "GREEN", to: "GREEN" })).toBeUndefined();
    expect(parseTrigger({ event: "context.threshold", from: "GREEN", to: "PINK" })).toBeUndefined();
  });

  it("of any shape throws nothing", () => {
    for (const payload of [undefined, null, 7, "context.compaction", [], {}])
      expect(parseTrigger(payload)).toBeUndefined();
    fc.assert(
      fc.property(fc.anything(), (payload) => {
        parseTrigger(payload);
      }),
    );
  });
});

const health = assessHealth({ ...emptyMeter, toolCalls: 90 });
const facts = { health, happened: undefined, savedDecisions: 0, baseTokens: undefined };

it("[R7] a boundary, a crossed threshold and a coming compaction make three runs, each with a report", () => {
  const payloads = [
    { event: "context.boundary", caller: "cook", occasion: "phase-boundary" },
    { event: "context.threshold", from: "YELLOW", to: "ORANGE" },
    { event: "context.compaction", by: "auto" },
  ];
  const runs = payloads.map((payload) => runOnTrigger(payload, facts));
  expect(runs.map((run) => run?.trigger)).toEqual([
    { kind: "boundary", caller: "cook", occasion: "phase-boundary" },
    { kind: "threshold", from: "YELLOW", to: "ORANGE" },
    { kind: "compaction", by: "auto" },
  ]);
  for (const run of runs) {
    expect(run?.recommendation).toBe("compact-at-boundary");
    expect(run?.report).toContain("- **Status**: ORANGE");
  }
});

it("[R7] nothing else makes a run", () => {
  for (const payload of [{ event: "tool.used" }, { caller: "cook" }, null])
    expect(runOnTrigger(payload, facts)).toBeUndefined();
});
