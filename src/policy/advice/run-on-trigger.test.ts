import { expect, it } from "vitest";
import { assessHealth } from "../../measure/health.ts";
import { emptyMeter } from "../../measure/meter.ts";
import { runOnTrigger } from "./run-on-trigger.ts";

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
