/** If red: waiting with an edit can cost more than twice the best in hindsight. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editsOf } from "../../../test/support/build.ts";
import { tries } from "../../../test/support/depth.ts";
import { edit, terms } from "../../../test/support/edit-terms.ts";
import { decideEdits } from "./decide-edits.ts";
import { priceEdits } from "./price-edit.ts";
import { countWaited, keyOfEdit, nobodyWaits } from "./pricer.ts";

const { replaceBlock } = editsOf([]);
const one = replaceBlock("text:one", "x");

describe("who waits", () => {
  test("the same place is the same edit, whatever is put there, and no name is special", () => {
    expect(keyOfEdit(replaceBlock("text:one", "y"))).toBe(keyOfEdit(one));
    expect(countWaited(nobodyWaits, "constructor")).toBe(0);
  });
});

/**
 * The bound of `docs/research/economics.md`: who knows nothing of the future and makes an edit as soon as carrying it has cost as much as
 * the rewriting pays at most twice what the best decision in hindsight pays.
 */
describe("the bound", () => {
  const arbitrary = fc.record({
    requests: fc.integer({ min: 0, max: 400 }),
    savedTokens: fc.integer({ min: 1, max: 150_000 }),
    keptTokens: fc.nat(150_000),
    frontTokens: fc.nat(50_000),
    share1h: fc.constantFrom(0, 0.3, 1),
    model: fc.constantFrom("claude-opus-5", "claude-opus-5-5", "gpt-6"),
  });

  interface Session {
    readonly requests: number;
    readonly savedTokens: number;
    readonly keptTokens: number;
    readonly frontTokens: number;
    readonly share1h: number;
    readonly model: string;
  }

  /** Costs of both in units, over a session of so many requests that grows by so much with each. */
  function play(given: Session, growthTokens: number) {
    const { requests, savedTokens, keptTokens, frontTokens, share1h, model } = given;
    let online = 0;
    let hindsight = Number.POSITIVE_INFINITY;
    let carried = 0;
    let waitedRequests = 0;
    let isMade = false;
    const rewrites: number[] = [];
    for (let request = 0; request < requests; request++) {
      const warmTokens = frontTokens + savedTokens + keptTokens + request * growthTokens;
      const proposal = edit(frontTokens, savedTokens, { waitedRequests });
      const now = terms({ model, share1h, expectedRequests: undefined, prefix: { warmTokens } });
      const { rewriteUnits, savedUnitsPerRequest } = priceEdits([proposal], now);
      rewrites.push(rewriteUnits);
      hindsight = Math.min(hindsight, carried + rewriteUnits);
      if (!isMade && decideEdits([proposal], now)[0]?.isMade) {
        isMade = true;
        online += rewriteUnits;
      }
      if (!isMade) online += savedUnitsPerRequest;
      carried += savedUnitsPerRequest;
      waitedRequests++;
    }
    return { online, hindsight: Math.min(hindsight, carried), rewrites };
  }

  test("the decision without a future costs at most twice the best in hindsight, for any length and any sizes", () => {
    fc.assert(
      fc.property(arbitrary, (given) => {
        const { online, hindsight } = play(given, 0);
        expect(online).toBeLessThanOrEqual(2 * hindsight * (1 + 1e-9));
      }),
      { numRuns: tries(40, 3000) },
    );
  });

  test("where the rewriting grows while it waits, at most twice that growth", () => {
    fc.assert(
      fc.property(arbitrary, fc.nat(5000), (given, growthTokens) => {
        const { online, hindsight, rewrites } = play(given, growthTokens);
        const [first = 0] = rewrites;
        fc.pre(first > 0);
        const growth = (rewrites.at(-1) ?? 0) / first;
        expect(online).toBeLessThanOrEqual(2 * growth * hindsight * (1 + 1e-9));
      }),
      { numRuns: tries(40, 2000) },
    );
  });

  test("it is nearly reached by a session that ends just after the rewriting", () => {
    const given = { savedTokens: 1000, keptTokens: 30_000, frontTokens: 0, share1h: 0, model: "gpt-6", requests: 345 };
    const { online, hindsight } = play(given, 0);
    expect(online / hindsight).toBeGreaterThan(1.99);
  });
});
