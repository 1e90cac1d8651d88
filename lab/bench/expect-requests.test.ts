/** If red: the number of requests still to come is guessed wrongly, and so is what a fold is said to save. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectRequests, learnSessionLengths, type SessionPosition } from "./expect-requests.ts";

function expectFrom(sessions: readonly (readonly number[])[], position: SessionPosition) {
  return expectRequests(learnSessionLengths(sessions), position);
}

const lengths = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 60 });
const sessions = fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 30,
});

describe("what is expected", () => {
  test("with many sessions of one length: what remains of it", () => {
    const many = Array.from({ length: 1000 }, () => [100]);
    expect(expectFrom(many, { requestsSoFar: 0 })?.requests).toBeCloseTo(100, 0);
    expect(expectFrom(many, { requestsSoFar: 60 })?.requests).toBeCloseTo(40, 0);
  });

  test("beyond every session that was seen: their mean, for sessions hardly age", () => {
    const many = Array.from({ length: 1000 }, () => [100]);
    expect(expectFrom(many, { requestsSoFar: 500 })).toMatchObject({ sessions: 0 });
    expect(expectFrom(many, { requestsSoFar: 500 })?.requests).toBeCloseTo(100, 0);
  });

  test("with one short session: little, for nobody knows", () => {
    expect(expectFrom([[2]], { requestsSoFar: 0 })?.requests).toBeCloseTo((2 + 3 * 14) / 4, 9);
  });

  test("nothing, without a session", () => {
    expect(expectFrom([], { requestsSoFar: 3 })).toBeUndefined();
    expect(expectFrom([[], [0], [Number.NaN, -3]], { requestsSoFar: 3 })).toBeUndefined();
  });

  test("less in the last turn of a session than in the first of many", () => {
    const many = Array.from({ length: 100 }, () => [10, 10, 10]);
    const at = (requestsSoFar: number, requestsSincePrompt: number) =>
      expectFrom(many, { requestsSoFar, requestsSincePrompt })?.requests ?? 0;
    expect(at(5, 5)).toBeGreaterThan(at(15, 5));
    expect(at(15, 5)).toBeGreaterThan(at(25, 5));
    expect(at(15, 5)).toBeCloseTo(15, -1);
  });

  test("no more than counts before the window is compacted", () => {
    const many = Array.from({ length: 50 }, (_, index) => [index * 10 + 1]);
    expect(expectFrom(many, { requestsSoFar: 0, atMost: 30 })?.requests).toBeLessThan(30);
    expect(expectFrom(many, { requestsSoFar: 0, atMost: 30 })?.requests).toBeGreaterThan(20);
  });
});

describe("whatever was recorded", () => {
  test("at least the next request is expected, never more than the longest session or the belief about few", () => {
    fc.assert(
      fc.property(lengths, fc.nat(600), (known, requestsSoFar) => {
        const requests =
          expectFrom(
            known.map((length) => [length]),
            { requestsSoFar },
          )?.requests ?? Number.NaN;
        expect(requests).toBeGreaterThanOrEqual(1);
        expect(requests).toBeLessThanOrEqual(Math.max(20, ...known));
      }),
    );
  });

  test("longer sessions never make fewer requests expected", () => {
    fc.assert(
      fc.property(lengths, fc.nat(200), fc.nat(100), (known, requestsSoFar, more) => {
        const of = (extra: number) =>
          expectFrom(
            known.map((length) => [length + extra]),
            { requestsSoFar: requestsSoFar },
          )?.requests ?? 0;
        const none =
          known.every((length) => length + more <= requestsSoFar) || known.every((length) => length > requestsSoFar);
        fc.pre(none);
        expect(of(more)).toBeGreaterThanOrEqual(of(0) - 1e-9);
      }),
    );
  });

  test("a nearer limit never makes more expected, with turns and without, and the order of sessions does not matter", () => {
    fc.assert(
      fc.property(sessions, fc.nat(100), fc.nat(20), fc.nat(100), (known, requestsSoFar, since, limit) => {
        for (const turn of [{}, { requestsSincePrompt: since }]) {
          const at = (atMost: number) => expectFrom(known, { requestsSoFar, atMost, ...turn })?.requests ?? 0;
          expect(at(limit)).toBeLessThanOrEqual(at(limit + 10) + 1e-9);
          const backwards = expectFrom([...known].reverse(), { requestsSoFar, atMost: limit, ...turn })?.requests;
          expect(backwards).toBeCloseTo(at(limit), 9);
        }
      }),
    );
  });
});
