import { describe, expect, it } from "vitest";
import { emptyOutcome, type Outcome } from "./outcome.ts";
import { createReport, type WalkedSession } from "./report.ts";
import { toWalk } from "./walk.ts";

function walk(more: Partial<Outcome>) {
  return toWalk({ ...emptyOutcome("any"), ...more });
}

function session(name: string, walks: Readonly<Record<string, Partial<Outcome>>>): WalkedSession {
  return { name, steps: 100, walks: new Map(Object.entries(walks).map(([policy, more]) => [policy, walk(more)])) };
}

const tally = (retained: number, recoverable: number, lost: number) => ({ retained, recoverable, lost });
const policies = [
  { name: "native", about: "the client" },
  { name: "other", about: "another" },
];
const sessions = [
  session("a", {
    native: {
      sendUsd: 10,
      tokensSent: 1000,
      peakTokens: 500,
      hot: tally(9, 0, 1),
      cold: tally(6, 2, 2),
      planMs: [1, 1],
    },
    other: {
      sendUsd: 4,
      recoveryUsd: 1,
      rereadUsd: 2,
      tokensSent: 400,
      peakTokens: 300,
      fatal: 1,
      cold: tally(1, 1, 0),
    },
  }),
  session("b", {
    native: {
      sendUsd: 30,
      tokensSent: 3000,
      peakTokens: 900,
      hot: tally(10, 0, 0),
      cold: tally(10, 0, 0),
      planMs: [9],
    },
    other: { sendUsd: 33, tokensSent: 100, peakTokens: 200, fatal: 5, cold: tally(0, 0, 7), isWordless: true },
  }),
];

describe("the report", () => {
  const report = createReport({ sessions, policies, leftOut: [{ name: "c", why: "one request only" }] });
  const find = (name: string) => report.policies.find((policy) => policy.name === name);

  it("adds up dollars and tokens, and takes the largest peak", () => {
    expect(find("native")).toMatchObject({ netUsd: 40, sendUsd: 40, tokensSent: 4000, peakTokens: 900 });
    expect(find("other")).toMatchObject({
      netUsd: 40,
      sendUsd: 37,
      recoveryUsd: 1,
      rereadUsd: 2,
      tokensSent: 500,
      peakTokens: 300,
    });
  });

  it("tells need as shares of all that was needed", () => {
    expect(find("native")).toMatchObject({
      hotRetained: 0.95,
      hotLost: 0.05,
      coldRetained: 0.8,
      coldRecoverable: 0.1,
      coldLost: 0.1,
    });
    expect(find("native")?.editLineRecall).toBeUndefined();
  });

  it("counts no need of a session whose summary nobody recorded, though its price", () => {
    expect(find("other")).toMatchObject({
      wordlessSessions: 1,
      coldRetained: 0.5,
      coldRecoverable: 0.5,
      coldLost: 0,
      fatal: 1,
    });
    expect(report.sessions[1]?.policies[1]).toMatchObject({
      isWordless: true,
      netUsd: 33,
      coldLost: undefined,
      fatal: undefined,
    });
  });

  it("compares with native, in total and session by session", () => {
    expect(find("other")?.relative).toEqual({
      netUsd: 1,
      sendUsd: 37 / 40,
      tokensSent: 1 / 8,
      sessionMedian: 1.1,
      sessionP95: 1.1,
    });
    expect(report.sessions.map(({ policies: [, other] }) => other?.relativeNetUsd)).toEqual([0.7, 1.1]);
  });

  it("puts an interval around every total, from the same draws for both sides of a ratio", () => {
    expect(find("native")?.intervals.netUsd).toEqual({ low: 20, high: 60 });
    expect(find("native")?.intervals.relativeNetUsd).toEqual({ low: 1, high: 1 });
    expect(find("other")?.intervals.relativeNetUsd).toEqual({ low: 0.7, high: 1.1 });
  });

  it("names the cheapest first, and what was left out", () => {
    const cheaper = createReport({ sessions: sessions.slice(0, 1), policies, leftOut: [] });
    expect(cheaper.policies.map(({ name }) => name)).toEqual(["other", "native"]);
    expect(report.leftOut).toEqual([{ name: "c", why: "one request only" }]);
    expect(report.steps).toBe(200);
  });

  it("tells the planning time of all requests together", () => {
    expect(find("native")?.planMsP95).toBeCloseTo(9, 0);
    expect(find("other")?.planMsP95).toBeUndefined();
  });

  it("says nothing of no sessions", () => {
    const empty = createReport({ sessions: [], policies, leftOut: [] });
    expect(empty.policies[0]).toMatchObject({ netUsd: 0, relative: { netUsd: undefined }, intervals: {} });
  });
});
