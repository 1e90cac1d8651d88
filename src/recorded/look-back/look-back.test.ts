/** If red: the last thirty days are added up with requests of other days. */
import { describe, expect, it } from "vitest";
import { zeroUsage } from "../../core/usage.ts";
import { createCalendar } from "../calendar.ts";
import type { ScannedFile } from "../join-scans.ts";
import { lookBack } from "./look-back.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 16, 12);
const AT = { nowMs: NOW, calendar: createCalendar({}, "UTC") };

function scanned(name: string, ages: readonly number[], isSubagent = false): ScannedFile {
  const steps = ages.map((days, index) => ({
    stepId: `${name} ${index}`,
    model: "claude-opus-5",
    atMs: NOW - days * DAY_MS,
    usage: { ...zeroUsage, inputTokens: 200_000 },
    isSidechain: false,
    isOutputFinal: true,
  }));
  const misses = steps.map(({ stepId, atMs }, index) => ({
    stepId,
    atMs,
    cause: index % 2 === 0 ? ("idle" as const) : ("editedPrefix" as const),
    missedTokens: 1,
    extraUsd: 0.25,
  }));
  const file = { path: `/p/${name}`, project: "p", bytes: 1, modifiedMs: 0, isSubagent };
  const lines = { read: 0, notAboutUsage: 0, malformed: 0 };
  return {
    file,
    steps,
    ownSteps: steps,
    misses,
    compactions: [],
    toolCalls: 0,
    sessionId: name,
    title: "",
    lines,
    folder: "/p",
    project: "p",
  };
}

describe("a look back", () => {
  it("adds up the requests of the last thirty days alone, and what pauses cost", () => {
    const look = lookBack([scanned("a", [1, 2, 3]), scanned("b", [29, 40]), scanned("c", [90])], AT);
    expect(look).toMatchObject({
      isUntilNow: true,
      sessions: 2,
      requests: 4,
      pauses: { count: 3, usd: 0.75, sessions: 2 },
      otherMisses: { count: 1, usd: 0.25, sessions: 1 },
      isAtLeast: false,
      files: ["/p/a", "/p/b"],
    });
    expect(look?.totalUsd).toBeCloseTo(4, 9);
  });

  it("ends with the last request where nothing was asked for longer", () => {
    const look = lookBack([scanned("a", [100, 101, 140])], AT);
    expect(look).toMatchObject({ isUntilNow: false, requests: 2 });
    expect(look?.untilMs).toBe(NOW - 100 * DAY_MS + 1);
  });

  it("counts a subagent's dollars and not its file as a session", () => {
    expect(lookBack([scanned("a", [1]), scanned("s", [1], true)], AT)).toMatchObject({ sessions: 1, requests: 2 });
  });

  it("is nothing where nothing is recorded", () => {
    expect(lookBack([], AT)).toBeUndefined();
  });
});
