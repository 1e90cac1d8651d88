/** If red: replay does not reproduce what real sessions cost. */
import { describe, expect, it } from "vitest";
import { hasCorpus, listCorpus } from "../../lab/bench/corpus.ts";
import { prepareFile } from "../../lab/bench/export-requests.ts";
import { checkDollars } from "../../src/replay/check-dollars.ts";

/** Shorter ones hardly fill a window; `plimsoll replay` tells them apart, too. */
const LEAST_REQUESTS = 60;

describe.skipIf(!hasCorpus)("what the client did to every recorded session, simulated", () => {
  it("costs within 3 % of what was recorded, compactions included, and never fills more than the window", () => {
    const total = { recorded: 0, withMisses: 0, withHits: 0 };
    for (const file of listCorpus()) {
      const briefing = prepareFile(file);
      if (!briefing || briefing.session.steps.length < LEAST_REQUESTS) continue;
      const { check } = checkDollars(briefing);
      expect(check.largestView, file).toBeLessThanOrEqual(1);
      total.recorded += check.recordedUsd;
      total.withMisses += check.withMissesUsd;
      total.withHits += check.withHitsUsd;
    }
    expect(Math.abs(total.withMisses / total.recorded - 1)).toBeLessThan(0.03);
    expect(Math.abs(total.withHits / total.recorded - 1)).toBeLessThan(0.03);
  });
});
