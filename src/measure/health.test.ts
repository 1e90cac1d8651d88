/** If red: the level of a session is wrong, and warnings come too late or for nothing. */
import { describe, expect, it } from "vitest";
import {
  answer,
  CLASSIC,
  called,
  compacted,
  DENSE,
  prompt,
  request,
  result,
  usage,
} from "../../test/support/session-events.ts";
import type { SessionEvent } from "../core/event.ts";
import { assessHealth, type Health, type HealthOptions } from "./health.ts";
import { createMeter } from "./meter.ts";

function assess(events: readonly SessionEvent[], options: HealthOptions = {}): Health {
  const meter = createMeter();
  for (const event of events) meter.feed(event);
  return assessHealth(meter.state(), options);
}

/** A session of so many calls that tells no usage. */
function unmeasured(calls: number, ...others: readonly SessionEvent[]): readonly SessionEvent[] {
  return [
    ...others,
    ...Array.from({ length: calls }, (_, index) => answer(`s${index}`, undefined, [called("Bash", "")])),
  ];
}

function largeRead(lines: number): SessionEvent {
  return result("Read", "", "x\n".repeat(lines));
}

describe("the level", () => {
  it.each([
    [100_199, "GREEN"],
    [100_200, "YELLOW"],
    [130_260, "ORANGE"],
    [150_300, "RED"],
  ] as const)("of %i tokens before a line at 167,000 is %s", (tokens, level) => {
    expect(assess([request("s1", tokens)])).toMatchObject({
      level,
      profile: "measured",
      compactionPointTokens: 167_000,
    });
  });

  it.each([
    [99_800, "GREEN"],
    [100_000, "YELLOW"],
    [140_000, "ORANGE"],
    [170_000, "ORANGE"],
    [170_200, "RED"],
  ] as const)("[R20] of %i of 200,000 tokens is %s by percent of the window", (tokens, level) => {
    expect(assess([request("s1", tokens)], { profile: "percent" })).toMatchObject({ level, profile: "percent" });
  });

  it("[R14] of 121 calls is RED by calls, though the window is nearly empty", () => {
    const busy = Array.from({ length: 121 }, (_, index) =>
      answer(`s${index}`, usage({ read: 20_000 }), [called("Bash", "")]),
    );
    expect(assess(busy, { profile: "calls" })).toMatchObject({ level: "RED", toolCalls: 121, profile: "calls" });
    expect(assess(busy)).toMatchObject({ level: "GREEN", profile: "measured" });
  });

  it("[R23] is decided by a known size before any number of calls, and by the calls where there is none", () => {
    const few = [answer("s1", usage({ read: 160_000 }), [called("Bash", "")])];
    expect(assess(few)).toMatchObject({ level: "RED", profile: "measured", toolCalls: 1 });
    for (const profile of ["measured", "percent", "calls"] as const)
      expect(assess(unmeasured(80), { profile })).toMatchObject({ level: "ORANGE", profile: "calls" });
  });

  it("[R17] goes by the table for large files from the third large read on, for the rest of the session", () => {
    const reads = (count: number, lines: number) =>
      unmeasured(40, ...Array.from({ length: count }, () => largeRead(lines)));
    expect(assess(reads(2, 501))).toMatchObject({ hasLargeFiles: false, level: "GREEN" });
    expect(assess(reads(3, 501))).toMatchObject({ hasLargeFiles: true, level: "YELLOW", largeReads: 3 });
    expect(assess(reads(3, 500))).toMatchObject({ hasLargeFiles: false, level: "GREEN" });
    const later = [...reads(3, 501), compacted(), ...unmeasured(40)];
    expect(assess(later, { profile: "calls" })).toMatchObject({ hasLargeFiles: true, level: "YELLOW" });
  });

  it("[R114] counts calls from the last compaction on, and all of them for the record", () => {
    const before = [...unmeasured(130), request("s", 30_000)];
    expect(assess(before, { profile: "calls" })).toMatchObject({ level: "RED", toolCalls: 130, windowCalls: 130 });
    const after = [...before, compacted(), request("t", 20_000)];
    expect(assess(after, { profile: "calls" })).toMatchObject({ level: "GREEN", toolCalls: 130, windowCalls: 0 });
    const later = [...after, ...unmeasured(50)];
    expect(assess(later, { profile: "calls" })).toMatchObject({ level: "YELLOW", toolCalls: 180, windowCalls: 50 });
  });
});

describe("without any usage", () => {
  it("[R13] shows no size, no distance and no share: a count of calls, called directional", () => {
    expect(assess(unmeasured(60))).toMatchObject({
      confidence: "directional",
      source: "calls",
      usedTokens: undefined,
      tokensToLine: undefined,
      requestsToLine: undefined,
      toolCalls: 60,
      level: "YELLOW",
    });
  });
});

describe("the window", () => {
  it("[R19] is the model's own, or larger where a larger request went through", () => {
    expect(assess([request("s1", 20_000, { model: CLASSIC })]).windowTokens).toBe(200_000);
    expect(assess([request("s1", 20_000, { model: DENSE })]).windowTokens).toBe(1_000_000);
    expect(assess([request("s1", 210_000), request("s2", 50_000)])).toMatchObject({
      windowTokens: 1_000_000,
      compactionPointTokens: 967_000,
    });
  });

  it("[R19] that is nearly full is RED, and not taken for a larger one that is nearly empty", () => {
    expect(assess([request("s1", 190_000)])).toMatchObject({ windowTokens: 200_000, level: "RED" });
  });

  it("[R19] of a small model is not taken for large because a larger model was used before", () => {
    const switched = [request("s1", 400_000, { model: DENSE }), compacted(), request("s2", 150_300)];
    expect(assess(switched)).toMatchObject({ model: CLASSIC, windowTokens: 200_000, level: "RED" });
  });

  it("is what the client says, where it says it", () => {
    const client = { usedTokens: 40_000, windowTokens: 500_000 };
    expect(assess([request("s1", 20_000)], { client })).toMatchObject({
      usedTokens: 40_000,
      windowTokens: 500_000,
      compactionPointTokens: 467_000,
    });
  });

  it("is still known right after a compaction, from the model before it", () => {
    expect(assess([request("s1", 300_000, { model: DENSE }), compacted()])).toMatchObject({
      model: DENSE,
      windowTokens: 1_000_000,
      source: "estimate",
    });
  });
});

describe("the line", () => {
  it("is learned from this session's and other sessions' automatic compactions", () => {
    const own = [request("s1", 20_000), compacted({ preTokens: 155_000 }), request("s2", 30_000)];
    expect(assess(own)).toMatchObject({ compactionPointTokens: 155_000, compactionPointSource: "learned" });
    expect(assess([request("s1", 20_000)], { autoPreTokens: [154_000] })).toMatchObject({
      compactionPointTokens: 154_000,
    });
  });

  it("is not learned from a compaction that the person asked for", () => {
    const manual = [request("s1", 20_000), compacted({ trigger: "manual", preTokens: 155_000 }), request("s2", 30_000)];
    expect(assess(manual)).toMatchObject({ compactionPointTokens: 167_000, compactionPointSource: "formula" });
  });

  it("is where the person's settings put it", () => {
    const settings = { windowTokens: 100_000 };
    expect(assess([request("s1", 60_300)], { settings })).toMatchObject({
      compactionPointTokens: 67_000,
      compactionPointSource: "setting",
      level: "RED",
      tokensToLine: 6700,
    });
  });

  it("is never further away than it can be: beyond it nothing is left", () => {
    expect(assess([request("s1", 175_000)]).tokensToLine).toBe(0);
    expect(assess([request("s1", 67_000)]).tokensToLine).toBe(100_000);
  });

  it("is so many requests away as the pace of the last steps says", () => {
    const paced = (...sizes: readonly number[]) => assess(sizes.map((size, index) => request(`s${index}`, size)));
    expect(paced(60_000, 64_000, 67_000).requestsToLine).toBe(28);
    expect(paced(67_000).requestsToLine).toBeUndefined();
    expect(paced(67_000, 67_000).requestsToLine).toBeUndefined();
    expect(paced(67_300, 67_000).requestsToLine).toBeUndefined();
  });
});

it("counts requests and compactions", () => {
  const events = [prompt("x"), request("s1", 20_000), request("s2", 21_000), compacted(), request("s3", 15_000)];
  expect(assess(events)).toMatchObject({ steps: 3, compactions: 1, toolCalls: 0, largeReads: 0 });
});

it("has an answer for a session of nothing", () => {
  expect(assess([])).toMatchObject({ level: "GREEN", source: "calls", model: "", windowTokens: 200_000, steps: 0 });
});
