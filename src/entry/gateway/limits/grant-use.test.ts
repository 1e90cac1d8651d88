/** If red: several gateways together let more requests in than the limit allows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grantUse, HOLD_MS, type SharedUse, type UseAsk } from "./fleet-limits.ts";

const LIMITS = { person: "ada", requestsPerMinute: 120, concurrent: 16 };
const nothing: Pick<UseAsk, "wantedRequests" | "wantedPlaces" | "isAhead" | "unused" | "places"> = {
  wantedRequests: 0,
  wantedPlaces: 0,
  isAhead: false,
  unused: 0,
  places: 0,
};

describe("one person's limits, asked for by several instances", () => {
  it("gives ahead of time a second's worth, and near the limit no more than was asked for", () => {
    const ask = { ...LIMITS, ...nothing, instance: "a", wantedRequests: 1, wantedPlaces: 1, isAhead: true };
    const first = grantUse(undefined, ask, 0);
    expect(first).toMatchObject({ grant: { requests: 2, places: 2 }, use: { left: 118 } });
    const near = grantUse({ left: 9, atMs: 0, holds: [] }, ask, 0);
    expect(near.grant.requests).toBe(1);
    const spent = grantUse({ left: 0.5, atMs: 0, holds: [] }, ask, 0);
    expect(spent.grant).toMatchObject({ requests: 0, retryAfterSeconds: 1 });
    expect(grantUse({ left: -4, atMs: 0, holds: [] }, ask, 0).grant.retryAfterSeconds).toBe(3);
  });

  it("takes back what was not used", () => {
    const full = grantUse({ left: 110, atMs: 0, holds: [] }, { ...LIMITS, ...nothing, instance: "a", unused: 7 }, 0);
    expect(full.use).toEqual({ left: 117, atMs: 0, holds: [] });
  });

  it("gives nobody the places of another, until that one has said nothing for long", () => {
    const holds = [{ instance: "a", places: 15, untilMs: HOLD_MS }];
    const ask = { ...LIMITS, ...nothing, instance: "b", wantedPlaces: 4 };
    expect(grantUse({ left: 100, atMs: 0, holds }, ask, 1).grant.places).toBe(1);
    expect(grantUse({ left: 100, atMs: 0, holds }, ask, HOLD_MS).grant.places).toBe(4);
    // It is not taken away from who has it already.
    expect(grantUse({ left: 100, atMs: 0, holds }, { ...ask, places: 3 }, 1).grant.places).toBe(3);
  });

  it("never grants more requests than the minutes allow nor more places than there are, whoever asks, whatever the clock does", () => {
    const asked = fc.record({
      instance: fc.constantFrom("a", "b", "c"),
      waiting: fc.nat(200),
      isAhead: fc.boolean(),
      giveBack: fc.boolean(),
      stepMs: fc.integer({ min: -HOLD_MS, max: 3_000 }),
    });
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 60 }), (asks) => {
        let use: SharedUse | undefined;
        let nowMs = 0;
        let passedMs = 0;
        const held = new Map<string, { places: number; requests: number; atMs: number }>();
        let granted = 0;
        for (const { instance, waiting, isAhead, giveBack, stepMs } of asks) {
          nowMs += stepMs;
          passedMs += Math.max(0, stepMs);
          const mine = held.get(instance) ?? { places: 0, requests: 0, atMs: 0 };
          // Who has said nothing for long has lost its places, and asks for them anew.
          const isLost = use?.holds.every((hold) => hold.instance !== instance || hold.untilMs <= nowMs) ?? true;
          const unused = giveBack ? mine.requests : 0;
          const places = giveBack || isLost ? 0 : mine.places;
          const wanted = { wantedRequests: waiting, wantedPlaces: waiting };
          const made = grantUse(use, { ...LIMITS, instance, ...wanted, isAhead, unused, places }, nowMs);
          granted += made.grant.requests - unused;
          use = made.use;
          held.set(instance, { places: made.grant.places, requests: made.grant.requests, atMs: nowMs });
          const taken = use.holds.filter(({ untilMs }) => untilMs > nowMs).reduce((sum, hold) => sum + hold.places, 0);
          expect(taken).toBeLessThanOrEqual(LIMITS.concurrent);
          expect(granted).toBeLessThanOrEqual(LIMITS.requestsPerMinute * (1 + passedMs / 60_000) + 1e-6);
        }
      }),
    );
  });
});
