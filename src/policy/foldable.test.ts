/** If red: a small or failing result is folded, or a large one stays. */
import { describe, expect, it } from "vitest";
import { answer, called, compacted, DENSE, prompt, request, result, usage } from "../../test/support/session-events.ts";
import type { SessionEvent } from "../core/event.ts";
import { DEFAULT_BUDGET } from "../fold/thresholds.ts";
import { createRecording } from "../measure/recording.ts";
import { estimateTextTokens } from "../models/tokens.ts";
import { findFoldable } from "./foldable.ts";

const LAST_STEPS = [1, 2, 3, 4].map((index) => request(`last ${index}`, 30_000, { model: DENSE }));

/** One result, carried by a request that four others have followed since. */
function foldOld(...arrivals: readonly SessionEvent[]) {
  return findFoldable(
    createRecording([
      request("first", 20_000, { model: DENSE }),
      ...arrivals,
      request("carrier", 21_000, { model: DENSE }),
      ...LAST_STEPS,
    ]),
  );
}

describe("a result", () => {
  it("may be folded above 4,000 characters or 120 lines", () => {
    expect(foldOld(result("Bash", "1", "x".repeat(4000))).results).toBe(0);
    expect(foldOld(result("Bash", "1", "x".repeat(4001))).results).toBe(1);
    expect(foldOld(result("Bash", "1", Array(120).fill("a line of log").join("\n"))).results).toBe(0);
    expect(foldOld(result("Bash", "1", Array(121).fill("a line of log").join("\n"))).results).toBe(1);
  });

  it("is left alone when its preview would be as long as itself", () => {
    expect(foldOld(result("Bash", "1", Array(200).fill("x").join("\n"))).results).toBe(0);
  });

  it("saves what it weighs beyond a preview of full budget", () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line number ${index}`);
    const whole = estimateTextTokens(lines.join("\n"), "dense");
    const preview = estimateTextTokens(lines.join("\n").slice(0, DEFAULT_BUDGET), "dense");
    expect(foldOld(result("Bash", "1", lines.join("\n")))).toEqual({ results: 1, tokens: Math.round(whole - preview) });
  });

  it("is left alone when it is an error, because it is worked with until it is gone", () => {
    expect(foldOld(result("Bash", "1", "x".repeat(9000), { isError: true })).results).toBe(0);
  });

  it("is left alone while it is among the last four steps", () => {
    const large = result("Bash", "1", "x".repeat(9000));
    const recent = (following: number) =>
      findFoldable(createRecording([large, request("carrier", 21_000), ...LAST_STEPS.slice(0, following)])).results;
    expect([0, 3, 4].map(recent)).toEqual([0, 0, 1]);
  });
});

describe("what is no result or no longer there", () => {
  it("is not folded: a prompt stays whole", () => {
    expect(foldOld(prompt("x".repeat(9000))).results).toBe(0);
  });

  it("is not folded: a compaction took it already", () => {
    const events = [
      answer("s1", usage({ read: 20_000 }), [called("Bash", "1")]),
      result("Bash", "1", "x".repeat(9000)),
      request("s2", 21_000),
      compacted(),
      ...LAST_STEPS,
      request("s3", 30_000),
    ];
    expect(findFoldable(createRecording(events))).toEqual({ results: 0, tokens: 0 });
  });

  it("is nothing in a session of nothing", () => {
    expect(findFoldable(createRecording([]))).toEqual({ results: 0, tokens: 0 });
  });
});
