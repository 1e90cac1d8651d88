/** If red: the reading test cuts sessions where nothing was compacted, and compares nothing. */
import { describe, expect, it } from "vitest";
import { zeroUsage } from "../../../src/core/usage.ts";
import type { RecordedCompaction, ReplaySession } from "../../../src/replay/session.ts";
import { assistant, user } from "../../../test/support/build.ts";
import { exchange, recordReplaySession } from "../../../test/support/replay-session.ts";
import { chooseCut } from "./choose-cut.ts";

function session(
  requests: number,
  compactedAt: readonly number[],
  contextTokens = (_step: number) => 0,
): ReplaySession {
  const compactions = compactedAt.map(
    (step): RecordedCompaction => ({ step, messages: [], summaryTokens: 0, trigger: "auto", durationMs: undefined }),
  );
  const exchanges = Array.from({ length: requests }, () => exchange([user("go on")], assistant("done")));
  const reported = recordReplaySession(exchanges, { compactions });
  const steps = reported.steps.map((step, index) => ({
    ...step,
    usage: { ...zeroUsage, cacheReadTokens: contextTokens(index) },
  }));
  return { ...reported, steps };
}

describe("the cut", () => {
  it("is eight requests after the compaction", () => {
    expect(chooseCut(session(60, [20]))).toEqual({ step: 28, compactedAt: 20 });
  });

  it("is after the first compaction of several that leaves twelve requests", () => {
    expect(chooseCut(session(60, [20, 30]))).toEqual({ step: 28, compactedAt: 20 });
    expect(chooseCut(session(40, [20]))).toEqual({ step: 28, compactedAt: 20 });
    expect(chooseCut(session(39, [20]))).toMatchObject({ why: "no compaction with 20 requests behind it" });
  });

  it("is where the client would compact a usual window, if none was recorded", () => {
    const growing = (step: number): number => step * 10_000;
    expect(chooseCut(session(60, [], growing))).toEqual({ step: 17, compactedAt: undefined });
    expect(chooseCut(session(20, [], growing))).toMatchObject({ why: expect.stringContaining("fewer than 12") });
    expect(chooseCut(session(60, []))).toMatchObject({ why: expect.stringContaining("never above 167000") });
  });
});
